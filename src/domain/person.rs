//! Buyers and attendees.

use super::{refusal::Refusal, stock::Channel, text};
use crate::config::{SHOP_DOCUMENT_MAX, SHOP_EMAIL_MAX, SHOP_NAME_MAX, SHOP_PHONE_MAX};

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
    /// Refuses details that are no [`text::detail`]. `field` names the person in the refusal. The public may write shorter
    /// details than staff.
    pub fn check(&self, field: &str, channel: Channel) -> Result<(), Refusal> {
        for (name, value, public_max) in [
            ("name", self.name.as_str(), SHOP_NAME_MAX),
            ("email", &self.email, SHOP_EMAIL_MAX),
            ("phone", self.phone.as_deref().unwrap_or(""), SHOP_PHONE_MAX),
            ("identity_document", &self.identity_document, SHOP_DOCUMENT_MAX),
        ] {
            let field = format!("{field}.{name}");
            if channel == Channel::Public && value.chars().count() > public_max {
                return Err(Refusal::invalid(field, format!("at most {public_max} characters are taken")));
            }
            text::detail(value).map_err(|invalid| invalid.in_field(field))?;
        }
        Ok(())
    }

    /// How many bytes the details have together.
    pub fn bytes(&self) -> usize {
        self.name.len() + self.email.len() + self.phone.as_ref().map_or(0, String::len) + self.identity_document.len()
    }
}
