//! What belongs to the look of a shop, for browsers, messengers and the organiser's own website: its colour, the picture that
//! is shown with a link, and the script for other websites.

use std::sync::LazyLock;

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::{sync::Semaphore, task::spawn_blocking};

use taquilla_domain::{
    config::{SHOP_LOOK_KEPT, SHOP_PICTURES_AT_ONCE},
    status::EventStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    files::{self, PageFiles},
    formats::Dates,
    texts::Language,
};
use taquilla_store::{catalogue::events, producers::Shopkeeper, shop_look};

use crate::{drawn::Drawing, pages::guest::Guest};

/// Whoever draws a picture has a place.
static PLACES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(SHOP_PICTURES_AT_ONCE));

/// The style sheet with the colour of a shop, and with what can be read on it.
pub async fn get_style(guest: Guest) -> Result<Response, Error> {
    let colour = guest.keeper.colour.ok_or(Error::NotFound("colour"))?;
    let ink = colour.ink();
    let style = format!(
        ":root {{\n  --bar: {colour};\n  --bar-text: {ink};\n  --bar-focus: {ink};\n  --accent: {colour};\n  \
         --accent-ink: {ink};\n  --accent-line: var(--text);\n}}\n"
    );
    Ok(kept("text/css; charset=utf-8", style.into_bytes()))
}

/// The picture that is shown with a link to the shop: the organiser's, or one that is drawn.
pub async fn get_picture(State(app): State<App>, guest: Guest) -> Result<Response, Error> {
    picture(&app, guest.keeper, None).await
}

/// The picture that is shown with a link to an event without a picture of its own.
pub async fn get_event_picture(
    State(app): State<App>,
    guest: Guest,
    Path((_, event_id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let event = events::find_kept(&mut app.store.read().await?, guest.keeper.tenant, &event_id).await?;
    // To the public a draft does not exist yet.
    let event = event.filter(|event| event.status != EventStatus::Draft).ok_or(Error::NotFound("event"))?;
    let dates = Dates::new(Language::English, &event.timezone, app.time.now());
    let begins = event.starts_at.map(|at| dates.time(&at).text().to_owned());
    let lines = begins.into_iter().chain(event.venue).collect();
    picture(&app, guest.keeper, Some((event.name, lines))).await
}

async fn picture(app: &App, keeper: Shopkeeper, event: Option<(String, Vec<String>)>) -> Result<Response, Error> {
    if keeper.picture.is_some() {
        let picture = shop_look::picture(&mut app.store.read_of(keeper.tenant).await?, keeper.tenant).await?;
        // Whoever took it away meanwhile gets a drawn one.
        if let Some(picture) = picture {
            let jpeg = STANDARD.decode(picture).map_err(|_| Error::Internal("a picture is no base64".into()))?;
            return Ok(kept("image/jpeg", jpeg));
        }
    }
    let (title, lines) = match event {
        Some((name, lines)) => (name, [vec![keeper.name], lines].concat()),
        None => (keeper.name, Vec::new()),
    };
    let drawing = Drawing { colour: keeper.colour, title, lines };
    // The semaphore is never closed.
    let _place = PLACES.acquire().await;
    let drawn = spawn_blocking(move || drawing.png()).await;
    let png = drawn.map_err(|cause| Error::Internal(format!("a picture could not be drawn: {cause}")))??;
    Ok(kept("image/png", png))
}

/// The script with which an organiser's own website shows what is on sale. Any website may load it; what it asks for is
/// answered to those on the organiser's list.
pub async fn get_script(asked: HeaderMap) -> Result<Response, Error> {
    let mut response = files::answer::<PageFiles>("embed.js", &asked)?;
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    Ok(response)
}

/// Answers with what anybody may keep for a day: its address changes with it.
fn kept(kind: &'static str, content: Vec<u8>) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let kept = format!("public, max-age={}", SHOP_LOOK_KEPT.as_secs());
    if let Ok(kept) = HeaderValue::try_from(kept) {
        headers.insert(header::CACHE_CONTROL, kept);
    }
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    response
}
