//! What an import checks once the whole file is staged. Each check is a query whose rows are faults.
//!
//! Every check asks for a staged row whether something exists, in the file or among the producer's rows, and finds it
//! by its key. So its cost grows with the file and not with what the producer has already sold.

use super::staging::keyed;

/// A query whose rows are faults: a line and the faulty value. `?1` and `?2` say whose import, `[s]` its rows (`staging::keyed`).
pub struct Check {
    /// The field at fault.
    pub field: &'static str,
    /// The text; `{}` stands for the value.
    pub message: &'static str,
    /// The query.
    pub sql: &'static str,
}

impl Check {
    /// The query for the fault of the lowest line.
    pub fn first(&self) -> String {
        keyed(&format!("{} ORDER BY 1 LIMIT 1", self.sql))
    }
}

/// Every check. None of them can begin to fail while the import waits for its turn, except by an id that somebody else
/// takes: rows are never removed, and an item never changes its event.
pub const CHECKS: &[Check] = &[
    Check {
        field: "id",
        message: "the producer already has an event {}",
        sql: "SELECT s.line, s.id FROM import_events s \
              WHERE [s] AND EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = s.id)",
    },
    Check {
        field: "id",
        message: "the producer already has a ticket type or bundle {}",
        sql: "SELECT s.line, s.id FROM import_types s \
              WHERE [s] AND EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 AND x.id = s.id)",
    },
    Check {
        field: "event_id",
        message: "there is no event {}",
        sql: "SELECT s.line, s.event_id FROM import_types s \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_events x WHERE [x] AND x.id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id)",
    },
    Check {
        field: "currency",
        message: "the event's items are priced in {}",
        sql: "SELECT s.line, coalesce((SELECT x.currency FROM import_events x WHERE [x] AND x.id = s.event_id), \
              (SELECT x.currency FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id)) FROM import_types s \
              WHERE [s] AND s.currency <> coalesce((SELECT x.currency FROM import_events x WHERE [x] AND x.id = s.event_id), \
              (SELECT x.currency FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id))",
    },
    Check {
        field: "includes",
        message: "there is no single item {} at the bundle's event",
        sql: "SELECT s.line, s.ticket_type_id FROM import_includes s JOIN import_types b ON [b] AND b.id = s.bundle_id \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_types x WHERE [x] AND x.id = s.ticket_type_id \
              AND x.event_id = b.event_id AND x.kind = 'ticket_type') \
              AND NOT EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 AND x.id = s.ticket_type_id \
              AND x.event_id = b.event_id AND x.kind = 'ticket_type')",
    },
    Check {
        field: "id",
        message: "the producer already has a pool {}",
        sql: "SELECT s.line, s.id FROM import_pools s \
              WHERE [s] AND EXISTS (SELECT 1 FROM pools x WHERE x.producer_id = ?1 AND x.id = s.id)",
    },
    Check {
        field: "event_id",
        message: "there is no event {}",
        sql: "SELECT s.line, s.event_id FROM import_pools s \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_events x WHERE [x] AND x.id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id)",
    },
    Check {
        field: "ticket_type_ids",
        message: "there is no single item {} at the pool's event; a bundle takes places by what it includes",
        sql: "SELECT s.line, s.ticket_type_id FROM import_pool_items s JOIN import_pools p ON [p] AND p.id = s.pool_id \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_types x WHERE [x] AND x.id = s.ticket_type_id \
              AND x.event_id = p.event_id AND x.kind = 'ticket_type') \
              AND NOT EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 AND x.id = s.ticket_type_id \
              AND x.event_id = p.event_id AND x.kind = 'ticket_type')",
    },
    Check {
        field: "event_id",
        message: "there is no event {}",
        sql: "SELECT s.line, s.event_id FROM import_coupons s \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_events x WHERE [x] AND x.id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id)",
    },
    Check {
        field: "code",
        message: "another coupon of the event has the code {}",
        sql: "SELECT s.line, s.code FROM import_coupons s WHERE [s] AND EXISTS (SELECT 1 FROM coupons x \
              WHERE x.producer_id = ?1 AND x.event_id = s.event_id AND x.folded = s.folded AND x.ended_at IS NULL)",
    },
    Check {
        field: "ticket_types",
        message: "there is no ticket type or bundle {} at the coupon's event",
        sql: "SELECT s.line, s.ticket_type_id FROM import_coupon_items s JOIN import_coupons c ON [c] AND c.id = s.coupon_id \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_types x WHERE [x] AND x.id = s.ticket_type_id \
              AND x.event_id = c.event_id) AND NOT EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 \
              AND x.id = s.ticket_type_id AND x.event_id = c.event_id)",
    },
    Check {
        field: "event_id",
        message: "there is no event {}",
        sql: "SELECT s.line, s.event_id FROM import_surcharges s \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_events x WHERE [x] AND x.id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id)",
    },
    Check {
        field: "id",
        message: "the producer already has an order {}",
        sql: "SELECT s.line, s.id FROM import_orders s \
              WHERE [s] AND EXISTS (SELECT 1 FROM orders x WHERE x.producer_id = ?1 AND x.id = s.id)",
    },
    Check {
        field: "event_id",
        message: "there is no event {}",
        sql: "SELECT s.line, s.event_id FROM import_orders s \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_events x WHERE [x] AND x.id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id)",
    },
    Check {
        field: "items",
        message: "there is no ticket type or bundle {} at the order's event",
        sql: "SELECT s.line, s.ticket_type_id FROM import_items s JOIN import_orders o ON [o] AND o.id = s.order_id \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_types x WHERE [x] AND x.id = s.ticket_type_id \
              AND x.event_id = o.event_id) \
              AND NOT EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 AND x.id = s.ticket_type_id \
              AND x.event_id = o.event_id)",
    },
    Check {
        field: "id",
        message: "the producer already has this ticket",
        sql: "SELECT s.line, s.id FROM import_tickets s \
              WHERE [s] AND EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.id = s.id)",
    },
    Check {
        field: "event_id",
        message: "there is no event {}",
        sql: "SELECT s.line, s.event_id FROM import_tickets s \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_events x WHERE [x] AND x.id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = s.event_id)",
    },
    Check {
        field: "ticket_type_id",
        message: "there is no single item {} at the ticket's event",
        sql: "SELECT s.line, s.ticket_type_id FROM import_tickets s \
              WHERE [s] AND NOT EXISTS (SELECT 1 FROM import_types x WHERE [x] AND x.id = s.ticket_type_id \
              AND x.event_id = s.event_id AND x.kind = 'ticket_type') \
              AND NOT EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 AND x.id = s.ticket_type_id \
              AND x.event_id = s.event_id AND x.kind = 'ticket_type')",
    },
    Check {
        field: "bundle_id",
        message: "there is no bundle {} at the ticket's event",
        sql: "SELECT s.line, s.bundle_id FROM import_tickets s WHERE [s] AND s.bundle_id IS NOT NULL \
              AND NOT EXISTS (SELECT 1 FROM import_types x WHERE [x] AND x.id = s.bundle_id \
              AND x.event_id = s.event_id AND x.kind = 'bundle') \
              AND NOT EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 AND x.id = s.bundle_id \
              AND x.event_id = s.event_id AND x.kind = 'bundle')",
    },
    Check {
        field: "order_id",
        message: "there is no order {} at the ticket's event",
        sql: "SELECT s.line, s.order_id FROM import_tickets s WHERE [s] AND s.order_id IS NOT NULL \
              AND NOT EXISTS (SELECT 1 FROM import_orders x WHERE [x] AND x.id = s.order_id AND x.event_id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM orders x WHERE x.producer_id = ?1 AND x.id = s.order_id \
              AND x.event_id = s.event_id)",
    },
    Check {
        field: "order_item",
        message: "the order {} has no item of this ticket's type or bundle at that position",
        sql: "SELECT s.line, s.order_id FROM import_tickets s WHERE [s] AND s.order_item IS NOT NULL \
              AND NOT EXISTS (SELECT 1 FROM import_items x WHERE [x] AND x.order_id = s.order_id \
              AND x.position = s.order_item \
              AND x.ticket_type_id = CASE s.from_bundle WHEN 0 THEN s.ticket_type_id ELSE s.bundle_id END) \
              AND NOT EXISTS (SELECT 1 FROM order_items x WHERE x.producer_id = ?1 AND x.order_id = s.order_id \
              AND x.position = s.order_item \
              AND x.ticket_type_id = CASE s.from_bundle WHEN 0 THEN s.ticket_type_id ELSE s.bundle_id END)",
    },
    Check {
        field: "transferred_to_ticket_id",
        message: "another ticket was passed on as that one too",
        sql: "SELECT s.line, s.transferred_to FROM import_tickets s WHERE [s] AND s.transferred_to IS NOT NULL AND \
              (EXISTS (SELECT 1 FROM import_tickets x WHERE [x] AND x.transferred_to = s.transferred_to AND x.line < s.line) \
              OR EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.transferred_to = s.transferred_to))",
    },
    Check {
        field: "transferred_to_ticket_id",
        message: "there is no such ticket at the same event",
        sql: "SELECT s.line, s.transferred_to FROM import_tickets s WHERE [s] AND s.transferred_to IS NOT NULL \
              AND NOT EXISTS (SELECT 1 FROM import_tickets x WHERE [x] AND x.id = s.transferred_to AND x.event_id = s.event_id) \
              AND NOT EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.id = s.transferred_to \
              AND x.event_id = s.event_id)",
    },
];

/// Checks that ask the staged rows alone.
pub const CHECKS_OF_FILE: &[Check] = &[
    Check {
        field: "code",
        message: "the code {} stands in the file twice for this event",
        sql: "SELECT s.line, s.code FROM import_coupons s WHERE [s] AND EXISTS (SELECT 1 FROM import_coupons x \
              WHERE [x] AND x.event_id = s.event_id AND x.folded = s.folded AND x.line < s.line)",
    },
    Check {
        field: "order_id",
        message: "the order {} was sold here, so its tickets are issued here",
        sql: "SELECT s.line, s.order_id FROM import_tickets s JOIN import_known_orders x ON [x] AND x.id = s.order_id \
              WHERE [s] AND x.sold_here = 1",
    },
    Check {
        field: "transferred_to_ticket_id",
        message: "following the transfers leads back to this ticket",
        sql: "WITH RECURSIVE reached (id) AS (SELECT s.id FROM import_tickets s WHERE [s] AND s.transferred_to IS NOT NULL \
              AND NOT EXISTS (SELECT 1 FROM import_tickets x WHERE [x] AND x.transferred_to = s.id) \
              UNION SELECT s.transferred_to FROM reached r JOIN import_tickets s ON [s] AND s.id = r.id \
              WHERE s.transferred_to IS NOT NULL) \
              SELECT s.line, s.id FROM import_tickets s LEFT JOIN reached r ON r.id = s.id \
              WHERE [s] AND s.transferred_to IS NOT NULL AND r.id IS NULL",
    },
];
