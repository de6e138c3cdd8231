//! Buyers and attendees in forms.

use taquilla_domain::person::Person;
use taquilla_pages::form::Form;

/// A person from the fields of a form.
pub fn read_person(form: &Form) -> Person {
    let text = |name: &str| form.value(name).trim().to_owned();
    Person {
        name: text("name"),
        email: text("email"),
        phone: Some(text("phone")).filter(|phone| !phone.is_empty()),
        identity_document: text("document"),
    }
}
