//! What forms say of a producer, and the time zone and the currency that events have, too.

use taquilla_domain::{money::Currency, text::Name, time_zone::TimeZone};
use taquilla_pages::{form::Form, texts::Texts};
use taquilla_rules::admin::producers::Producer;

/// Reads what is said of a producer.
pub fn read_producer(form: &mut Form, name_field: &'static str, t: Texts) -> Option<Producer> {
    let name = form.read(name_field, Name::parse, |_| t.text("wrong-name"));
    let (time_zone, currency) = (read_zone(form, t), read_currency(form, t));
    Some(Producer { name: name?, time_zone: time_zone?, currency: currency? })
}

/// Reads a time zone, by its name or its city alone. Where several may be meant, they are named.
pub fn read_zone(form: &mut Form, t: Texts) -> Option<TimeZone> {
    form.read("time_zone", TimeZone::find, |not_one| match not_one.proposed.is_empty() {
        true => t.text("wrong-time_zone"),
        false => t.with("wrong-time_zone-which", "zones", not_one.proposed.join(", ")),
    })
}

/// Reads a currency, in capitals or not.
pub fn read_currency(form: &mut Form, t: Texts) -> Option<Currency> {
    form.read("currency", |text| Currency::parse(&text.trim().to_ascii_uppercase()), |_| t.text("wrong-currency"))
}
