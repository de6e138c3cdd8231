//! What staff search orders and tickets by: the entries of the index, and whether a text matches them.
//!
//! A text is folded (small letters, no accents, "Ø" as "o", every run of other characters one space). Its entries are its ends, each
//! from the beginning of a word: "Ana María López" has "ana maria lopez", "maria lopez" and "lopez". So whatever somebody
//! has typed so far of neighbouring words is the beginning of one entry.

use std::collections::BTreeSet;

use super::{folded::folded, person::Person};
use crate::config::{SEARCH_CODE_MAX, SEARCH_ENTRIES_MAX, SEARCH_ENTRY_MAX, SEARCH_WORDS_MAX};

/// Digits of a phone number that tell it apart without the code of its country.
const PHONE_DIGITS: usize = 9;
/// Letters that the end of a document must have to be an entry.
const DOCUMENT_MIN: usize = 4;

/// The words of a text: runs of letters and digits, small and without accents.
fn words(text: &str) -> Vec<String> {
    folded(text)
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// At most this many bytes of a text, in whole letters.
fn cut(text: &str, longest: usize) -> &str {
    &text[..text.floor_char_boundary(longest)]
}

/// What a code or an id is found by, without what stands between its letters.
pub fn code_entry(id: &str) -> String {
    cut(&words(id).concat(), SEARCH_CODE_MAX).to_owned()
}

/// What an order's id is found by.
pub fn id_entry(id: &str) -> String {
    cut(&words(id).concat(), SEARCH_ENTRY_MAX).to_owned()
}

fn details(person: &Person) -> [&str; 4] {
    person.details().map(|(_, value)| value)
}

/// Whether a note that somebody wrote has a word of a person's details in it, or the whole name. Words of one or two letters
/// stand anywhere.
pub fn names(note: &str, person: &Person) -> bool {
    let (note, name) = (words(note), words(&person.name));
    let known: BTreeSet<String> =
        details(person).into_iter().flat_map(words).filter(|word| word.chars().count() > 2).collect();
    note.iter().any(|word| known.contains(word))
        || (!name.is_empty() && note.windows(name.len()).any(|some| some == name))
}

/// Whether an id that was made elsewhere has a detail of a person in it, whatever stands between its letters. Details of a few
/// letters stand in any id.
pub fn is_made_of(id: &str, person: &Person) -> bool {
    let id = words(id).concat();
    details(person)
        .into_iter()
        .map(|detail| words(detail).concat())
        .any(|detail| detail.chars().count() > 3 && id.contains(&detail))
}

/// The entry of a whole e-mail address; empty if it has no word.
pub fn email_entry(email: &str) -> String {
    cut(&words(email).join(" "), SEARCH_ENTRY_MAX).trim_end().to_owned()
}

/// The entry of a whole document; empty if it has no word.
pub fn document_entry(document: &str) -> String {
    cut(&whole_document(document), SEARCH_ENTRY_MAX).trim_end().to_owned()
}

/// A document as it is compared: without what stands between its letters, which people write differently.
pub fn whole_document(document: &str) -> String {
    words(document).concat()
}

/// What a person is found by: words of the name and of the e-mail address, the phone number and the document.
pub fn person_entries(person: &Person) -> BTreeSet<String> {
    let mut entries = BTreeSet::new();
    let mut add = |text: &str| {
        if !text.is_empty() && entries.len() < SEARCH_ENTRIES_MAX {
            entries.insert(cut(text, SEARCH_ENTRY_MAX).trim_end().to_owned());
        }
    };
    // Whoever is to be erased is found by these two, so nothing takes their places.
    add(&email_entry(&person.email));
    add(&document_entry(&person.identity_document));
    let phone: String = words(person.phone.as_deref().unwrap_or_default()).concat();
    add(&phone);
    add(&phone[phone.ceil_char_boundary(phone.len().saturating_sub(PHONE_DIGITS))..]);
    let document = words(&person.identity_document);
    for from in 0..document.len() {
        let end = document[from..].concat();
        if from == 0 || end.len() >= DOCUMENT_MIN {
            add(&end);
        }
    }
    let email = words(&person.email);
    // The end of an address, such as "com", tells nothing.
    for from in 0..email.len().saturating_sub(1).max(usize::from(!email.is_empty())) {
        add(&email[from..].join(" "));
    }
    let name = words(&person.name);
    for from in 0..name.len() {
        add(&name[from..].join(" "));
    }
    entries
}

/// What somebody looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchText {
    words: Vec<String>,
}

impl SearchText {
    /// Reads what was typed. `None` if there is nothing to look for in it.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = words(text);
        words.truncate(SEARCH_WORDS_MAX);
        (!words.is_empty()).then_some(Self { words })
    }

    /// The whole text as the beginning of an entry.
    pub fn phrase(&self) -> String {
        cut(&self.words.join(" "), SEARCH_ENTRY_MAX).trim_end().to_owned()
    }

    /// The text without spaces, as numbers are kept; `None` if it has no digit, or is one word anyway.
    pub fn number(&self) -> Option<String> {
        let joined = self.words.concat();
        let is_number = joined.chars().any(|letter| letter.is_numeric()) && self.words.len() > 1;
        is_number.then(|| cut(&joined, SEARCH_ENTRY_MAX).to_owned())
    }

    /// The text as the beginning of a code or an id.
    pub fn code(&self) -> String {
        self.words.concat()
    }

    /// The single words, each as the beginning of an entry.
    pub fn words(&self) -> Vec<&str> {
        self.words.iter().map(|word| cut(word, SEARCH_ENTRY_MAX)).collect()
    }

    /// Whether a person is meant: the whole text, each of its words, or the text as a number begins an entry.
    pub fn means(&self, entries: &BTreeSet<String>) -> bool {
        let begins = |text: &str| entries.iter().any(|entry| entry.starts_with(text));
        begins(&self.phrase())
            || self.words().into_iter().all(begins)
            || self.number().is_some_and(|number| begins(&number))
    }

    /// Whether a code or an id begins with the text.
    pub fn begins(&self, id: &str) -> bool {
        words(id).concat().starts_with(&self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ana() -> Person {
        Person {
            name: "Ana María O'López".into(),
            email: "ana.lopez@Example.com".into(),
            phone: Some("+34 600 000 001".into()),
            identity_document: "X-1234567-B".into(),
        }
    }

    #[test]
    fn a_detail_is_found_in_ids_however_it_is_written() {
        let ana = Person {
            name: "Ana Ruiz".into(),
            email: "ana@x.example ".into(),
            phone: Some("+34 600 000 001".into()),
            identity_document: "X-1234567-B".into(),
        };
        for id in ["crm/ANA@x.example", "ana-ruiz", "34600000001", "x1234567b"] {
            assert!(is_made_of(id, &ana), "{id}");
        }
        assert!(!is_made_of("at_01KANA", &ana) && !is_made_of("anything", &Person::default()));
        assert!(!is_made_of("a — b", &Person::erased()));
    }

    #[test]
    fn a_note_names_somebody_by_a_word_or_by_a_short_name() {
        let bo = Person { name: "Bo Li".into(), ..Person::default() };
        assert!(names("paid back to bo li, in cash", &bo) && !names("li said bo", &bo));
        assert!(!names("anything", &Person::default()) && !names("", &Person::default()));
    }

    #[test]
    fn entries_begin_at_words() {
        let entries: Vec<String> = person_entries(&ana()).into_iter().collect();
        let expected = [
            "1234567b",
            "34600000001",
            "600000001",
            "ana lopez example com",
            "ana maria o lopez",
            "example com",
            "lopez",
            "lopez example com",
            "maria o lopez",
            "o lopez",
            "x1234567b",
        ];
        assert_eq!(entries, expected);
        assert_eq!((code_entry("6XW3-NVE8 Z0M4QK"), id_entry("or_01K")), ("6xw3nve8z0m4".into(), "or01k".into()));
    }

    #[test]
    fn a_person_is_meant_by_the_beginnings_of_words() {
        let entries = person_entries(&ana());
        let means = |text: &str| SearchText::parse(text).unwrap().means(&entries);
        for found in [
            "a",
            "ANA mar",
            "maría",
            "lopez ana",
            "o'lop",
            "ana.lopez@exa",
            "example.com",
            "600 000",
            "+34600",
            "X1234567",
        ] {
            assert!(means(found), "{found}");
        }
        for not in ["na", "anamaria", "ana gil", "com", "700", "00 001"] {
            assert!(!means(not), "{not}");
        }
        assert_eq!(SearchText::parse(" -_. \u{301}"), None);
    }

    #[test]
    fn the_whole_address_and_document_are_entries_whatever_else_there_is() {
        let odd = Person {
            identity_document: "a b ".repeat(40),
            phone: Some("1 ".repeat(40)),
            name: "x y ".repeat(40),
            email: "a.b.c.d.e.f.g.h@x.example".into(),
        };
        let entries = person_entries(&odd);
        assert!(entries.contains(&email_entry(&odd.email)), "{entries:?}");
        assert!(entries.contains(&document_entry(&odd.identity_document)), "{entries:?}");
        assert_eq!(
            (email_entry("Ana.Lopez@X.com"), document_entry("X-12 b")),
            ("ana lopez x com".into(), "x12b".into())
        );
        assert_eq!((email_entry("@"), document_entry("--")), (String::new(), String::new()));
    }

    #[test]
    fn a_note_names_whom_it_has_a_word_of() {
        assert!(names("sent back to MARIA by transfer", &ana()) && names("call 600 000 001", &ana()));
        assert!(!names("by bank transfer, 2 November", &ana()) && !names("", &ana()));
        assert!(!names("anything — at all", &Person::erased()));
    }

    #[test]
    fn long_and_odd_texts_are_cut_in_whole_letters() {
        let odd = Person { name: "ñ".repeat(100) + " " + &"a ".repeat(200), email: "€".repeat(90), ..ana() };
        let entries = person_entries(&odd);
        assert!(entries.len() <= SEARCH_ENTRIES_MAX && entries.iter().all(|entry| entry.len() <= SEARCH_ENTRY_MAX));
        assert!(SearchText::parse(&"ñ".repeat(100)).unwrap().means(&entries));
    }
}
