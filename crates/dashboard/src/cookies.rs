//! The cookies that hold a session, the step between the password and the second factor, or who has signed in here before.

use taquilla_domain::{
    config::{BROWSER_KNOWN, SECOND_FACTOR_LASTS, SESSION_LONGEST},
    key::Opens,
};
use taquilla_pages::cookies::{SealedCookie, SecretCookie};

/// The session of a user who has signed in.
pub const SESSION: SecretCookie = SecretCookie { name: "taquilla", opens: Opens::Session, lasts: SESSION_LONGEST };

/// The step after the password was right, until the second factor is shown.
pub const STEP: SecretCookie =
    SecretCookie { name: "taquilla-step", opens: Opens::StaffLink, lasts: SECOND_FACTOR_LASTS };

/// Who has signed in with this browser before.
pub const KNOWN: SealedCookie = SealedCookie { name: "taquilla-known", lasts: BROWSER_KNOWN };
