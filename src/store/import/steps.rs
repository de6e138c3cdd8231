//! What an import checks and inserts, in the order in which it happens.

use std::sync::LazyLock;

use crate::store::{derived::status_case, tickets::documents};

/// A query whose rows are faults: a line and the faulty value.
pub(super) struct Check {
    pub field: &'static str,
    /// The text; `{}` stands for the value.
    pub message: &'static str,
    pub asks: Asks,
    pub sql: &'static str,
}

/// What a check looks at.
#[derive(Clone, Copy)]
pub(super) enum Asks {
    /// The file alone.
    File,
    /// The file and the producer's rows; `?1` is the producer.
    Producer,
}

/// A step of the import's move: checks, and the insert that follows them.
pub(super) struct Step {
    pub checks: &'static [Check],
    pub insert: Insert,
}

/// How staged rows are inserted; `?1` is the producer.
pub(super) enum Insert {
    /// Rows without a seq.
    Plain(&'static str),
    /// Rows with a seq and stamps: `?2` plus the line is the seq, and `?3` is the stamp.
    Stamped(&'static str),
    /// See [`INSERT_TICKETS`].
    Tickets,
}

pub(super) const STEPS: &[Step] = &[
    Step {
        checks: &[Check {
            field: "id",
            message: "the producer already has an event {}",
            asks: Asks::Producer,
            sql: "SELECT s.line, s.id FROM import_events s JOIN events x ON x.producer_id = ?1 AND x.id = s.id",
        }],
        insert: Insert::Stamped(
            "INSERT INTO events (producer_id, seq, id, name, description, venue, timezone, starts_at, ends_at, currency, \
              status, image_url, created_at, updated_at) \
              SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT) + s.line, s.id, s.name, s.description, s.venue, s.timezone, \
              s.starts_at, s.ends_at, s.currency, s.status, s.image_url, coalesce(s.created_at, CAST(?3 AS BIGINT)), \
              CAST(?3 AS BIGINT) FROM import_events s",
        ),
    },
    Step {
        checks: &[
            Check {
                field: "id",
                message: "the producer already has a ticket type or bundle {}",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.id FROM import_types s JOIN ticket_types x ON x.producer_id = ?1 AND x.id = s.id",
            },
            Check {
                field: "event_id",
                message: "there is no event {}",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.event_id FROM import_types s LEFT JOIN events x \
                      ON x.producer_id = ?1 AND x.id = s.event_id WHERE x.id IS NULL",
            },
        ],
        insert: Insert::Plain(
            "INSERT INTO ticket_types (producer_id, id, event_id, kind, category, name, description, image_url, price, \
              currency, status, deleted, stock_limit, sold, max_per_order, expires_at, sort_order) \
              SELECT CAST(?1 AS BIGINT), s.id, s.event_id, s.kind, s.category, s.name, s.description, s.image_url, \
              s.price, s.currency, s.status, s.deleted, s.stock_limit, 0, s.max_per_order, s.expires_at, s.sort_order \
              FROM import_types s",
        ),
    },
    Step {
        checks: &[Check {
            field: "includes",
            message: "there is no single item {} at the bundle's event",
            asks: Asks::Producer,
            sql: "SELECT s.line, s.ticket_type_id FROM import_includes s \
                  JOIN ticket_types b ON b.producer_id = ?1 AND b.id = s.bundle_id \
                  LEFT JOIN ticket_types x ON x.producer_id = ?1 AND x.id = s.ticket_type_id \
                  AND x.event_id = b.event_id AND x.kind = 'ticket_type' WHERE x.id IS NULL",
        }],
        insert: Insert::Plain(
            "INSERT INTO bundle_items (producer_id, bundle_id, position, ticket_type_id, quantity) \
              SELECT CAST(?1 AS BIGINT), s.bundle_id, s.position, s.ticket_type_id, s.quantity FROM import_includes s",
        ),
    },
    Step {
        checks: &[
            Check {
                field: "id",
                message: "the producer already has an order {}",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.id FROM import_orders s JOIN orders x ON x.producer_id = ?1 AND x.id = s.id",
            },
            Check {
                field: "event_id",
                message: "there is no event {}",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.event_id FROM import_orders s LEFT JOIN events x \
                      ON x.producer_id = ?1 AND x.id = s.event_id WHERE x.id IS NULL",
            },
        ],
        insert: Insert::Stamped(
            "INSERT INTO orders (producer_id, seq, id, event_id, status, buyer_name, buyer_email, buyer_phone, \
              buyer_document, currency, total, created_at, updated_at) \
              SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT) + s.line, s.id, s.event_id, s.status, s.buyer_name, \
              s.buyer_email, s.buyer_phone, s.buyer_document, s.currency, s.total, \
              coalesce(s.created_at, CAST(?3 AS BIGINT)), CAST(?3 AS BIGINT) FROM import_orders s",
        ),
    },
    Step {
        checks: &[Check {
            field: "items",
            message: "there is no ticket type or bundle {} at the order's event",
            asks: Asks::Producer,
            sql: "SELECT s.line, s.ticket_type_id FROM import_items s \
                  JOIN orders o ON o.producer_id = ?1 AND o.id = s.order_id \
                  LEFT JOIN ticket_types x ON x.producer_id = ?1 AND x.id = s.ticket_type_id \
                  AND x.event_id = o.event_id WHERE x.id IS NULL",
        }],
        insert: Insert::Plain(
            "INSERT INTO order_items (producer_id, order_id, position, ticket_type_id, kind, name, quantity, list_price, \
              unit_price, total) \
              SELECT CAST(?1 AS BIGINT), s.order_id, s.position, s.ticket_type_id, y.kind, \
              coalesce(s.name, y.name), s.quantity, coalesce(s.list_price, y.price), s.unit_price, s.total \
              FROM import_items s JOIN ticket_types y ON y.producer_id = ?1 AND y.id = s.ticket_type_id",
        ),
    },
    Step {
        checks: &[
            Check {
                field: "id",
                message: "the producer already has this ticket",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.id FROM import_tickets s JOIN tickets x ON x.producer_id = ?1 AND x.id = s.id",
            },
            Check {
                field: "event_id",
                message: "there is no event {}",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.event_id FROM import_tickets s LEFT JOIN events x \
                      ON x.producer_id = ?1 AND x.id = s.event_id WHERE x.id IS NULL",
            },
            Check {
                field: "ticket_type_id",
                message: "there is no single item {} at the ticket's event",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.ticket_type_id FROM import_tickets s LEFT JOIN ticket_types x \
                      ON x.producer_id = ?1 AND x.id = s.ticket_type_id AND x.event_id = s.event_id \
                      AND x.kind = 'ticket_type' WHERE x.id IS NULL",
            },
            Check {
                field: "bundle_id",
                message: "there is no bundle {} at the ticket's event",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.bundle_id FROM import_tickets s LEFT JOIN ticket_types x \
                      ON x.producer_id = ?1 AND x.id = s.bundle_id AND x.event_id = s.event_id AND x.kind = 'bundle' \
                      WHERE s.bundle_id IS NOT NULL AND x.id IS NULL",
            },
            Check {
                field: "order_id",
                message: "there is no order {} at the ticket's event",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.order_id FROM import_tickets s LEFT JOIN orders x \
                      ON x.producer_id = ?1 AND x.id = s.order_id AND x.event_id = s.event_id \
                      WHERE s.order_id IS NOT NULL AND x.id IS NULL",
            },
            Check {
                field: "order_id",
                message: "the order {} was sold here, so its tickets are issued here",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.order_id FROM import_tickets s JOIN orders x ON x.producer_id = ?1 \
                      AND x.id = s.order_id AND x.reference IS NOT NULL",
            },
            Check {
                field: "transferred_to_ticket_id",
                message: "another ticket was passed on as that one too",
                asks: Asks::Producer,
                sql: "SELECT s.line, s.transferred_to FROM import_tickets s WHERE s.transferred_to IS NOT NULL AND \
                      (EXISTS (SELECT 1 FROM import_tickets x WHERE x.transferred_to = s.transferred_to AND x.line < s.line) \
                      OR EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.transferred_to = s.transferred_to))",
            },
            Check {
                field: "transferred_to_ticket_id",
                message: "following the transfers leads back to this ticket",
                asks: Asks::File,
                sql: "WITH RECURSIVE reached (id) AS (SELECT s.id FROM import_tickets s WHERE s.transferred_to IS NOT NULL \
                      AND NOT EXISTS (SELECT 1 FROM import_tickets x WHERE x.transferred_to = s.id) \
                      UNION SELECT s.transferred_to FROM reached r JOIN import_tickets s ON s.id = r.id \
                      WHERE s.transferred_to IS NOT NULL) \
                      SELECT s.line, s.id FROM import_tickets s LEFT JOIN reached r ON r.id = s.id \
                      WHERE s.transferred_to IS NOT NULL AND r.id IS NULL",
            },
        ],
        insert: Insert::Tickets,
    },
];

/// Inserts the tickets. The order of precedence gives their status, and the document gets its status and stamp here,
/// where both are known: `?4` is the stamp's placeholder, `?5` the stamp.
pub(super) static INSERT_TICKETS: LazyLock<String> = LazyLock::new(|| {
    let (status, _) = documents::waiting();
    let case = format!("CASE {} END", status_case("s"));
    let told = documents::status_part(&format!("' || {case} || '"));
    format!(
        "INSERT INTO tickets (producer_id, seq, id, event_id, order_id, ticket_type_id, bundle_id, bundle_unit, \
         from_bundle, status, hidden, attendee_id, attendee_name, attendee_email, attendee_phone, attendee_document, \
         issued_at, checked_in_at, checked_in_by, transferred_at, transferred_to, cancelled_at, updated_at, document) \
         SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT) + s.line, s.id, s.event_id, s.order_id, s.ticket_type_id, \
         s.bundle_id, s.bundle_unit, s.from_bundle, {case}, s.hidden, s.attendee_id, s.attendee_name, \
         s.attendee_email, s.attendee_phone, s.attendee_document, s.issued_at, s.checked_in_at, s.checked_in_by, \
         s.transferred_at, s.transferred_to, s.cancelled_at, CAST(?3 AS BIGINT), \
         replace(replace(s.document, '{status}', '{told}'), CAST(?4 AS TEXT), CAST(?5 AS TEXT)) \
         FROM import_tickets s LEFT JOIN orders o ON o.producer_id = ?1 AND o.id = s.order_id ORDER BY s.line"
    )
});

/// Checks that need the inserted tickets.
pub(super) const AFTERWARDS: &[Check] = &[
    Check {
        field: "transferred_to_ticket_id",
        message: "there is no such ticket at the same event",
        asks: Asks::Producer,
        sql: "SELECT s.line, s.transferred_to FROM import_tickets s LEFT JOIN tickets x \
              ON x.producer_id = ?1 AND x.id = s.transferred_to AND x.event_id = s.event_id \
              WHERE s.transferred_to IS NOT NULL AND x.id IS NULL",
    },
    Check {
        field: "status",
        message: "the facts make it {}; leave the status out or correct them",
        asks: Asks::Producer,
        sql: "SELECT s.line, x.status FROM import_tickets s JOIN tickets x ON x.producer_id = ?1 AND x.id = s.id \
              WHERE s.status <> x.status",
    },
];
