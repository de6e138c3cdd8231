//! Requests that are not answered where they arrive: where they are led instead.

use axum::{
    http::{Method, request::Parts},
    response::{IntoResponse, Response},
};

use taquilla_domain::role::Right;
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{redirects, visitor::Visitor};

use super::{
    cookies::SESSION,
    frame::{self, FIRST, Frame},
};

/// What somebody wanted to do when their session had ended.
#[derive(Clone, Copy)]
pub enum Before {
    /// To see a page.
    Page,
    /// To send a form.
    Form,
}

/// Why a request goes elsewhere.
pub enum Turned {
    /// To the page where one signs in, and then back.
    SignIn {
        /// The way back.
        next: String,
        /// What the session ended before, if there was one.
        ended: Option<Before>,
    },
    /// To the page where one shows the password again, and then back.
    Confirm(String),
    /// To the page where one sets up a second factor.
    SetUpSecondFactor,
    /// To a page that says what right is missing.
    Refused(Box<Frame>, Right),
    /// To an error.
    Error(Error),
}

impl<E: Into<Error>> From<E> for Turned {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl IntoResponse for Turned {
    fn into_response(self) -> Response {
        match self {
            Self::SignIn { next, ended } => {
                let page = match ended {
                    None => "/dashboard/sign-in",
                    Some(Before::Page) => "/dashboard/sign-in?ended=page",
                    Some(Before::Form) => "/dashboard/sign-in?ended=form",
                };
                redirects::go_and_return(page, &next)
            }
            Self::Confirm(next) => redirects::go_and_return("/dashboard/confirm", &next),
            Self::SetUpSecondFactor => redirects::go("/dashboard/account/second-factor?done=second-factor-required"),
            Self::Refused(frame, right) => frame::refused(*frame, right).unwrap_or_else(IntoResponse::into_response),
            Self::Error(error) => error.into_response(),
        }
    }
}

/// The page to return to: the one that was asked for.
pub fn return_to(parts: &Parts) -> String {
    parts.uri.path_and_query().map_or(FIRST, |target| target.as_str()).to_owned()
}

/// The way to the page where one signs in. A form cannot be sent again by itself, so the way back is to the page that it is on,
/// where the browser names it.
pub fn to_sign_in(parts: &Parts, app: &App) -> Turned {
    let (visitor, is_form) = (Visitor::of(parts, app), parts.method == Method::POST);
    let before = if is_form { Before::Form } else { Before::Page };
    let ended = visitor.cookie(SESSION, app).map(|_| before);
    let page = Some(visitor.came_from(FIRST)).filter(|page| is_form && page != FIRST);
    Turned::SignIn { next: page.unwrap_or_else(|| return_to(parts)), ended }
}
