//! Who is meant when somebody asks what is held of them, or wants it erased.
//!
//! A person who was erased is known by a digest: an HMAC with the key that seals cursors, which a restored database has
//! too. A piece of work holds the person's detail while it runs, and the digest afterwards.

use std::collections::BTreeSet;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use unicode_normalization::UnicodeNormalization;

use super::{
    invalid::Invalid,
    key::hexadecimal,
    person::Person,
    search_text::{document_entry, email_entry, whole_document},
    status::named,
    text,
};

named! {
    /// By which detail a person is named.
    NamedBy {
        /// By an e-mail address.
        Email = "email",
        /// By an identity document.
        Document = "document",
    }
}

impl NamedBy {
    /// The detail of a person, as it is compared: in small letters, and a document without what stands between its
    /// letters. Empty if it is not known.
    fn of(self, person: &Person) -> String {
        match self {
            Self::Email => folded_email(&person.email),
            Self::Document => whole_document(&person.identity_document),
        }
    }
}

/// An address as it is compared. Letters that look the same are the same, and those that cannot be seen are none.
fn folded_email(email: &str) -> String {
    let is_seen = |letter: &char| !matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    email.nfkc().filter(is_seen).collect::<String>().trim().to_lowercase()
}

/// A person, as somebody has named them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    by: NamedBy,
    detail: String,
}

impl Named {
    /// Reads an e-mail address, which need not have the form of one: imports bring what others have let people write.
    pub fn email(text: &str) -> Result<Self, Invalid> {
        let detail = folded_email(text::detail(text)?.as_str());
        match detail.is_empty() {
            true => Err(Invalid::new("an e-mail address is expected, such as ana@example.com")),
            false => Ok(Self { by: NamedBy::Email, detail }),
        }
    }

    /// Reads a document.
    pub fn document(text: &str) -> Result<Self, Invalid> {
        let detail = whole_document(text::detail(text)?.as_str());
        match detail.is_empty() {
            true => Err(Invalid::new("the number of an identity document is expected")),
            false => Ok(Self { by: NamedBy::Document, detail }),
        }
    }

    /// By which detail the person is named.
    pub fn by(&self) -> NamedBy {
        self.by
    }

    /// The detail, as it is compared.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// What the index of words has of this detail. `None` if it has no word.
    pub fn entry(&self) -> Option<String> {
        let entry = match self.by {
            NamedBy::Email => email_entry(&self.detail),
            NamedBy::Document => document_entry(&self.detail),
        };
        Some(entry).filter(|entry| !entry.is_empty())
    }

    /// A text that tells whether another detail is the same, and does not tell the detail to who lacks the key.
    pub fn digest(&self, key: &DigestKey) -> Digest {
        Digest { by: self.by, hash: key.hash(self.by, &self.detail), key: key.clone() }
    }
}

/// The key of digests. It belongs to a database, and to what is restored from its backups.
#[derive(Clone)]
pub struct DigestKey([u8; 32]);

impl DigestKey {
    /// The key with these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    fn hash(&self, by: NamedBy, detail: &str) -> String {
        // Every length of a key is taken.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        mac.update(format!("person\n{}\n{detail}", by.as_str()).as_bytes());
        hexadecimal(&mac.finalize().into_bytes()[..16])
    }
}

impl std::fmt::Debug for DigestKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DigestKey")
    }
}

/// A detail that is known by its digest only: it was erased, and is to be erased again where it came back.
#[derive(Clone, Debug)]
pub struct Digest {
    by: NamedBy,
    hash: String,
    key: DigestKey,
}

impl Digest {
    /// The digest with this text.
    pub fn new(by: NamedBy, hash: &str, key: &DigestKey) -> Option<Self> {
        let is_hash = hash.len() == 32 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_hash.then(|| Self { by, hash: hash.to_owned(), key: key.clone() })
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.hash
    }
}

/// Who is to be erased.
#[derive(Clone, Debug)]
pub enum Whom {
    /// A person.
    Named(Named),
    /// A person whose name for it nobody has any more.
    Digest(Digest),
    /// Everybody who bought or came to these events.
    Events(BTreeSet<String>),
}

/// What stands between the two words of [`Whom::print`].
const BY_DIGEST: &str = "-digest";

impl Whom {
    /// Whether a person with something to do with an event is meant.
    pub fn means(&self, event_id: &str, person: &Person) -> bool {
        match self {
            Self::Named(named) => named.by.of(person) == named.detail,
            Self::Digest(digest) => {
                let detail = digest.by.of(person);
                !detail.is_empty() && digest.key.hash(digest.by, &detail) == digest.hash
            }
            Self::Events(events) => events.contains(event_id) && person.is_somebody(),
        }
    }

    /// A named person as a piece of work keeps it while it runs.
    pub fn print(&self) -> String {
        match self {
            Self::Named(named) => format!("{} {}", named.by.as_str(), named.detail),
            Self::Digest(digest) => format!("{}{BY_DIGEST} {}", digest.by.as_str(), digest.hash),
            Self::Events(_) => String::new(),
        }
    }

    /// The same once it is done: without the detail itself.
    pub fn print_erased(&self, key: &DigestKey) -> String {
        match self {
            Self::Named(named) => Self::Digest(named.digest(key)).print(),
            other => other.print(),
        }
    }

    /// Reads what [`Whom::print`] made.
    pub fn parse(text: &str, key: &DigestKey) -> Option<Self> {
        let (by, detail) = text.split_once(' ')?;
        match by.strip_suffix(BY_DIGEST) {
            Some(by) => Digest::new(NamedBy::parse(by)?, detail, key).map(Self::Digest),
            None => Some(Self::Named(Named { by: NamedBy::parse(by)?, detail: detail.to_owned() })),
        }
    }
}

/// By which detail somebody was erased, and the digest of it, from the text of a piece of work that is done.
pub fn erased(text: &str) -> Option<(NamedBy, &str)> {
    let (by, hash) = text.split_once(' ')?;
    Some((NamedBy::parse(by.strip_suffix(BY_DIGEST)?)?, hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ana() -> Person {
        Person { email: "Ana@Example.com".into(), identity_document: "X-12 34".into(), ..Person::default() }
    }

    #[test]
    fn a_person_is_named_by_one_detail_however_it_is_written() {
        let means = |named: Result<Named, Invalid>| Whom::Named(named.unwrap()).means("ev", &ana());
        assert!(means(Named::email(" ANA@example.COM ")) && means(Named::document("x1234")));
        assert_eq!(Named::email("jose\u{301}@x.example\u{200b}").unwrap(), Named::email("JOSÉ@x.example").unwrap());
        assert!(!means(Named::email("ana@example.co")) && !means(Named::document("x123")));
        assert!(!Whom::Named(Named::email("a@x").unwrap()).means("ev", &Person::default()));
        for wrong in ["", "  ", "\u{1}"] {
            assert!(Named::email(wrong).is_err() && Named::document(wrong).is_err(), "{wrong:?}");
        }
        assert!(Named::document("--").is_err());
    }

    #[test]
    fn a_digest_means_who_was_named_and_tells_nobody() {
        let key = DigestKey::new([7; 32]);
        for named in [Named::email("ana@example.com").unwrap(), Named::document("X1234").unwrap()] {
            let whom = Whom::Named(named.clone());
            let printed = whom.print_erased(&key);
            assert!(!printed.contains(named.detail()), "{printed}");
            let again = Whom::parse(&printed, &key).unwrap();
            assert!(again.means("ev", &ana()) && !again.means("ev", &Person::default()));
            assert_eq!(erased(&printed).unwrap().0, named.by());
            assert_eq!(erased(&printed).unwrap().1, named.digest(&key).as_str());
            let elsewhere = Whom::parse(&printed, &DigestKey::new([8; 32])).unwrap();
            assert!(!elsewhere.means("ev", &ana()), "another database's digests say nothing");
            assert!(matches!(Whom::parse(&whom.print(), &key), Some(Whom::Named(read)) if read == named));
        }
        for wrong in ["", "email", "phone 1", "email-digest xyz", "email-digest 00"] {
            assert!(Whom::parse(wrong, &key).is_none(), "{wrong}");
        }
    }

    #[test]
    fn everybody_of_an_event_is_meant_but_nobody() {
        let whom = Whom::Events(BTreeSet::from(["ev".to_owned()]));
        assert!(whom.means("ev", &ana()) && !whom.means("other", &ana()));
        assert!(!whom.means("ev", &Person::erased()) && !whom.means("ev", &Person::default()));
    }
}
