//! How staged rows become the producer's.

/// A statement that inserts the staged rows of one table; `?1` and `?2` say whose import, and `[s]` its rows
/// (`staging::keyed`). The producer's number is taken from the staged row: Citus then leaves all of it to the one machine that has
/// both tables' rows, where a parameter would make rows travel through the coordinator.
pub(super) enum Insert {
    /// Rows without a seq and a stamp.
    Plain(&'static str),
    /// Rows without a seq: `?3` is the stamp.
    Dated(&'static str),
    /// Rows with a seq and stamps: `?3` plus the line is the seq, and `?4` is the stamp.
    Stamped(&'static str),
    /// Orders, which are stamped and have a document: `?5` stands in it for the stamp, and `?6` replaces it.
    /// `?7` stands in it for the number, which is `?8` plus the order's place.
    Rendered(&'static str),
}

/// Every table but the tickets', parents first. Every parent is there; the outer joins make SQLite take the staged rows
/// first.
pub(super) const INSERTS: &[Insert] = &[
    Insert::Stamped(
        "INSERT INTO events (producer_id, seq, id, name, description, venue, timezone, starts_at, ends_at, currency, \
         status, image_url, attendees_asked, created_at, updated_at) \
         SELECT s.producer_id, CAST(?3 AS BIGINT) + s.line, s.id, s.name, s.description, s.venue, s.timezone, \
         s.starts_at, s.ends_at, s.currency, s.status, s.image_url, s.attendees_asked, coalesce(s.created_at, CAST(?4 AS BIGINT)), \
         CAST(?4 AS BIGINT) FROM import_events s WHERE [s]",
    ),
    Insert::Dated(
        "INSERT INTO terms (producer_id, id, event_id, text, url, created_at) \
         SELECT s.producer_id, s.terms_id, s.id, s.terms_text, s.terms_url, CAST(?3 AS BIGINT) FROM import_events s \
         WHERE [s] AND s.terms_id IS NOT NULL",
    ),
    Insert::Dated(
        "INSERT INTO ticket_types (producer_id, id, event_id, kind, category, name, description, image_url, price, \
         currency, status, deleted, stock_limit, sold, max_per_order, expires_at, sort_order, access_code, \
         reentry, door_note, min_per_order, on_sale_from, updated_at) \
         SELECT s.producer_id, s.id, s.event_id, s.kind, s.category, s.name, s.description, s.image_url, \
         s.price, x.currency, s.status, s.deleted, s.stock_limit, 0, s.max_per_order, s.expires_at, s.sort_order, \
         s.access_code, s.reentry, s.door_note, s.min_per_order, s.on_sale_from, CAST(?3 AS BIGINT) FROM import_types s \
         LEFT JOIN events x ON x.producer_id = s.producer_id AND x.id = s.event_id WHERE [s]",
    ),
    Insert::Plain(
        "INSERT INTO bundle_items (producer_id, bundle_id, position, ticket_type_id, quantity) \
         SELECT s.producer_id, s.bundle_id, s.position, s.ticket_type_id, s.quantity FROM import_includes s WHERE [s]",
    ),
    Insert::Dated(
        "INSERT INTO pools (producer_id, id, event_id, name, pool_limit, updated_at) \
         SELECT s.producer_id, s.id, s.event_id, s.name, s.pool_limit, CAST(?3 AS BIGINT) FROM import_pools s WHERE [s]",
    ),
    Insert::Plain(
        "INSERT INTO pool_items (producer_id, pool_id, ticket_type_id) \
         SELECT s.producer_id, s.pool_id, s.ticket_type_id FROM import_pool_items s WHERE [s]",
    ),
    Insert::Dated(
        "INSERT INTO coupons (producer_id, id, event_id, code, folded, percent, amount, valid_from, valid_until, use_limit, \
         per_buyer, created_at) SELECT s.producer_id, s.id, s.event_id, s.code, s.folded, s.percent, s.amount, s.valid_from, \
         s.valid_until, s.use_limit, s.per_buyer, CAST(?3 AS BIGINT) FROM import_coupons s WHERE [s]",
    ),
    Insert::Plain(
        "INSERT INTO coupon_items (producer_id, coupon_id, ticket_type_id) \
         SELECT s.producer_id, s.coupon_id, s.ticket_type_id FROM import_coupon_items s WHERE [s]",
    ),
    Insert::Dated(
        "INSERT INTO surcharges (producer_id, id, event_id, name, per_ticket, percent, amount, created_at) \
         SELECT s.producer_id, s.id, s.event_id, s.name, s.per_ticket, s.percent, s.amount, CAST(?3 AS BIGINT) \
         FROM import_surcharges s WHERE [s]",
    ),
    Insert::Rendered(
        "INSERT INTO orders (producer_id, seq, id, event_id, status, buyer_name, buyer_email, buyer_phone, \
         buyer_document, currency, total, channel, payment_id, paid_at, refunded_at, created_at, updated_at, number, \
         coupon, promoter, discount, surcharge, document) \
         SELECT s.producer_id, CAST(?3 AS BIGINT) + s.line, s.id, s.event_id, s.status, s.buyer_name, \
         s.buyer_email, s.buyer_phone, s.buyer_document, s.currency, s.total, 'import', s.payment_id, s.paid_at, \
         s.refunded_at, coalesce(s.created_at, CAST(?4 AS BIGINT)), CAST(?4 AS BIGINT), \
         CAST(?8 AS BIGINT) + p.place, s.coupon, s.promoter, coalesce(s.discount, 0), \
         coalesce(s.surcharge, 0), \
         replace(replace(d.document, CAST(?5 AS TEXT), CAST(?6 AS TEXT)), CAST(?7 AS TEXT), \
         replace(CAST(?7 AS TEXT), '0', CAST(CAST(?8 AS BIGINT) + p.place AS TEXT))) \
         FROM import_orders s CROSS JOIN import_order_documents d CROSS JOIN import_places p \
         WHERE [s] AND [d] AND [p] AND d.id = s.id AND p.id = s.id",
    ),
    Insert::Plain(
        "INSERT INTO order_items (producer_id, order_id, position, ticket_type_id, kind, name, quantity, list_price, \
         unit_price, total) \
         SELECT s.producer_id, s.order_id, s.position, s.ticket_type_id, t.kind, coalesce(s.name, t.name), \
         s.quantity, coalesce(s.list_price, t.price), s.unit_price, s.total \
         FROM import_items s CROSS JOIN import_found_types t WHERE [s] AND [t] AND t.id = s.ticket_type_id",
    ),
];

/// Inserts the tickets, which are ready but for seq and stamp: `?5` is the stamp's placeholder in their documents, `?6` the
/// stamp.
pub(super) const INSERT_TICKETS: &str = "INSERT INTO tickets (producer_id, seq, id, event_id, order_id, order_item, \
     ticket_type_id, bundle_id, bundle_unit, from_bundle, status, hidden, attendee_id, attendee_name, attendee_email, \
     attendee_phone, attendee_document, issued_at, checked_in_at, checked_in_by, transferred_at, transferred_to, cancelled_at, \
     door_note, updated_at, document) \
     SELECT s.producer_id, CAST(?3 AS BIGINT) + s.line, s.id, s.event_id, s.order_id, s.order_item, \
     s.ticket_type_id, s.bundle_id, s.bundle_unit, s.from_bundle, s.status, s.hidden, s.attendee_id, s.attendee_name, \
     s.attendee_email, s.attendee_phone, s.attendee_document, s.issued_at, s.checked_in_at, s.checked_in_by, \
     s.transferred_at, s.transferred_to, s.cancelled_at, s.door_note, CAST(?4 AS BIGINT), \
     replace(s.document, CAST(?5 AS TEXT), CAST(?6 AS TEXT)) FROM import_ready s WHERE [s]";
