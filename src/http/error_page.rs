//! Errors for people: a page for whoever opened one, in their language; a problem document for a program.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};

use super::{errors::Error, page_headers, problem};

/// What a person reads about an error.
struct Words {
    language: &'static str,
    title: &'static str,
    advice: &'static str,
    reference: &'static str,
}

/// Shows an error as a page where the client asks for one.
pub fn render(error: &Error, accepted: &HeaderMap, request_id: &str, response: &mut Response) {
    if !wants_a_page(accepted) {
        return problem::render(error, accepted, request_id, response);
    }
    let status = error.code().status;
    let Words { language, title, advice, reference } = words(status, is_spanish(accepted));
    // Every word is ours, and a request's id is hexadecimal: nothing here needs escaping.
    let page = include_str!("error_page.html")
        .replace("{{language}}", language)
        .replace("{{title}}", title)
        .replace("{{advice}}", advice)
        .replace("{{status}}", status.as_str())
        .replace("{{reference}}", reference)
        .replace("{{request_id}}", request_id);
    *response.body_mut() = page.into();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    page_headers::protect(headers, page_headers::DOCUMENT);
}

/// Whether a browser asks. Programs that take anything get what programs get.
fn wants_a_page(accepted: &HeaderMap) -> bool {
    let accepts = accepted.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepts.split(',').any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "text/html"))
}

/// Whether Spanish is what the client wants most. Browsers name that language first.
fn is_spanish(accepted: &HeaderMap) -> bool {
    let languages = accepted.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    languages.trim_start().get(..2).is_some_and(|language| language.eq_ignore_ascii_case("es"))
}

fn words(status: StatusCode, spanish: bool) -> Words {
    let (title, advice) = match (status, spanish) {
        (StatusCode::NOT_FOUND, false) => {
            ("This page does not exist", "Check the address, or open the link that you were sent once more.")
        }
        (StatusCode::NOT_FOUND, true) => {
            ("Esta página no existe", "Revisa la dirección o abre de nuevo el enlace que te enviaron.")
        }
        (StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS, false) => {
            ("There is a lot going on", "Wait a moment and load the page again.")
        }
        (StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS, true) => {
            ("Hay mucho movimiento", "Espera un momento y vuelve a cargar la página.")
        }
        (_, false) => (
            "That did not work",
            "Go back and try it once more. If it happens again, tell the organiser the number below.",
        ),
        (_, true) => (
            "No ha funcionado",
            "Vuelve atrás e inténtalo otra vez. Si se repite, dale al organizador el número de abajo.",
        ),
    };
    let (language, reference) = if spanish { ("es", "referencia") } else { ("en", "reference") };
    Words { language, title, advice, reference }
}
