//! Ids of rows, made here or imported.

use ulid::Ulid;

use super::clock::Stamp;
use crate::config::ID_MAX;

/// A new ticket id: 128 random bits in upper-case Crockford base32, so that a QR code stays small
/// (alphanumeric mode) and nobody can guess one.
pub fn new_ticket_id() -> String {
    Ulid::from_bytes(rand::random()).to_string()
}

/// A new secret part of an order's reference: its time and 80 random bits, which nobody can guess either. References that
/// follow one another are neighbours in their index, so a sale writes fewer pages.
pub fn new_reference(now: Stamp) -> String {
    Ulid::from_parts(now.millis(), rand::random()).to_string()
}

/// A new id of anything else: a short prefix and a value that sorts by time, such as `or_01K…`.
pub fn new_id(prefix: &str, now: Stamp) -> String {
    format!("{prefix}_{}", Ulid::from_parts(now.millis(), rand::random()).to_string())
}

/// The least id with this prefix that [`new_id`] can make at this time.
pub fn first_at(prefix: &str, at: Stamp) -> String {
    format!("{prefix}_{}", Ulid::from_parts(at.millis(), 0).to_string())
}

/// The time, to the millisecond, at which [`new_id`] made this id with this prefix.
pub fn time_of(prefix: &str, id: &str) -> Option<Stamp> {
    let ulid: Ulid = id.strip_prefix(prefix)?.strip_prefix('_')?.parse().ok()?;
    i64::try_from(ulid.timestamp_ms()).ok().map(|millis| Stamp::from_micros(millis * 1_000))
}

/// The error text for something that is no id.
pub const FORM: &str = "an id has 1 to 128 characters and no control characters";

/// Whether a text could be an id. Imported ids are kept as they are, so nearly any text may be one.
pub fn is_plausible(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= ID_MAX && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_ids_have_their_documented_form() {
        let ticket = new_ticket_id();
        assert_eq!(ticket.len(), 26);
        assert!(ticket.bytes().all(|byte| b"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(&byte)), "{ticket}");
        let earlier = new_id("or", Stamp::from_micros(1_786_406_400_000_000));
        let later = new_id("or", Stamp::from_micros(1_786_406_400_001_000));
        assert_eq!(time_of("or", &later), Some(Stamp::from_micros(1_786_406_400_001_000)));
        assert_eq!(time_of("or", "or_1042"), None);
        assert!(earlier.starts_with("or_01K") && earlier < later, "{earlier} {later}");
    }

    #[test]
    fn control_characters_and_excess_are_no_id() {
        assert!(is_plausible("VIP/2024 nº 7"));
        for text in ["", "a\0b", "a\nb", &"x".repeat(ID_MAX + 1)] {
            assert!(!is_plausible(text));
        }
    }
}
