//! Buyers and attendees.

use super::{refusal::Refusal, stock::Channel};
use crate::config::{NAME_MAX, SHOP_DOCUMENT_MAX, SHOP_EMAIL_MAX, SHOP_NAME_MAX, SHOP_PHONE_MAX};

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
    /// Refuses details that are too long or contain control characters. `field` names the person in the refusal. Staff
    /// may write longer details than the public.
    pub fn check(&self, field: &str, channel: Channel) -> Result<(), Refusal> {
        for (name, value, public_max) in [
            ("name", self.name.as_str(), SHOP_NAME_MAX),
            ("email", &self.email, SHOP_EMAIL_MAX),
            ("phone", self.phone.as_deref().unwrap_or(""), SHOP_PHONE_MAX),
            ("identity_document", &self.identity_document, SHOP_DOCUMENT_MAX),
        ] {
            let longest = match channel {
                Channel::Public => public_max,
                Channel::Staff => NAME_MAX,
            };
            if value.chars().count() > longest {
                return Err(Refusal::invalid(
                    format!("{field}.{name}"),
                    format!("at most {longest} characters are taken"),
                ));
            }
            if value.chars().any(char::is_control) {
                return Err(Refusal::invalid(format!("{field}.{name}"), "control characters are not taken"));
            }
        }
        Ok(())
    }

    /// How many bytes the details have together.
    pub fn bytes(&self) -> usize {
        self.name.len() + self.email.len() + self.phone.as_ref().map_or(0, String::len) + self.identity_document.len()
    }
}
