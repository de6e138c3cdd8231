//! Buyers and attendees.

use super::{
    email::Email,
    personal::{Cover, Detail},
    refusal::Refusal,
    stock::Channel,
    text,
};
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
    /// The person of whom these details are known.
    pub fn of(mut detail: impl FnMut(Detail) -> Option<String>) -> Self {
        let mut known = |of: Detail| detail(of).unwrap_or_default();
        let (name, email, identity_document) =
            (known(Detail::Name), known(Detail::Email), known(Detail::IdentityDocument));
        Self { name, email, phone: detail(Detail::Phone), identity_document }
    }

    /// Everything that is known of the person. A field that is not on the list of what is personal does not compile here.
    pub fn details(&self) -> [(Detail, &str); 4] {
        let Self { name, email, phone, identity_document } = self;
        [
            (Detail::Name, name),
            (Detail::Email, email),
            (Detail::Phone, phone.as_deref().unwrap_or_default()),
            (Detail::IdentityDocument, identity_document),
        ]
    }

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
        for (detail, value) in self.details() {
            let public_max = match detail {
                Detail::Name => SHOP_NAME_MAX,
                Detail::Email => SHOP_EMAIL_MAX,
                Detail::Phone => SHOP_PHONE_MAX,
                Detail::IdentityDocument => SHOP_DOCUMENT_MAX,
            };
            let field = format!("{field}.{}", detail.as_str());
            if channel != Channel::Staff && value.chars().count() > public_max {
                return Err(Refusal::invalid(field, format!("at most {public_max} characters are taken")));
            }
            text::detail(value).map_err(|invalid| invalid.in_field(field))?;
        }
        Ok(())
    }

    /// How many bytes the details have together.
    pub fn bytes(&self) -> usize {
        self.details().iter().map(|(_, value)| value.len()).sum()
    }
}

/// Who buys without being known to the house: somebody with a name, whom mail can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buyer(Person);

impl Buyer {
    /// Reads a buyer. The address must have the form of one. It keeps its capitals, because some hosts tell them apart, and
    /// loses the spaces that phones put behind it.
    pub fn parse(mut person: Person) -> Result<Self, Refusal> {
        person.check("buyer", Channel::Public)?;
        if person.name.trim().is_empty() {
            return Err(Refusal::invalid("buyer.name", "a name is needed"));
        }
        Email::parse(&person.email).map_err(|invalid| invalid.in_field("buyer.email"))?;
        person.email = person.email.trim().to_owned();
        Ok(Self(person))
    }
}

impl From<Buyer> for Person {
    fn from(buyer: Buyer) -> Self {
        buyer.0
    }
}

impl Cover for Person {
    fn covered(self) -> Self {
        let Self { name, email, phone, identity_document } = self;
        Self {
            name: name.covered(),
            email: email.covered(),
            phone: phone.covered(),
            identity_document: identity_document.covered(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::MASK;

    #[test]
    fn every_field_is_on_the_list_and_is_covered() {
        let whole = Person::of(|detail| Some(format!("marker-{}", detail.as_str())));
        assert_eq!(whole.details().map(|(detail, _)| detail), *Detail::ALL);
        for (detail, value) in whole.details() {
            assert_eq!(value, format!("marker-{}", detail.as_str()));
        }
        assert_eq!(whole.covered().details().map(|(_, value)| value), [MASK; 4]);
        assert_eq!(Person::default().covered(), Person::default(), "what is not known is not masked");
    }

    #[test]
    fn a_buyer_has_a_name_and_an_address() {
        let person = |name: &str, email: &str| Person { name: name.into(), email: email.into(), ..Person::default() };
        let buyer = Buyer::parse(person("Ana", "Ana@Example.com ")).unwrap();
        assert_eq!(Person::from(buyer).email, "Ana@Example.com");
        for (name, email, field) in [
            (" ", "a@b", "buyer.name"),
            ("Ana", "", "buyer.email"),
            ("Ana", "ana.example.com", "buyer.email"),
            ("Ana", "ana@", "buyer.email"),
            ("Ana", "ana@ example.com", "buyer.email"),
        ] {
            let refusal = Buyer::parse(person(name, email)).unwrap_err();
            assert!(matches!(&refusal, Refusal::Invalid { field: of, .. } if of == field), "{refusal:?}");
        }
    }

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
