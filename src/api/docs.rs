//! Pages for people: the API console and the list of errors. Both come out of the binary and need no network.

use axum::{
    Router,
    response::{Html, IntoResponse, Response},
};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::http::{
    codes::{BOX_OFFICE_CODES, CODES, DOOR_CODES},
    page_headers::{self, protect},
};

/// Swagger UI at `/docs/`, reading the served OpenAPI document.
pub fn console<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let config = Config::from("/api/v1/openapi.json")
        .validator_url("none")
        .use_base_layout()
        .try_it_out_enabled(true)
        .display_request_duration(true)
        .persist_authorization(false);
    SwaggerUi::new("/docs").config(config).into()
}

/// `/docs/errors`: where the `type` of every problem document points.
pub async fn get_errors() -> Response {
    let rows: String = CODES
        .iter()
        .chain(BOX_OFFICE_CODES)
        .chain(DOOR_CODES)
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
