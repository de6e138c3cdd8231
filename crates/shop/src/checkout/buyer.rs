//! Who buys, as a form says it.

use taquilla_domain::{email::Email, person::Person, stock::Channel};
use taquilla_pages::{form::Form, texts::Texts};

/// Reads who buys. All that is wrong is said, each beside its field.
pub fn read(form: &mut Form, t: Texts) -> Person {
    let text = |name: &str| form.value(name).trim().to_owned();
    let (name, email, phone) = (text("name"), text("email"), Some(text("phone")).filter(|phone| !phone.is_empty()));
    let (of_name, of_phone) =
        (Person { name: name.clone(), ..Person::default() }, Person { phone: phone.clone(), ..Person::default() });
    if name.is_empty() {
        form.wrong("name", t.text("shop-no-name"));
    } else if of_name.check("buyer", Channel::Public).is_err() {
        form.wrong("name", t.text("shop-wrong-name"));
    }
    let person = Person { name, email, phone, ..Person::default() };
    let of_email = Person { email: person.email.clone(), ..Person::default() };
    if Email::parse(&person.email).is_err() || of_email.check("buyer", Channel::Public).is_err() {
        form.wrong("email", t.text("wrong-email"));
    }
    if of_phone.check("buyer", Channel::Public).is_err() {
        form.wrong("phone", t.text("shop-wrong-phone"));
    }
    person
}
