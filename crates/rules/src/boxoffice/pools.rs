//! The pools that the sales of a group take places from, kept up to date while the group is decided.

use std::collections::{BTreeMap, HashMap};

use taquilla_domain::{clock::Stamp, pool::Places, refusal::Refusal};
use taquilla_store as store;
use taquilla_store::{
    Move,
    catalogue::pools::{self, HeldPlaces, Takes},
};

/// What is known of pools. Most sales take from none.
#[derive(Default)]
pub(super) struct Pools {
    /// What one unit of an item takes.
    pub takes: Takes,
    places: HashMap<String, Places>,
}

/// How many places an order takes of a pool, and the first of its items that does.
struct Wanted<'a> {
    places: i64,
    item: &'a str,
}

impl Pools {
    /// Reads how full the pools are that somebody may take from.
    pub async fn load(&mut self, tx: &mut Move) -> store::Result<()> {
        let mut ids: Vec<&str> = self.takes.values().flatten().map(|(pool, _)| pool.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        let (tenant, now) = (tx.tenant(), tx.now());
        let mut held = HeldPlaces::new();
        tx.ask(vec![pools::places(tenant, &ids, &mut self.places), pools::held(tenant, &ids, now, &mut held)]).await?;
        pools::put_held(&mut self.places, held);
        Ok(())
    }

    /// The pools that an item takes from, each with how many places so many units take.
    fn of<'s>(&'s self, item: &str, units: i64) -> impl Iterator<Item = (&'s str, i64)> {
        let takes = self.takes.get(item).into_iter().flatten();
        takes.map(move |(pool, each)| (pool.as_str(), each.saturating_mul(units)))
    }

    fn each(&mut self, item: &str, units: i64, mut change: impl FnMut(&mut Places, i64)) {
        for (pool, each) in self.takes.get(item).into_iter().flatten() {
            if let Some(places) = self.places.get_mut(pool) {
                change(places, each.saturating_mul(units));
            }
        }
    }

    /// Takes the places of units that become tickets, or gives those of tickets back that stop to work if `units` is negative.
    pub fn take(&mut self, item: &str, units: i64) {
        self.each(item, units, |places, taken| places.taken += taken);
    }

    /// Holds the places of units until a time.
    pub fn hold(&mut self, item: &str, units: i64, until: Stamp) {
        self.each(item, units, |places, held| {
            places.held += held;
            places.held_until = Some(places.held_until.map_or(until, |earlier| earlier.min(until)));
        });
    }

    /// Ends the hold of units.
    pub fn end_hold(&mut self, item: &str, units: i64) {
        self.each(item, units, |places, held| places.held -= held);
    }

    fn wanted<'a>(&'a self, units: &BTreeMap<&'a str, i64>) -> impl Iterator<Item = (&'a Places, Wanted<'a>)> {
        let mut wanted: BTreeMap<&str, Wanted<'a>> = BTreeMap::new();
        for (&item, &units) in units {
            for (pool, places) in self.of(item, units) {
                let sum = wanted.entry(pool).or_insert(Wanted { places: 0, item });
                sum.places = sum.places.saturating_add(places);
            }
        }
        wanted.into_iter().filter_map(|(pool, wanted)| Some((self.places.get(pool)?, wanted)))
    }

    /// Checks that every pool has the places left that these units take, whoever holds them.
    pub fn have_left(&self, units: &BTreeMap<&str, i64>) -> Result<(), Refusal> {
        self.wanted(units).try_for_each(|(places, wanted)| places.has_left(wanted.places, wanted.item))
    }

    /// Checks that every pool has the places free that these units take.
    pub fn are_free(&self, units: &BTreeMap<&str, i64>, now: Stamp) -> Result<(), Refusal> {
        self.wanted(units).try_for_each(|(places, wanted)| places.is_free(wanted.places, wanted.item, now))
    }
}
