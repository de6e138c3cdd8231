//! What is personal, who may see it, and what everybody else sees instead.
//!
//! This is the one list. What covers, what leaves out and what erases reads it here.

use std::fmt;

use super::status::named;

named! {
    /// What is known of a person. Each is a field of a `Person`, and of people in JSON.
    Detail {
        /// The name.
        Name = "name",
        /// The e-mail address.
        Email = "email",
        /// The phone number.
        Phone = "phone",
        /// The identity document.
        IdentityDocument = "identity_document",
    }
}

/// The fields in which tickets and orders have people.
pub const PEOPLE: [&str; 2] = ["attendee", "buyer"];
/// The fields of an order that open its buyer's page, where the tickets are.
pub const ORDER_SECRETS: [&str; 1] = ["reference"];
/// The fields of an order that say what led to it. Staff see them. Programs see them where they see tickets: a coupon's code is
/// worth money to whoever has it.
pub const ORDER_ORIGIN: [&str; 2] = ["coupon", "promoter"];
/// The fields of a ticket that open a door: whoever has a ticket's id can enter with it.
pub const TICKET_SECRETS: [&str; 2] = ["id", "transferred_to_ticket_id"];
/// The fields of a ticket in which staff write what may be about its attendee.
pub const TICKET_NOTES: [&str; 1] = ["door_note"];

/// What is shown instead of what somebody may not see.
pub const MASK: &str = "•••";

/// Whether whoever looks sees people and what opens doors, or a mask.
///
/// It is made in four places, each from what somebody was given: `Rights::sees`, `Permissions::sees`, `Endpoint::sees` and
/// `LinkOptions::sees`. Everybody else is handed one. [`Sees::COVERED`] may be taken anywhere: it shows nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sees(Eyes);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Eyes {
    People,
    Covered,
}

impl Sees {
    /// Sees no people.
    pub const COVERED: Self = Self(Eyes::Covered);

    pub(crate) fn people_if(is_allowed: bool) -> Self {
        Self(if is_allowed { Eyes::People } else { Eyes::Covered })
    }

    /// What a webhook endpoint sees, by whether it was made to get personal data. `Endpoint::sees` alone calls it.
    pub fn of_endpoint(personal_data: bool) -> Self {
        Self::people_if(personal_data)
    }

    /// Whether people are seen.
    pub fn people(self) -> bool {
        self.0 == Eyes::People
    }
}

/// What has personal data in it, and can be shown without.
pub trait Cover {
    /// The same, with a mask in place of everything personal that is known. What is not known is not masked.
    #[must_use]
    fn covered(self) -> Self;
}

impl Cover for String {
    fn covered(self) -> Self {
        if self.is_empty() { self } else { MASK.to_owned() }
    }
}

impl<T: Cover> Cover for Option<T> {
    fn covered(self) -> Self {
        self.map(T::covered)
    }
}

/// Something personal. Whoever wants to show it says to whom.
#[derive(Clone, Default)]
pub struct Personal<T>(T);

impl<T: Cover> Personal<T> {
    /// Something that is personal from now on.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// What somebody sees of it.
    #[must_use]
    pub fn seen_by(self, sees: Sees) -> T {
        if sees.people() { self.0 } else { self.0.covered() }
    }
}

impl<T> Personal<T> {
    /// All of it, for what does not show it to staff: to decide by it, to keep it, to hand it to whoever it belongs to, and
    /// for the commands of whoever has the database. The dashboard's `clippy.toml` refuses it to pages.
    pub fn uncovered(&self) -> &T {
        &self.0
    }

    /// The same, given away.
    pub fn into_uncovered(self) -> T {
        self.0
    }
}

/// It does not say what it is: what is printed this way ends in logs.
impl<T> fmt::Debug for Personal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// Whether a field of a ticket or an order is left out for programs that see no people.
pub fn is_left_out(field: &str) -> bool {
    PEOPLE.contains(&field) || ORDER_SECRETS.contains(&field) || ORDER_ORIGIN.contains(&field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_personal_is_seen_by_those_alone_who_may() {
        let name = Personal::new("Ana".to_owned());
        assert_eq!(name.clone().seen_by(Sees::of_endpoint(true)), "Ana");
        assert_eq!(name.clone().seen_by(Sees::COVERED), MASK);
        assert_eq!(format!("{name:?}"), MASK);
        assert_eq!(Personal::new(String::new()).seen_by(Sees::COVERED), "", "what is not known is not masked");
        assert_eq!(Personal::new(Some("1".to_owned())).seen_by(Sees::COVERED).as_deref(), Some(MASK));
        assert_eq!(Personal::new(None::<String>).seen_by(Sees::COVERED), None);
    }
}
