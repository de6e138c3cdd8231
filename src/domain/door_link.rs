//! Door links: what staff open on their phones to let people in.

use super::{admit::Scope, clock::Stamp, credential::Life, invalid::Invalid, pin::Pin, text::Name};
use crate::config::DOOR_LIST_MAX;

/// A door link, without its token.
#[derive(Clone, Debug)]
pub struct DoorLink {
    /// Its public id (`dl_…`).
    pub id: String,
    /// The event it opens.
    pub event_id: String,
    /// What it is called.
    pub label: String,
    /// Which items it admits.
    pub scope: Scope,
    /// The stations it may be used at; empty is any.
    pub stations: Vec<String>,
    /// The last four characters of the token.
    pub last_four: String,
    /// A hash of its PIN, where it has one: see [`Pin::hash`].
    pub pin_hash: Option<String>,
    /// What the offline list of codes is hashed with.
    pub salt: String,
    /// When it was made, used and ended.
    pub life: Life,
}

/// A door link about to exist.
#[derive(Clone, Debug)]
pub struct NewDoorLink {
    /// The event it opens.
    pub event_id: String,
    /// What it is called.
    pub label: Name,
    /// Which items it admits.
    pub scope: Scope,
    /// The stations it may be used at; none is any.
    pub stations: Stations,
    /// What opens it besides its token.
    pub pin: Option<Pin>,
    /// When it stops working by itself.
    pub expires_at: Option<Stamp>,
}

/// The names of stations, each once and without spaces around it, because phones send them so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stations(Vec<String>);

impl Stations {
    /// Takes names in their order.
    pub fn new(names: impl IntoIterator<Item = Name>) -> Result<Self, Invalid> {
        let mut stations: Vec<String> = Vec::new();
        for name in names.into_iter().map(|name| String::from(name.trimmed())) {
            if !stations.contains(&name) {
                stations.push(name);
            }
        }
        match stations.len() <= DOOR_LIST_MAX {
            true => Ok(Self(stations)),
            false => Err(Invalid::new(format!("a link names {DOOR_LIST_MAX} stations at most"))),
        }
    }
}

impl From<Stations> for Vec<String> {
    fn from(stations: Stations) -> Self {
        stations.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stations_are_each_there_once_and_not_too_many() {
        let names = |texts: &[&str]| texts.iter().map(|text| Name::parse(text).unwrap()).collect::<Vec<_>>();
        let stations = Stations::new(names(&[" Gate 1", "Gate 2 ", "Gate 1"])).unwrap();
        assert_eq!(Vec::from(stations), ["Gate 1", "Gate 2"]);
        let many = |count: usize| Stations::new((0..count).map(|number| Name::parse(&format!("G{number}")).unwrap()));
        assert!(many(DOOR_LIST_MAX).is_ok() && many(DOOR_LIST_MAX + 1).is_err());
    }
}
