//! What stands before the pages that take forms.

use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use tower_http::csrf::{CsrfLayer, ProtectionError};

use taquilla_http::{app::App, errors::Error};

/// The same routes, for forms of this site and for addresses that can be something's.
pub fn guarded(router: Router<App>) -> Router<App> {
    router.layer(from_this_site()).layer(middleware::from_fn(no_null_in_path))
}

/// Refuses forms that come from other sites. Browsers say where a form comes from.
fn from_this_site() -> CsrfLayer<fn(ProtectionError) -> Response> {
    CsrfLayer::new().with_rejection_response(|_| Error::CrossOrigin.into_response())
}

/// Nothing has an id with a null character, and PostgreSQL does not take one as a text.
async fn no_null_in_path(request: Request, next: Next) -> Response {
    match request.uri().path().contains("%00") {
        true => Error::NotFound("page").into_response(),
        false => next.run(request).await,
    }
}
