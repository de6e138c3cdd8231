//! Door links, which staff open on their phones to scan tickets.

use super::{
    admit::{Scope, Way},
    clock::Stamp,
    credential::Life,
    invalid::Invalid,
    personal::Sees,
    pin::Pin,
    status::{named, named_set},
    text::Name,
};
use crate::config::DOOR_LIST_MAX;

named! {
    /// What a door link may do besides scanning, or does in another way. Whoever makes the link says so.
    LinkOption {
        /// Find guests by name, order or e-mail address, and let them in without their code.
        ByName = "by_name",
        /// Ask before each entry counts, as for a look at an identity document or the handing out of goods.
        Confirm = "confirm",
        /// Guests scan by themselves, on a device in public: the door tells no names, and may do nothing else.
        Kiosk = "kiosk",
        /// Scan people out, who may come in again.
        Out = "out",
        /// Let in the others of an order at once when one of its tickets is scanned.
        Party = "party",
        /// Take back a mistaken entry.
        Undo = "undo",
    }
}

named_set! {
    /// The options of a door link.
    LinkOptions of LinkOption
}

impl LinkOptions {
    /// Whether whoever has the link sees people whose codes were not shown.
    pub fn sees(self) -> Sees {
        Sees::people_if(self.allow(LinkOption::ByName))
    }

    /// Which way people go who are scanned.
    pub fn way(self) -> Way {
        if self.allow(LinkOption::Out) { Way::Out } else { Way::In }
    }

    /// Refuses a link that lets people out and offers to let others in, and one that guests use and that may do more.
    pub fn check(self) -> Result<(), Invalid> {
        let lets_in = self.allow(LinkOption::ByName) || self.allow(LinkOption::Party);
        if self.allow(LinkOption::Kiosk) && self.iter().count() > 1 {
            return Err(Invalid::new("guests scan with a link for a kiosk, so it may do nothing else"));
        }
        if self.way() == Way::Out && lets_in {
            return Err(Invalid::new("a link that scans people out lets nobody in"));
        }
        Ok(())
    }

    /// The set that is stored, which may be empty.
    pub fn stored(names: &str) -> Option<Self> {
        if names.is_empty() { Some(Self::default()) } else { Self::parse(names) }
    }
}

/// A door link, without its token.
#[derive(Clone, Debug)]
pub struct DoorLink {
    /// Its public id (`dl_…`).
    pub id: String,
    /// The event it is for, or the first of them.
    pub event_id: String,
    /// The other events it is for.
    pub more_events: Vec<String>,
    /// Its name.
    pub label: String,
    /// Which ticket types it admits.
    pub scope: Scope,
    /// The stations where it may be used; empty means any.
    pub stations: Vec<String>,
    /// The part of the place that its doors lead to; empty is the place as a whole.
    pub zone: String,
    /// What it may do besides scanning.
    pub options: LinkOptions,
    /// The last four characters of the token.
    pub last_four: String,
    /// The hash of its PIN, if it has one: see [`Pin::hash`].
    pub pin_hash: Option<String>,
    /// The salt of the hashes on the offline list of codes.
    pub salt: String,
    /// When it was created, used and ended.
    pub life: Life,
}

impl DoorLink {
    /// The events whose tickets it admits: one at least.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.event_id).chain(&self.more_events).map(String::as_str)
    }

    /// Whether it admits tickets of this event.
    pub fn is_for(&self, event_id: &str) -> bool {
        self.events().any(|id| id == event_id)
    }
}

/// A door link about to exist.
#[derive(Clone, Debug)]
pub struct NewDoorLink {
    /// The event it is for, or the first of them.
    pub event_id: String,
    /// The other events it is for, such as those of the same night.
    pub more_events: Vec<String>,
    /// Its name.
    pub label: Name,
    /// Which ticket types it admits.
    pub scope: Scope,
    /// The stations where it may be used; none means any.
    pub stations: Stations,
    /// The part of the place that its doors lead to, if it is not the place as a whole.
    pub zone: Option<Name>,
    /// What it may do besides scanning.
    pub options: LinkOptions,
    /// The PIN that it asks for besides its token.
    pub pin: Option<Pin>,
    /// When it stops working by itself.
    pub expires_at: Option<Stamp>,
}

/// Names of stations, each once and without spaces around it, as phones send them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stations(Vec<String>);

impl Stations {
    /// Trims the names and drops repetitions, keeping their order.
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
