//! Places in lists, as addresses say them.

use taquilla_domain::clock::Stamp;
use taquilla_store::lists::Position;

/// A place in a list as it stands in an address: the stamp in microseconds, and the seq.
pub fn written(place: Position) -> String {
    format!("{}-{}", place.stamp.micros(), place.seq)
}

/// Reads a place in a list.
pub fn place(text: &str) -> Option<Position> {
    let (stamp, seq) = text.rsplit_once('-')?;
    let place = Position { stamp: Stamp::from_micros(stamp.parse().ok()?), seq: seq.parse().ok()? };
    // A place has one spelling.
    (written(place) == text).then_some(place)
}
