//! Surcharges: what buyers of the shop pay besides the list prices, such as a service fee.

use super::{
    clock::Stamp,
    pricing::{Per, Rate},
};

/// A surcharge of an event.
#[derive(Clone, Debug)]
pub struct Surcharge {
    /// Its id.
    pub id: String,
    /// The event.
    pub event_id: String,
    /// What buyers read.
    pub name: String,
    /// What it is counted by.
    pub per: Per,
    /// What it adds.
    pub rate: Rate,
    /// When it was made.
    pub created_at: Stamp,
    /// When it was ended.
    pub ended_at: Option<Stamp>,
}
