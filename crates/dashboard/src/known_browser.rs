//! Browsers that users have signed in with before.
//!
//! Strangers can use up the attempts of an account, and those of an address that many share. A browser in which the user has
//! signed in before has attempts of its own, which nobody else can use up. Its cookie has an id and, for each of the last few
//! users, a pass that only this database makes. It opens nothing.

use axum::http::HeaderValue;

use taquilla_domain::{config::BROWSER_USERS_MAX, id};
use taquilla_http::{app::App, errors::Error, rate::Source};
use taquilla_pages::visitor::Visitor;

use super::cookies::KNOWN;

/// What begins the id of a browser.
const PREFIX: &str = "br";

/// What a pass is for: this browser and this user.
fn binding(browser_id: &str, email: &str) -> String {
    format!("browser\n{browser_id}\n{email}")
}

/// The id of a browser and its passes, as its cookie has them.
fn read(visitor: &Visitor, app: &App) -> Option<(String, Vec<String>)> {
    let mut parts = visitor.sealed_cookie(KNOWN, app)?.split('.');
    let id = parts.next().filter(|id| id::time_of(PREFIX, id).is_some())?.to_owned();
    Some((id, parts.take(BROWSER_USERS_MAX).map(str::to_owned).collect()))
}

/// By what the attempts at something of a user are counted: by that and by the address, or, in a browser that the user is known
/// in, by that browser alone.
pub fn sources(visitor: &Visitor, app: &App, email: &str, counted: &str) -> Vec<Source> {
    let known = read(visitor, app).filter(|(id, passes)| {
        let binding = binding(id, email);
        passes.iter().any(|pass| app.sealer.is_pass(&binding, pass))
    });
    match known {
        Some((id, _)) => vec![Source::id(&format!("{counted} in {id}"))],
        None => Source::both(counted, visitor.address).to_vec(),
    }
}

/// The cookie with which the browser is known to belong to a user who has just signed in.
pub fn remember(visitor: &Visitor, app: &App, email: &str) -> Result<Option<HeaderValue>, Error> {
    let (id, passes) = read(visitor, app).unwrap_or_else(|| (id::new_id(PREFIX, app.time.now()), Vec::new()));
    let pass = app.sealer.pass(&binding(&id, email))?;
    let others = passes.iter().filter(|other| **other != pass).take(BROWSER_USERS_MAX - 1);
    let parts: Vec<&str> = [id.as_str(), &pass].into_iter().chain(others.map(String::as_str)).collect();
    Ok(KNOWN.set(&parts.join("."), visitor.https))
}
