//! Promoters: people who sell for the producer, and who may give some tickets away.
//!
//! A promoter has two names. The id stands in the links that they spread, so everybody may know it: it says who sold an order, and
//! opens nothing. The token is theirs alone: it opens their page, and gives away what their contingent has.

use super::{clock::Stamp, count::Count, text::Name};

/// A promoter of an event, without the token.
#[derive(Clone, Debug)]
pub struct Promoter {
    /// The public id (`pm_…`).
    pub id: String,
    /// The event.
    pub event_id: String,
    /// The name.
    pub name: String,
    /// The last four characters of the token.
    pub last_four: String,
    /// How many tickets they may give away.
    pub complimentary: i64,
    /// How many of these are given away now. One that is cancelled or refunded may be given away again.
    pub given_away: i64,
    /// When they began.
    pub created_at: Stamp,
    /// When they were ended: from then on nothing is sold in their name, and nothing given away.
    pub ended_at: Option<Stamp>,
}

impl Promoter {
    /// How many tickets they may still give away.
    pub fn left(&self) -> i64 {
        (self.complimentary - self.given_away).max(0)
    }

    /// Whether orders may be theirs.
    pub fn sells(&self, event_id: &str) -> bool {
        self.ended_at.is_none() && self.event_id == event_id
    }
}

/// A promoter about to begin.
#[derive(Clone, Debug)]
pub struct NewPromoter {
    /// The event.
    pub event_id: String,
    /// The name.
    pub name: Name,
    /// How many tickets they may give away.
    pub complimentary: Count,
}

/// How an order says whose it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedPromoter {
    /// By the id, which anybody may know.
    Id(String),
    /// By the token, of which this is the hash.
    Token(String),
}
