//! Pages for people: the API console and the list of errors. Both come out of the binary and need no network.

use std::sync::{Arc, LazyLock};

use axum::{
    extract::{Path, rejection::PathRejection},
    http::{HeaderValue, header},
    response::{Html, IntoResponse, Response},
};
use utoipa_swagger_ui::{Config, Url};

use taquilla_http::{
    codes::{BOX_OFFICE_CODES, CODES, DASHBOARD_CODES, DOOR_CODES, PLAIN_CODES},
    errors::Error,
};
use taquilla_pages::page_headers::{self, protect};

/// What the console lists.
const DOCUMENTS: [(&str, &str); 4] = [
    ("Read API", "/api/v1/openapi.json"),
    ("Shop", "/shop/v1/openapi.json"),
    ("Payments", "/shop/v1/openapi-payments.json"),
    ("Door", "/door/v1/openapi.json"),
];

/// Swagger UI, which reads the served OpenAPI documents.
static CONSOLE: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::new(DOCUMENTS.map(|(name, url)| Url::new(name, url))).validator_url("none");
    Arc::new(config.try_it_out_enabled(true).display_request_duration(true).persist_authorization(false))
});

const CONSOLE_PAGE: &str = "index.html";

/// `/docs/`: the console.
pub async fn get_console() -> Result<Response, Error> {
    let page = String::from_utf8(console_file(CONSOLE_PAGE)?.0)
        .map_err(|_| Error::Internal("the console's page is not text".into()))?;
    let page = page.replace("<title>Swagger UI</title>", "<title>Taquilla API</title>");
    let mut response = Html(page).into_response();
    protect(response.headers_mut(), page_headers::CONSOLE);
    Ok(response)
}

/// The files of the console.
pub async fn get_console_file(name: Result<Path<String>, PathRejection>) -> Result<Response, Error> {
    // The pages among them need headers of their own: one is served at `/docs/`, and nobody needs the others.
    let named = name.ok().map(|Path(name)| name).filter(|name| !name.ends_with(".html"));
    let (bytes, kind) = console_file(&named.ok_or(Error::NotFound("file"))?)?;
    let kind = HeaderValue::try_from(kind).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

/// A file of the console with its media type.
fn console_file(name: &str) -> Result<(Vec<u8>, String), Error> {
    let file = utoipa_swagger_ui::serve(name, Arc::clone(&CONSOLE))
        .map_err(|cause| Error::Internal(format!("a file of the console cannot be made: {cause}")))?
        .ok_or(Error::NotFound("file"))?;
    Ok((file.bytes.into_owned(), file.content_type))
}

/// `/docs/errors`: where the `type` of every problem document points.
pub async fn get_errors() -> Response {
    let rows: String = CODES
        .iter()
        .chain(BOX_OFFICE_CODES)
        .chain(DOOR_CODES)
        .chain(DASHBOARD_CODES)
        .chain(PLAIN_CODES)
        .map(|code| {
            let advice = code.advice.replace('<', "&lt;").replace('>', "&gt;");
            format!(
                "<section id=\"{0}\"><h2><code>{0}</code> <span>{1}</span></h2><p><strong>{2}.</strong> {3}</p></section>\n",
                code.name,
                code.status,
                code.title,
                code_spans(&advice),
            )
        })
        .collect();
    let mut response = Html(include_str!("errors.html").replace("{{errors}}", &rows)).into_response();
    protect(response.headers_mut(), page_headers::DOCUMENT);
    response
}

/// Text between backticks becomes `<code>`.
fn code_spans(text: &str) -> String {
    let mut html = String::new();
    for (at, part) in text.split('`').enumerate() {
        html += &if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() };
    }
    html
}
