//! Ticket types and bundles.

use super::{
    clock::Stamp,
    status::{Category, ItemKind, TypeStatus},
};

/// A ticket type or bundle.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "as the API shows them: see wire::api::TicketType")]
pub struct TicketType {
    pub id: String,
    pub kind: ItemKind,
    pub event_id: String,
    pub category: Category,
    pub name: String,
    pub description: Option<String>,
    pub image_url: Option<String>,
    pub price: i64,
    pub currency: String,
    /// The status that the organiser set; [`TicketType::shown_status`] is the one to show.
    pub status: TypeStatus,
    pub deleted: bool,
    pub limit: Option<i64>,
    pub sold: i64,
    pub max_per_order: i64,
    pub expires_at: Option<Stamp>,
    pub sort_order: i64,
    pub updated_at: Stamp,
    /// The items of a bundle; empty for a single item.
    pub includes: Vec<Include>,
}

/// One kind of item in a bundle.
#[derive(Clone, Debug)]
pub struct Include {
    /// The included item.
    pub ticket_type_id: String,
    /// Its present name.
    pub name: String,
    /// Its category.
    pub category: Category,
    /// How many units of it one bundle has.
    pub quantity: i64,
}

impl TicketType {
    /// The status to show now.
    pub fn shown_status(&self) -> TypeStatus {
        self.status.shown(self.limit, self.sold)
    }

    /// How many are left, if there is a limit.
    pub fn available(&self) -> Option<i64> {
        self.limit.map(|limit| limit - self.sold)
    }
}
