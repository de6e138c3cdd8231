//! The cookies that hold a session, or the step between the password and the second factor.

use taquilla_domain::{
    config::{SECOND_FACTOR_LASTS, SESSION_LONGEST},
    key::Opens,
};
use taquilla_pages::cookies::SecretCookie;

/// The session of a user who has signed in.
pub const SESSION: SecretCookie = SecretCookie { name: "taquilla", opens: Opens::Session, lasts: SESSION_LONGEST };

/// The step after the password was right, until the second factor is shown.
pub const STEP: SecretCookie =
    SecretCookie { name: "taquilla-step", opens: Opens::StaffLink, lasts: SECOND_FACTOR_LASTS };
