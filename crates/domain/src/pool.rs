//! Pools: places that several items of an event share.
//!
//! **A pool has no count of its own.** A live ticket of an item in a pool takes a place of it, whichever way it was sold: alone,
//! out of a bundle, or imported. So what is taken is the sum of the live tickets of its items, what is held the sum of the
//! holds of its items and of the bundles that include them, and neither can disagree with the rows that they follow from.
//!
//! A sale needs room in every pool that it takes from, beside the stock of its items, and by the same rules (`stock.rs`): what
//! is free to place an order, what is not taken to issue tickets.

use std::collections::HashMap;

use super::{
    clock::Stamp, count::Count, hold, invalid::Invalid, refusal::Refusal, text::Name, ticket_type::TicketType,
};
use crate::config::POOL_ITEMS_MAX;

/// How full a pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// How many there are.
    pub limit: i64,
    /// How many live tickets take.
    pub taken: i64,
    /// How many pending orders hold, by the database's clock.
    pub held: i64,
    /// When the next of these holds ends.
    pub held_until: Option<Stamp>,
}

impl Places {
    /// How many are neither taken nor held. Holds that staff passed over may be more than what is left.
    pub fn free(&self) -> i64 {
        (self.limit - self.taken - self.held).max(0)
    }

    /// Checks that so many are left for an item, whoever holds them.
    pub fn has_left(&self, places: i64, item: &str) -> Result<(), Refusal> {
        match self.taken + places > self.limit {
            true => Err(Refusal::SoldOut(item.to_owned())),
            false => Ok(()),
        }
    }

    /// Checks that so many are left for an item and nobody else holds them. `now` is the database's clock.
    pub fn is_free(&self, places: i64, item: &str, now: Stamp) -> Result<(), Refusal> {
        self.has_left(places, item)?;
        match self.held_until {
            Some(until) if self.taken + self.held + places > self.limit => {
                Err(Refusal::Held { item: item.to_owned(), until, wait_s: hold::seconds_until(until, now) })
            }
            _ => Ok(()),
        }
    }
}

/// A pool as it is kept, and how full it is.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Its id.
    pub id: String,
    /// The event whose items share it.
    pub event_id: String,
    /// Its name.
    pub name: String,
    /// How full it is.
    pub places: Places,
    /// The single items that share it, by id.
    pub items: Vec<String>,
    /// When it was last changed.
    pub updated_at: Stamp,
}

/// A pool about to exist.
#[derive(Clone, Debug)]
pub struct NewPool {
    /// Its id.
    pub id: String,
    /// The event whose items share it.
    pub event_id: String,
    /// Its name.
    pub name: Name,
    /// How many places it has.
    pub limit: Count,
    /// The single items that share it: one at least, each once.
    pub items: Vec<String>,
}

/// Checks the items that are to share a pool: one at least, not too many, each once.
pub fn are_pool_items(items: &[String]) -> Result<(), Invalid> {
    let mut sorted: Vec<&String> = items.iter().collect();
    sorted.sort_unstable();
    if items.is_empty() {
        return Err(Invalid::new("a pool is shared by one item at least"));
    }
    if items.len() > POOL_ITEMS_MAX {
        return Err(Invalid::new(format!("a pool is shared by {POOL_ITEMS_MAX} items at most")));
    }
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Invalid::new(format!("{} is named twice", pair[0]))),
        None => Ok(()),
    }
}

/// What pools leave of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Whether one of its pools has no room for a single unit.
    pub is_full: bool,
    /// When the next hold ends, if holds alone leave no room for a unit.
    pub held_until: Option<Stamp>,
    /// For how many units there is room that nobody holds, if it is in a pool.
    pub free: Option<i64>,
}

impl Pool {
    /// How many places one unit of an item takes.
    pub fn taken_by(&self, item: &TicketType) -> i64 {
        let has = |id: &str| self.items.iter().any(|own| own == id);
        let included = item.includes.iter().filter(|part| has(&part.ticket_type_id)).map(|part| part.quantity);
        i64::from(has(&item.id)) + included.sum::<i64>()
    }
}

/// How many units of some items can still be sold together: of each what its own stock leaves, if that has a limit, and what the
/// items before it leave in the pools it takes from. `None` if any number can be.
pub fn units_left<'a>(
    items: impl Iterator<Item = (Option<i64>, &'a [(String, i64)])>,
    mut free: HashMap<String, i64>,
) -> Option<i64> {
    let mut sum = 0;
    for (own, takes) in items {
        let room = takes.iter().filter_map(|(pool, each)| Some(free.get(pool)? / each));
        let units = own.into_iter().chain(room).min()?.max(0);
        for (pool, each) in takes {
            free.entry(pool.clone()).and_modify(|left| *left -= units * each);
        }
        sum += units;
    }
    Some(sum)
}

/// What the pools of an event leave of one of its items.
pub fn shared(item: &TicketType, pools: &[Pool]) -> Shared {
    let mut shared = Shared::default();
    for pool in pools {
        let (places, each) = (&pool.places, pool.taken_by(item));
        if each == 0 {
            continue;
        }
        let free = places.free() / each;
        shared.free = Some(shared.free.map_or(free, |least| least.min(free)));
        shared.is_full |= places.taken + each > places.limit;
        if free == 0 {
            shared.held_until = shared.held_until.max(places.held_until);
        }
    }
    shared.held_until = shared.held_until.filter(|_| !shared.is_full);
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Stamp = Stamp::from_micros(100);
    const UNTIL: Stamp = Stamp::from_micros(1_000_100);

    #[test]
    fn what_is_left_together_has_room_in_the_pools() {
        let pools = |free: i64| HashMap::from([("hall".to_owned(), free)]);
        let hall = [("hall".to_owned(), 1)];
        let pair = [("hall".to_owned(), 2)];
        type Item<'a> = (Option<i64>, &'a [(String, i64)]);
        let left = |items: &[Item<'_>], free| units_left(items.iter().copied(), pools(free));
        assert_eq!(
            left(&[(Some(4), &[]), (Some(-1), &[])], 0),
            Some(4),
            "what staff oversold takes nothing from the rest"
        );
        assert_eq!(left(&[(Some(4), &hall), (Some(4), &hall)], 5), Some(5), "both share five places");
        assert_eq!(left(&[(None, &hall), (Some(4), &hall)], 5), Some(5), "a pool is a limit");
        assert_eq!(left(&[(None, &pair)], 5), Some(2), "a pair takes two");
        assert_eq!(left(&[(Some(9), &hall), (None, &[])], 5), None);
    }

    #[test]
    fn the_last_place_is_given_once() {
        let places = Places { limit: 10, taken: 7, held: 2, held_until: Some(UNTIL) };
        assert_eq!(places.free(), 1);
        assert!(places.is_free(1, "tt", NOW).is_ok() && places.has_left(3, "tt").is_ok());
        let held = places.is_free(2, "tt", NOW).unwrap_err();
        assert_eq!((held.code(), held.ends()), ("held", Some((UNTIL, 1))));
        assert_eq!(places.is_free(4, "tt", NOW).unwrap_err().code(), "sold_out", "whatever the others do");
        assert_eq!(places.has_left(4, "tt").unwrap_err().code(), "sold_out");
        let passed_over = Places { held: 9, ..places };
        assert_eq!(passed_over.free(), 0);
    }
}
