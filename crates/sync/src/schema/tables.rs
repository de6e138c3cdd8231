//! The tables, for people who ask questions with SQL.

use super::column::{Table, boolean, integer, text, time};

/// Every table that has an id of the API as its key. What is inside them (`order_items`, `bundle_items`) comes with them.
pub static TABLES: [&Table; 4] = [&EVENTS, &TICKET_TYPES, &ORDERS, &TICKETS];

pub static EVENTS: Table = Table {
    name: "events",
    meaning: "Concerts, parties: what people go to.",
    columns: &[
        text("id", "The event's id."),
        text("name", "Its name."),
        text("description", "What buyers read about it."),
        text("venue", "Where it is."),
        text("timezone", "The IANA time zone of the place."),
        time("starts_at", "When it begins."),
        time("ends_at", "When it ends."),
        text("currency", "The currency its items are priced in."),
        text("status", "draft, published, finished or cancelled."),
        text("image_url", "Its picture."),
        time("created_at", "When it was created."),
        time("updated_at", "When it or one of its ticket types last changed, apart from what a sale changes."),
    ],
    key: 1,
    children: None,
    indexes: &[],
};

pub static TICKET_TYPES: Table = Table {
    name: "ticket_types",
    meaning: "What is or was for sale at events: single items and bundles, deleted ones too.",
    columns: &[
        text("id", "The ticket type's id."),
        text("event_id", "The event it is sold for."),
        text("kind", "ticket_type for a single item, bundle for a combination."),
        text("category", "ticket (an entrance), merchandise (the bar) or bundle."),
        text("name", "Its present name."),
        text("description", "What buyers read about it."),
        text("image_url", "Its picture."),
        integer("price", "The list price in whole units of the currency. What buyers paid is in order_items."),
        text("currency", "The currency's code."),
        text("status", "active, hidden, exclusive, sold_out or inactive."),
        boolean("deleted", "Whether it was deleted; its tickets still enter."),
        integer("stock", "How many there are to sell (limit in the API); null is infinite."),
        integer("sold", "Live tickets sold directly under this item; for a bundle, bundles with a live ticket."),
        integer("available", "What is left; null without a limit."),
        integer("max_per_order", "How many one order may hold."),
        integer("min_per_order", "How many one order must have, if it has any."),
        time("on_sale_from", "When its sale to the public begins."),
        time("expires_at", "When it goes off sale."),
        integer("sort_order", "Its place among the event's items, lowest first."),
        time("updated_at", "When it last changed, apart from what a sale changes."),
    ],
    key: 1,
    children: Some(&BUNDLE_ITEMS),
    indexes: &["event_id"],
};

static BUNDLE_ITEMS: Table = Table {
    name: "bundle_items",
    meaning: "What one bundle holds.",
    columns: &[
        text("bundle_id", "The bundle: ticket_types.id."),
        integer("position", "The place in the bundle, from 0."),
        text("ticket_type_id", "The included item: ticket_types.id."),
        integer("quantity", "How many of it one bundle holds; each becomes a ticket."),
    ],
    key: 2,
    children: None,
    indexes: &["ticket_type_id"],
};

pub static ORDERS: Table = Table {
    name: "orders",
    meaning: "Sales, of every status.",
    columns: &[
        text("id", "The order's id."),
        text("number", "A short number for the telephone."),
        text("event_id", "The event it is for."),
        text("status", "pending, approved, rejected or refunded."),
        text("buyer_name", "The buyer's name. Personal."),
        text("buyer_email", "The buyer's e-mail address. Personal."),
        text("buyer_phone", "The buyer's phone number. Personal."),
        text("buyer_identity_document", "The buyer's identity document. Personal."),
        text("currency", "The currency's code."),
        integer("total", "What was paid in all, in whole units of the currency."),
        integer("discount", "What its coupon took off; null where nothing was."),
        integer("surcharge", "What surcharges added; null where nothing was."),
        text("coupon", "The code of the coupon that it was placed with."),
        text("promoter_id", "The promoter who sold it."),
        text("promoter_name", "The promoter's name at the time."),
        text("reference", "What the buyer looks it up by. Who has it can read the order's tickets."),
        text("channel", "shop, box_office, promoter or import."),
        text("payment_id", "The payment processor's id of the payment."),
        text("payment_method", "cash, card or other, where staff said so."),
        time("paid_at", "When it was paid; null on free orders, too."),
        time("refunded_at", "When it was refunded."),
        time("created_at", "When it was placed."),
        time("updated_at", "When its state last changed."),
    ],
    key: 1,
    children: Some(&ORDER_ITEMS),
    indexes: &["event_id"],
};

static ORDER_ITEMS: Table = Table {
    name: "order_items",
    meaning: "The lines of orders, with the prices of the moment of sale.",
    columns: &[
        text("order_id", "The order: orders.id."),
        integer("position", "The place in the order, from 0: tickets.order_item."),
        text("ticket_type_id", "The item bought: ticket_types.id."),
        text("kind", "ticket_type or bundle."),
        text("name", "Its name at the time."),
        integer("quantity", "How many."),
        integer("list_price", "The list price of one at the time."),
        integer("unit_price", "What was paid for one, after coupons and surcharges."),
        integer("total", "What was paid for all of them."),
    ],
    key: 2,
    children: None,
    indexes: &["ticket_type_id"],
};

pub static TICKETS: Table = Table {
    name: "tickets",
    meaning: "Credentials, of every status: one for each person who enters, and one for each drink.",
    columns: &[
        text("id", "The value of the QR code. Who has it can enter with it."),
        text("event_id", "The event it belongs to."),
        text("order_id", "The order it came from: orders.id. It may arrive before its order."),
        integer("order_item", "The line of the order: order_items.position."),
        text("status", "valid, scanned, transferred, cancelled or refunded."),
        text("ticket_type_id", "The item it was issued for: ticket_types.id, which has its name and category."),
        boolean("from_bundle", "Whether it came out of a bundle; such tickets do not count in sold of their type."),
        text("bundle_id", "The bundle it came out of: ticket_types.id."),
        text("attendee_id", "The attendee's id."),
        text("attendee_name", "The attendee's name. Personal."),
        text("attendee_email", "The attendee's e-mail address. Personal."),
        text("attendee_phone", "The attendee's phone number. Personal."),
        text("attendee_identity_document", "The attendee's identity document. Personal."),
        time("issued_at", "When it was issued; one and the same date for all from before 11 August 2026."),
        time("checked_in_at", "When it entered; also set on tickets that were refunded or cancelled afterwards."),
        text("checked_in_by", "The scanning station's label."),
        time("transferred_at", "When it was passed on."),
        text("transferred_to_ticket_id", "The ticket that took its place: tickets.id."),
        time("updated_at", "When anything about it last changed; null where the server does not tell."),
    ],
    key: 1,
    children: None,
    indexes: &["event_id", "order_id", "ticket_type_id", "transferred_to_ticket_id"],
};
