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

/// What stands for the name of a person who was erased: not empty, because programs may not expect that of a name, in no
/// language, and without a letter that a search could find.
pub const ERASED_NAME: &str = "—";

impl Person {
    /// A person of whom nothing is held any more. It is the same for everybody. Details besides the name are as if they
    /// had never been known: any other value would make one person of all that were erased, for programs that tell people
    /// apart by their addresses.
    pub fn erased() -> Self {
        Self { name: ERASED_NAME.to_owned(), ..Self::default() }
    }

    /// Whether anything is held of this person.
    pub fn is_somebody(&self) -> bool {
        (self.name != ERASED_NAME && !self.name.is_empty())
            || !self.email.is_empty()
            || self.phone.is_some()
            || !self.identity_document.is_empty()
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_held_of_nobody_and_of_who_was_erased() {
        assert!(!Person::default().is_somebody() && !Person::erased().is_somebody());
        let ana = Person { name: "Ana".into(), ..Person::default() };
        assert!(ana.is_somebody());
        assert!(Person { phone: Some("1".into()), ..Person::erased() }.is_somebody());
        assert!(Person { email: "a@x".into(), ..Person::erased() }.is_somebody());
        assert!(Person { identity_document: "1".into(), ..Person::default() }.is_somebody());
    }
}
