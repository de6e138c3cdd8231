//! Cursors, sealed with the database's own key, and the page that a request asks for.
//!
//! Cursors are deterministic: the same page always carries the same cursor, so identical answers are identical bytes.
//! AES-GCM-SIV is safe with a fixed nonce; it shows only that two positions are equal.

use aes_gcm_siv::{
    Aes256GcmSiv, KeyInit, Nonce,
    aead::{Aead, Payload},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use taquilla_domain::clock::Stamp;
use taquilla_store::{
    Tenant,
    lists::{End, Position, Shown},
};

use super::{errors::Error, params::Params};

/// The first byte of a cursor, its format's version.
const VERSION: u8 = 1;

/// Seals and opens cursors with the key that all servers of one database share.
pub struct Sealer(Aes256GcmSiv);

impl Sealer {
    /// A sealer with the database's own key.
    pub fn new(key: &[u8; 32]) -> Self {
        Self(Aes256GcmSiv::new(key.into()))
    }

    /// Seals a position for a binding. The same page always carries the same cursor: AES-GCM-SIV is safe with a fixed
    /// nonce. It only reveals that two sealed positions are equal, which is no secret.
    fn seal(&self, binding: &str, position: Position, shown: Option<Shown>) -> Result<String, Error> {
        let numbers = [Some(position.stamp.micros()), Some(position.seq), shown.map(|Shown(stamp)| stamp.micros())];
        let plain: Vec<u8> = numbers.into_iter().flatten().flat_map(i64::to_be_bytes).collect();
        let sealed = self
            .0
            .encrypt(&Nonce::default(), Payload { msg: &plain, aad: binding.as_bytes() })
            .map_err(|_| Error::Internal("a cursor could not be sealed".into()))?;
        Ok(URL_SAFE_NO_PAD.encode([&[VERSION], sealed.as_slice()].concat()))
    }

    fn open(&self, binding: &str, cursor: &str) -> Option<(Position, Option<Shown>)> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let sealed = bytes.strip_prefix(&[VERSION])?;
        let plain = self.0.decrypt(&Nonce::default(), Payload { msg: sealed, aad: binding.as_bytes() }).ok()?;
        let (numbers, rest) = plain.as_chunks::<8>();
        let numbers: Vec<i64> = numbers.iter().map(|bytes| i64::from_be_bytes(*bytes)).collect();
        let (stamp, seq, shown) = match (numbers.as_slice(), rest) {
            (&[stamp, seq], []) => (stamp, seq, None),
            (&[stamp, seq, shown], []) => (stamp, seq, Some(Shown(Stamp::from_micros(shown)))),
            _ => return None,
        };
        Some((Position { stamp: Stamp::from_micros(stamp), seq }, shown))
    }
}

impl Sealer {
    /// A proof that this database gave out for this binding; nobody else can make one.
    pub fn pass(&self, binding: &str) -> Result<String, Error> {
        self.seal(&pass_binding(binding), PASS, None)
    }

    /// Whether [`Sealer::pass`] gave out this text for this binding.
    pub fn is_pass(&self, binding: &str, text: &str) -> bool {
        self.open(&pass_binding(binding), text).is_some_and(|(position, _)| position == PASS)
    }
}

impl Sealer {
    /// A name for the row at a place, which only this binding opens and which tells nothing of the row.
    pub fn handle(&self, binding: &str, place: Position) -> Result<String, Error> {
        self.seal(&handle_binding(binding), place, None)
    }

    /// The place of a handle that [`Sealer::handle`] gave out for this binding.
    pub fn place(&self, binding: &str, handle: &str) -> Option<Position> {
        self.open(&handle_binding(binding), handle).map(|(place, _)| place)
    }
}

/// The binding of a handle. No list has this name, so a cursor never counts as a handle.
fn handle_binding(binding: &str) -> String {
    format!("handle\n{binding}")
}

/// A pass proves its binding only; the position in it is constant.
const PASS: Position = Position { stamp: Stamp::from_micros(0), seq: 0 };

/// The binding of a pass. No list has this name, so a cursor never counts as a pass.
fn pass_binding(binding: &str) -> String {
    format!("pass\n{binding}")
}

/// The page that a request asks for.
pub struct Request {
    /// The most rows on the page.
    pub limit: usize,
    /// The row after which the page begins; `None` is the beginning.
    pub from: Option<Position>,
    /// The latest change that the pages before this one have shown. `None` if their cursor does not say.
    pub shown: Option<Shown>,
    binding: String,
}

impl Request {
    /// Reads `limit` and `cursor`. Call it after all filters were read, because the cursor is bound to them.
    pub fn read(params: &Params, sealer: &Sealer, list: &str, tenant: Tenant) -> Result<Self, Error> {
        Self::sized(params.limit()?, params, sealer, list, tenant)
    }

    /// Reads `cursor`, for a list with a fixed page size.
    pub fn sized(limit: usize, params: &Params, sealer: &Sealer, list: &str, tenant: Tenant) -> Result<Self, Error> {
        let binding = format!("{list}\n{}\n{}", tenant.number(), params.binding());
        let (from, shown) = match params.cursor() {
            Some(cursor) => {
                let (from, shown) = sealer.open(&binding, cursor).ok_or(Error::InvalidCursor)?;
                (Some(from), shown)
            }
            None => (None, Some(Shown::default())),
        };
        Ok(Self { limit, from, shown, binding })
    }

    /// The cursor of the next page, if there is one. It carries the latest change that was shown up to here, for servers that
    /// have replicas.
    pub fn next_cursor(&self, sealer: &Sealer, end: End, shown: Option<Shown>) -> Result<Option<String>, Error> {
        match end {
            End::Complete => Ok(None),
            End::More(position) => sealer.seal(&self.binding, position, shown).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_opens_only_unaltered_and_where_it_was_given_out() {
        let sealer = Sealer::new(&[7; 32]);
        let position = Position { stamp: Stamp::from_micros(1_786_406_400_000_000), seq: 42 };
        // A server without replicas writes shorter ones. Every server reads both.
        for shown in [None, Some(Shown(Stamp::from_micros(1_786_406_400_000_001)))] {
            let cursor = sealer.seal("tickets\n1\nevent_id=a\n", position, shown).unwrap();
            assert_eq!(sealer.open("tickets\n1\nevent_id=a\n", &cursor), Some((position, shown)));
            for other in ["tickets\n2\nevent_id=a\n", "orders\n1\nevent_id=a\n", "tickets\n1\n", ""] {
                assert_eq!(sealer.open(other, &cursor), None);
            }
            assert_eq!(Sealer::new(&[8; 32]).open("tickets\n1\nevent_id=a\n", &cursor), None);
            let bytes = URL_SAFE_NO_PAD.decode(&cursor).unwrap();
            for bit in 0..bytes.len() * 8 {
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(sealer.open("tickets\n1\nevent_id=a\n", &URL_SAFE_NO_PAD.encode(flipped)), None);
            }
            for length in 0..cursor.len() {
                assert_eq!(sealer.open("tickets\n1\nevent_id=a\n", &cursor[..length]), None);
            }
        }
    }
}
