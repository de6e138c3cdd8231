//! Orders.

use serde::{Deserialize, Serialize};

use super::{
    super::time::Time,
    lenient::{or_nothing, whole_or_null},
    named::named,
    ticket_type::ItemKind,
};

named! {
    /// Where an order stands.
    OrderStatus {
        /// Waits for payment.
        Pending = "pending",
        /// Paid.
        Approved = "approved",
        /// Never paid.
        Rejected = "rejected",
        /// Paid back.
        Refunded = "refunded",
    }
}

named! {
    /// Where an order was sold.
    OrderChannel {
        /// In the shop.
        Shop = "shop",
        /// By staff.
        BoxOffice = "box_office",
        /// Elsewhere, and imported.
        Import = "import",
        /// Given away by a promoter.
        Promoter = "promoter",
    }
}

named! {
    /// How staff were paid.
    PaymentMethod {
        /// In cash.
        Cash = "cash",
        /// By card.
        Card = "card",
        /// In another way.
        Otherwise = "other",
    }
}

/// The person who bought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buyer {
    /// The buyer's name.
    #[serde(default, deserialize_with = "or_nothing")]
    pub name: String,
    /// The buyer's e-mail address.
    #[serde(default, deserialize_with = "or_nothing")]
    pub email: String,
    /// The buyer's phone number.
    #[serde(default)]
    pub phone: Option<String>,
    /// The buyer's identity document.
    #[serde(default, deserialize_with = "or_nothing")]
    pub identity_document: String,
}

/// Who sold an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promoter {
    /// The promoter's id; `None` on imported orders.
    #[serde(default)]
    pub id: Option<String>,
    /// The promoter's name at the time.
    #[serde(default, deserialize_with = "or_nothing")]
    pub name: String,
}

/// One line of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderItem {
    /// The item bought; it may have been deleted since.
    #[serde(default)]
    pub ticket_type_id: Option<String>,
    /// A single item or a bundle.
    #[serde(default)]
    pub kind: Option<ItemKind>,
    /// Its name at the time.
    #[serde(default)]
    pub name: Option<String>,
    /// How many.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub quantity: Option<i64>,
    /// The list price at the time.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub list_price: Option<i64>,
    /// The price actually paid for one, after coupons and surcharges.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub unit_price: Option<i64>,
    /// What was paid for all of them.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub total: Option<i64>,
}

/// A sale. The specification promises its `created_at`, its `updated_at` and its items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The order's id.
    pub id: String,
    /// A short number for the telephone.
    #[serde(default)]
    pub number: Option<String>,
    /// The event it is for.
    #[serde(default)]
    pub event_id: Option<String>,
    /// Where it stands.
    #[serde(default)]
    pub status: Option<OrderStatus>,
    /// Who bought. Personal data.
    #[serde(default, deserialize_with = "or_nothing")]
    pub buyer: Buyer,
    /// What was bought, at the prices of that moment.
    #[serde(default, deserialize_with = "or_nothing")]
    pub items: Vec<OrderItem>,
    /// The currency's code.
    #[serde(default)]
    pub currency: Option<String>,
    /// What was paid in all, in whole units of the currency.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub total: Option<i64>,
    /// What its coupon took off.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub discount: Option<i64>,
    /// What surcharges added to it.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub surcharge: Option<i64>,
    /// The code of the coupon that it was placed with.
    #[serde(default)]
    pub coupon: Option<String>,
    /// The promoter who sold it.
    #[serde(default)]
    pub promoter: Option<Promoter>,
    /// What the buyer looks the order up by. Who has it can read the order's tickets.
    #[serde(default)]
    pub reference: Option<String>,
    /// Where it was sold.
    #[serde(default)]
    pub channel: Option<OrderChannel>,
    /// The payment processor's id of the payment that settled it.
    #[serde(default)]
    pub payment_id: Option<String>,
    /// How staff were paid for it.
    #[serde(default)]
    pub payment_method: Option<PaymentMethod>,
    /// When it was paid.
    #[serde(default)]
    pub paid_at: Option<Time>,
    /// When it was refunded.
    #[serde(default)]
    pub refunded_at: Option<Time>,
    /// When it was placed.
    pub created_at: Time,
    /// Moves whenever the order changes state. Synchronise by this one.
    pub updated_at: Time,
}
