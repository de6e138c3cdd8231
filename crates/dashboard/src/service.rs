//! What concerns all producers: making one, and users. For operators.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::DASHBOARD_ROWS, time_zone};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin::staff::{password_links, team, users};
use taquilla_store::{
    producers::{self, Details},
    staff::{
        audit::{self, Entry, Filter},
        users::{self as rows, User},
    },
};

use super::{
    access::{Operator, WRONG},
    frame::{Frame, producer_path},
    handed_link,
    history::Opens,
    producer_form::read_producer,
};

#[derive(Template)]
#[template(path = "service.html")]
struct ServicePage {
    f: Frame,
    producers: Vec<Details>,
    users: Vec<User>,
    older: Option<String>,
    entries: Vec<Entry>,
    opens: Opens,
    own_id: String,
    form: Form,
    zones: Vec<String>,
}

impl ServicePage {
    fn is_reader(&self, user: &User) -> bool {
        user.id == self.own_id
    }
}

async fn show(
    status: StatusCode,
    app: &App,
    operator: &Operator,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let mut users = rows::list(&mut conn, query.get("after").unwrap_or_default(), DASHBOARD_ROWS + 1).await?;
    let more = users.len() > DASHBOARD_ROWS as usize;
    users.truncate(DASHBOARD_ROWS as usize);
    let page = ServicePage {
        f: operator.frame("service").done(query),
        producers: producers::newest(&mut conn, DASHBOARD_ROWS).await?,
        older: users.last().filter(|_| more).map(|last| in_path(&last.email)),
        users,
        entries: audit::list(&mut conn, None, &Filter::default(), None, DASHBOARD_ROWS).await?,
        opens: Opens::new(),
        own_id: operator.user_id().to_owned(),
        form,
        zones: time_zone::names(),
    };
    page::show(status, &page)
}

/// The page.
pub async fn get_service(State(app): State<App>, operator: Operator, query: Query) -> Result<Response, Error> {
    let form = Form::filled(&[("time_zone", "Europe/Madrid"), ("currency", "EUR")]);
    show(StatusCode::OK, &app, &operator, &query, form).await
}

/// Makes a producer, whose administrator the operator becomes.
pub async fn post_producers(State(app): State<App>, operator: Operator, mut form: Form) -> Result<Response, Error> {
    let Some(producer) = read_producer(&mut form, "name", operator.layout.t) else {
        return show(WRONG, &app, &operator, &Query::default(), form).await;
    };
    let id = team::found_producer(&app.store, &producer, operator.user_id(), operator.by()).await?;
    Ok(go(&producer_path(&id, "?done=producer-made")))
}

/// Disables a user, or lets one sign in again. Nobody disables themselves.
pub async fn post_user(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, Error> {
    match form.value("change") {
        "disable" if id != operator.user_id() => {
            users::disable(&app.store, &id, operator.by()).await?;
            Ok(go("/dashboard/service?done=user-disabled"))
        }
        "enable" => {
            users::enable(&app.store, &id, operator.by()).await?;
            Ok(go("/dashboard/service?done=user-enabled"))
        }
        // One's own password is changed by who knows it.
        "reset" if id != operator.user_id() => {
            let without_second_factor = form.has("second_factor", "yes");
            let (user, token) =
                password_links::make(&app.store, &id, without_second_factor, &operator.by_form(&form)).await?;
            handed_link::show(operator.frame("service"), "reset", &user.email, &operator.service_address(&app), &token)
        }
        _ => Err(Error::Forbidden),
    }
}
