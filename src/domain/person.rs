//! Buyers and attendees.

use super::refusal::Refusal;
use crate::config::NAME_MAX;

/// A person's details. Unknown details are empty texts, except the phone number, which is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// The phone number.
    pub phone: Option<String>,
    /// The identity document.
    pub identity_document: String,
}

impl Person {
    /// Refuses details that are too long or contain control characters. `field` names the person in the refusal.
    pub fn check(&self, field: &str) -> Result<(), Refusal> {
        for (name, value) in [
            ("name", self.name.as_str()),
            ("email", &self.email),
            ("phone", self.phone.as_deref().unwrap_or("")),
            ("identity_document", &self.identity_document),
        ] {
            if value.chars().count() > NAME_MAX {
                return Err(Refusal::invalid(
                    format!("{field}.{name}"),
                    format!("at most {NAME_MAX} characters are taken"),
                ));
            }
            if value.chars().any(char::is_control) {
                return Err(Refusal::invalid(format!("{field}.{name}"), "control characters are not taken"));
            }
        }
        Ok(())
    }
}
