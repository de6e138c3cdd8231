//! The key of a form, which makes its order safe to repeat.

use taquilla_domain::{config::ID_MAX, id};
use taquilla_pages::form::Form;

/// The key of a form, which makes its order safe to repeat. A form without one that can be used gets a new one.
pub fn key_of(form: &Form) -> String {
    match form.value("key") {
        given if !given.is_empty() && given.len() <= ID_MAX / 2 => given.to_owned(),
        _ => id::new_ticket_id(),
    }
}
