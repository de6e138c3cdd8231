//! Errors as a page for browsers, in the reader's language, and as a problem document for programs.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};

use super::{edge::Asked, errors::Error, page_headers, problem};

/// The texts of an error page.
struct Words {
    language: &'static str,
    title: &'static str,
    advice: &'static str,
    reference: &'static str,
}

/// Shows an error as a page if the client asks for HTML.
pub fn render(error: &Error, asked: &Asked, request_id: &str, response: &mut Response) {
    if !wants_a_page(asked) {
        return problem::render(error, asked, request_id, response);
    }
    let status = error.code().status;
    let Words { language, title, advice, reference } = words(status, is_spanish(asked));
    // Nothing here needs escaping: the texts are ours, and a request's id is hexadecimal.
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

/// Paths that only programs call: a mistyped one is answered to a program, whatever the program says that it accepts.
const FOR_PROGRAMS: [&str; 3] = ["/api/", "/shop/v1/", "/door/v1/"];

/// Whether a person looks at the answer: the client names HTML, as browsers do, and the path is not for programs.
fn wants_a_page(asked: &Asked) -> bool {
    let accepts = asked.accept.as_ref().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let names_html =
        accepts.split(',').any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "text/html"));
    names_html && !FOR_PROGRAMS.iter().any(|prefix| asked.uri.path().starts_with(prefix))
}

/// Whether Spanish is the preferred language. Browsers name that one first.
fn is_spanish(asked: &Asked) -> bool {
    let languages = asked.languages.as_ref().and_then(|value| value.to_str().ok()).unwrap_or_default();
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
