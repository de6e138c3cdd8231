//! Ticket types and bundles.

use serde::{Deserialize, Serialize};

use super::{
    super::time::Time,
    lenient::{or_nothing, whole, whole_or_null},
    named::named,
};

named! {
    /// What an item is.
    Category {
        /// An entrance.
        Ticket = "ticket",
        /// Something from the bar.
        Merchandise = "merchandise",
        /// Several items at once.
        Bundle = "bundle",
    }
}

named! {
    /// Whether an item is one thing or several. Branch on this.
    ItemKind {
        /// A single item.
        TicketType = "ticket_type",
        /// A combination.
        Bundle = "bundle",
    }
}

named! {
    /// How an item is offered.
    TypeStatus {
        /// Visible and on sale.
        Active = "active",
        /// Bought through an access link only.
        Hidden = "hidden",
        /// Reserved for the team.
        Exclusive = "exclusive",
        /// Nothing is left.
        SoldOut = "sold_out",
        /// Switched off by the organiser.
        Inactive = "inactive",
    }
}

/// One kind of item in a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Include {
    /// The included item.
    pub ticket_type_id: String,
    /// Its present name.
    #[serde(default, deserialize_with = "or_nothing")]
    pub name: String,
    /// What it is.
    pub category: Category,
    /// How many of it one bundle holds; each becomes a ticket of its own.
    #[serde(deserialize_with = "whole")]
    pub quantity: i64,
}

/// An item for sale: a single one, or a bundle of several. Of a bundle the specification promises fewer fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketType {
    /// The ticket type's id.
    pub id: String,
    /// A single item, or a bundle.
    pub kind: ItemKind,
    /// The event it is sold for.
    pub event_id: String,
    /// What it is.
    pub category: Category,
    /// Its name.
    pub name: String,
    /// What buyers read about it.
    #[serde(default)]
    pub description: Option<String>,
    /// Its picture.
    #[serde(default)]
    pub image_url: Option<String>,
    /// The list price in whole units of the currency; 0 is free. What a buyer paid is in the order.
    #[serde(deserialize_with = "whole")]
    pub price: i64,
    /// The currency's code.
    pub currency: String,
    /// How it is offered.
    pub status: TypeStatus,
    /// Whether it was deleted; its tickets still enter.
    #[serde(default, deserialize_with = "or_nothing")]
    pub deleted: bool,
    /// The stock; `None` is infinite.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub limit: Option<i64>,
    /// Live tickets sold directly under this item; for a bundle, bundles with at least one live ticket.
    #[serde(deserialize_with = "whole")]
    pub sold: i64,
    /// What is left; `None` when there is no limit.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub available: Option<i64>,
    /// How many one order may hold.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub max_per_order: Option<i64>,
    /// How many one order must have, if it has any.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub min_per_order: Option<i64>,
    /// When its sale to the public begins.
    #[serde(default)]
    pub on_sale_from: Option<Time>,
    /// When it goes off sale.
    #[serde(default)]
    pub expires_at: Option<Time>,
    /// Its place among the event's items, lowest first.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub sort_order: Option<i64>,
    /// What one bundle holds; `None` for a single item.
    #[serde(default)]
    pub includes: Option<Vec<Include>>,
    /// When anything about it last changed, apart from what a sale changes.
    #[serde(default)]
    pub updated_at: Option<Time>,
}
