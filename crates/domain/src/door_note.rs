//! What door staff read when a ticket is scanned.

use super::{
    invalid::Invalid,
    personal::{Cover, MASK},
    text::detail,
};
use crate::config::DOOR_NOTE_MAX;

/// A note for the door, such as "VIP", "under 18" or "needs a wristband": one short line, or nothing.
///
/// The note of a ticket may be about its attendee, so it is personal. The note of a ticket type is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoorNote(String);

impl DoorNote {
    /// Parses a note. Spaces around it do not count, and nothing is no note.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let text = detail(text.trim())?;
        match text.chars().nth(DOOR_NOTE_MAX) {
            None => Ok(Self(text)),
            Some(_) => Err(Invalid::new(format!("a note for the door has {DOOR_NOTE_MAX} characters at most"))),
        }
    }

    /// The note that was stored.
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The note; empty if there is none.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The note, if there is one.
    pub fn get(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|text| !text.is_empty())
    }
}

impl From<DoorNote> for String {
    fn from(note: DoorNote) -> Self {
        note.0
    }
}

impl Cover for DoorNote {
    fn covered(self) -> Self {
        if self.0.is_empty() { self } else { Self(MASK.to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_one_short_line() {
        assert_eq!(DoorNote::parse("  needs a wristband ").unwrap().get(), Some("needs a wristband"));
        assert_eq!(DoorNote::parse("  ").unwrap().get(), None);
        assert!(DoorNote::parse(&"ñ".repeat(DOOR_NOTE_MAX)).is_ok(), "characters are counted, not bytes");
        for wrong in ["a\nb", "a\u{202e}b", &"x".repeat(DOOR_NOTE_MAX + 1)] {
            assert!(DoorNote::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
