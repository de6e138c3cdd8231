//! What an event asks of those who come.

use super::{email::Email, invalid::Invalid, person::Person, refusal::Refusal, status::named};

named! {
    /// Whether buyers name somebody for each entrance.
    AttendeesAsked {
        /// The buyer is the attendee of all.
        None = "none",
        /// A name for each.
        Name = "name",
        /// A name and an e-mail address for each.
        NameAndEmail = "name_and_email",
    }
}

impl AttendeesAsked {
    /// Whether a name is asked for.
    pub fn asks(self) -> bool {
        self != Self::None
    }

    /// Whether an e-mail address is asked for, too.
    pub fn asks_email(self) -> bool {
        self == Self::NameAndEmail
    }

    /// Refuses an attendee of whom less is known than the event asks for. `field` names the attendee in the refusal.
    pub fn check(self, attendee: Option<&Person>, field: &str) -> Result<(), Refusal> {
        if self.asks() && attendee.is_none_or(|person| person.name.trim().is_empty()) {
            let invalid = Invalid::new("this event asks for the name of each attendee");
            return Err(invalid.in_field(format!("{field}.name")));
        }
        match attendee.filter(|_| self.asks_email()).map(|person| Email::parse(&person.email)) {
            Some(Err(invalid)) => Err(invalid.in_field(format!("{field}.email"))),
            Some(Ok(_)) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_less_is_taken_than_is_asked_for() {
        let person = |name: &str, email: &str| Person { name: name.into(), email: email.into(), ..Person::default() };
        let at_fault = |asked: AttendeesAsked, attendee: Option<&Person>| match asked.check(attendee, "a") {
            Err(Refusal::Invalid { field, .. }) => field,
            _ => String::new(),
        };
        let (nobody, ana, both) = (person(" ", ""), person("Ana", ""), person("Ana", "ana@x.example"));
        for (asked, attendee, field) in [
            (AttendeesAsked::None, None, ""),
            (AttendeesAsked::None, Some(&nobody), ""),
            (AttendeesAsked::Name, None, "a.name"),
            (AttendeesAsked::Name, Some(&nobody), "a.name"),
            (AttendeesAsked::Name, Some(&ana), ""),
            (AttendeesAsked::NameAndEmail, None, "a.name"),
            (AttendeesAsked::NameAndEmail, Some(&ana), "a.email"),
            (AttendeesAsked::NameAndEmail, Some(&both), ""),
        ] {
            assert_eq!(at_fault(asked, attendee), field, "{asked:?} {attendee:?}");
        }
    }
}
