//! Loading many rows at once: staged in temporary tables as lines arrive, then checked and moved in one transaction.
//!
//! Staging touches no real table, so a server goes on working meanwhile; the producer's clock is held only for the move.

use std::sync::LazyLock;

use crate::domain::{clock::Stamp, status::TicketStatus};

use super::{
    Conn, Error, Result, documents,
    producers::{self, Tenant},
    sql::{Param, params},
};

/// A row on its way in: the line it stands on, and its columns by name.
pub struct Staged {
    /// The temporary table it waits in.
    pub table: Table,
    /// The line of the file.
    pub line: i64,
    /// Column names and values; every row of a table names the same columns in the same order.
    pub columns: Vec<(&'static str, Value)>,
}

/// A value on its way in.
#[derive(Debug)]
pub enum Value {
    /// A number, a stamp or a flag.
    Int(Option<i64>),
    /// A text.
    Text(Option<String>),
}

macro_rules! value_from {
    ($($from:ty => |$value:ident| $into:expr),+ $(,)?) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self { $into }
        })+
    };
}
value_from! {
    i64 => |value| Value::Int(Some(value)),
    Option<i64> => |value| Value::Int(value),
    bool => |value| Value::Int(Some(i64::from(value))),
    Option<Stamp> => |value| Value::Int(value.map(Stamp::micros)),
    Stamp => |value| Value::Int(Some(value.micros())),
    String => |value| Value::Text(Some(value)),
    &str => |value| Value::Text(Some(value.to_owned())),
    Option<String> => |value| Value::Text(value),
}

impl<'a> From<&'a Value> for Param<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Int(value) => Param::Int(*value),
            Value::Text(value) => Param::Text(value.as_deref()),
        }
    }
}

/// The temporary tables, in the order in which they are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the table of its name")]
pub enum Table {
    Events,
    Types,
    Includes,
    Orders,
    Items,
    Tickets,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 6] = [Self::Events, Self::Types, Self::Includes, Self::Orders, Self::Items, Self::Tickets];

    const fn name(self) -> &'static str {
        match self {
            Self::Events => "import_events",
            Self::Types => "import_types",
            Self::Includes => "import_includes",
            Self::Orders => "import_orders",
            Self::Items => "import_items",
            Self::Tickets => "import_tickets",
        }
    }
}

const STAGING: &str = "
CREATE TEMP TABLE import_events (line BIGINT NOT NULL, id TEXT PRIMARY KEY, name TEXT, description TEXT, venue TEXT,
    timezone TEXT, starts_at BIGINT, ends_at BIGINT, currency TEXT, status TEXT, image_url TEXT, created_at BIGINT);
CREATE TEMP TABLE import_types (line BIGINT NOT NULL, id TEXT PRIMARY KEY, event_id TEXT, kind TEXT, category TEXT,
    name TEXT, description TEXT, image_url TEXT, price BIGINT, currency TEXT, status TEXT, deleted BIGINT,
    stock_limit BIGINT, max_per_order BIGINT, expires_at BIGINT, sort_order BIGINT);
CREATE TEMP TABLE import_includes (line BIGINT NOT NULL, bundle_id TEXT, position BIGINT, ticket_type_id TEXT,
    quantity BIGINT, PRIMARY KEY (bundle_id, position));
CREATE TEMP TABLE import_orders (line BIGINT NOT NULL, id TEXT PRIMARY KEY, event_id TEXT, status TEXT,
    buyer_name TEXT, buyer_email TEXT, buyer_phone TEXT, buyer_document TEXT, currency TEXT, total BIGINT,
    created_at BIGINT);
CREATE TEMP TABLE import_items (line BIGINT NOT NULL, order_id TEXT, position BIGINT, ticket_type_id TEXT,
    name TEXT, quantity BIGINT, list_price BIGINT, unit_price BIGINT, total BIGINT, PRIMARY KEY (order_id, position));
CREATE TEMP TABLE import_tickets (line BIGINT NOT NULL, id TEXT PRIMARY KEY, event_id TEXT, order_id TEXT,
    ticket_type_id TEXT, bundle_id TEXT, bundle_unit TEXT, from_bundle BIGINT, hidden BIGINT, attendee_id TEXT,
    attendee_name TEXT, attendee_email TEXT, attendee_phone TEXT, attendee_document TEXT, issued_at BIGINT,
    checked_in_at BIGINT, checked_in_by TEXT, transferred_at BIGINT, transferred_to TEXT, cancelled_at BIGINT,
    status TEXT, document TEXT);
CREATE INDEX import_tickets_by_origin ON import_tickets (transferred_to) WHERE transferred_to IS NOT NULL;
";

/// Something in the file that contradicts the rest of it, or the database.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the file.
    pub line: i64,
    /// The field of that line.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
}

/// Makes the temporary tables on a dedicated connection and begins to fill them.
pub async fn begin(conn: &mut Conn) -> Result<()> {
    conn.batch(STAGING).await?;
    conn.batch("BEGIN").await
}

/// Stages rows of one table. Answers with the first one whose id stood in the file before.
pub async fn stage(conn: &mut Conn, rows: &[Staged]) -> Result<Option<Fault>> {
    let Some(first) = rows.first() else { return Ok(None) };
    let names: Vec<&str> = first.columns.iter().map(|(name, _)| *name).collect();
    let numbers: Vec<String> = (2..names.len() + 2).map(|number| format!("?{number}")).collect();
    let sql = format!(
        "INSERT INTO {} (line, {}) VALUES (?1, {}) ON CONFLICT DO NOTHING",
        first.table.name(),
        names.join(", "),
        numbers.join(", ")
    );
    let sets: Vec<Vec<Param<'_>>> = rows
        .iter()
        .map(|row| {
            let values = row.columns.iter().map(|(_, value)| Param::from(value));
            std::iter::once(Param::from(row.line)).chain(values).collect()
        })
        .collect();
    let kept = conn.execute_many(&sql, &sets).await?;
    let twice = kept.iter().zip(rows).filter(|(kept, _)| **kept == 0).map(|(_, row)| row.line).min();
    Ok(twice.map(|line| Fault { line, field: "id", message: "this id stands in the file twice".into() }))
}

/// Ends the staging: from here on nothing is read from the file.
pub async fn end_staging(conn: &mut Conn) -> Result<()> {
    conn.batch("COMMIT").await?;
    for table in Table::ALL {
        conn.batch(&format!("ANALYZE {}", table.name())).await?;
    }
    Ok(())
}

/// A question whose first answer, if any, is a line at fault and the value it has there.
struct Check {
    field: &'static str,
    /// `{}` is the value.
    message: &'static str,
    sql: &'static str,
}

/// A step of the move: what must hold before it, and the statement itself.
/// `?1` is the producer; where rows have a seq and stamps, `?2` is what is added to a line to make
/// the seq, and `?3` the stamp.
struct Step {
    checks: &'static [Check],
    sql: &'static str,
}

const STEPS: &[Step] = &[
    Step {
        checks: &[Check {
            field: "id",
            message: "the producer already has an event {}",
            sql: "SELECT s.line, s.id FROM import_events s JOIN events x ON x.producer_id = ?1 AND x.id = s.id",
        }],
        sql: "INSERT INTO events (producer_id, seq, id, name, description, venue, timezone, starts_at, ends_at, currency, \
              status, image_url, created_at, updated_at) \
              SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT) + s.line, s.id, s.name, s.description, s.venue, s.timezone, \
              s.starts_at, s.ends_at, s.currency, s.status, s.image_url, coalesce(s.created_at, CAST(?3 AS BIGINT)), \
              CAST(?3 AS BIGINT) FROM import_events s",
    },
    Step {
        checks: &[
            Check {
                field: "id",
                message: "the producer already has a ticket type or bundle {}",
                sql: "SELECT s.line, s.id FROM import_types s JOIN ticket_types x ON x.producer_id = ?1 AND x.id = s.id",
            },
            Check {
                field: "event_id",
                message: "there is no event {}",
                sql: "SELECT s.line, s.event_id FROM import_types s LEFT JOIN events x \
                      ON x.producer_id = ?1 AND x.id = s.event_id WHERE x.id IS NULL",
            },
        ],
        sql: "INSERT INTO ticket_types (producer_id, id, event_id, kind, category, name, description, image_url, price, \
              currency, status, deleted, stock_limit, sold, max_per_order, expires_at, sort_order) \
              SELECT CAST(?1 AS BIGINT), s.id, s.event_id, s.kind, s.category, s.name, s.description, s.image_url, \
              s.price, s.currency, s.status, s.deleted, s.stock_limit, 0, s.max_per_order, s.expires_at, s.sort_order \
              FROM import_types s",
    },
    Step {
        checks: &[Check {
            field: "includes",
            message: "there is no single item {} at the bundle's event",
            sql: "SELECT s.line, s.ticket_type_id FROM import_includes s \
                  JOIN ticket_types b ON b.producer_id = ?1 AND b.id = s.bundle_id \
                  LEFT JOIN ticket_types x ON x.producer_id = ?1 AND x.id = s.ticket_type_id \
                  AND x.event_id = b.event_id AND x.kind = 'ticket_type' WHERE x.id IS NULL",
        }],
        sql: "INSERT INTO bundle_items (producer_id, bundle_id, position, ticket_type_id, quantity) \
              SELECT CAST(?1 AS BIGINT), s.bundle_id, s.position, s.ticket_type_id, s.quantity FROM import_includes s",
    },
    Step {
        checks: &[
            Check {
                field: "id",
                message: "the producer already has an order {}",
                sql: "SELECT s.line, s.id FROM import_orders s JOIN orders x ON x.producer_id = ?1 AND x.id = s.id",
            },
            Check {
                field: "event_id",
                message: "there is no event {}",
                sql: "SELECT s.line, s.event_id FROM import_orders s LEFT JOIN events x \
                      ON x.producer_id = ?1 AND x.id = s.event_id WHERE x.id IS NULL",
            },
        ],
        sql: "INSERT INTO orders (producer_id, seq, id, event_id, status, buyer_name, buyer_email, buyer_phone, \
              buyer_document, currency, total, created_at, updated_at) \
              SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT) + s.line, s.id, s.event_id, s.status, s.buyer_name, \
              s.buyer_email, s.buyer_phone, s.buyer_document, s.currency, s.total, \
              coalesce(s.created_at, CAST(?3 AS BIGINT)), CAST(?3 AS BIGINT) FROM import_orders s",
    },
    Step {
        checks: &[Check {
            field: "items",
            message: "there is no ticket type or bundle {} at the order's event",
            sql: "SELECT s.line, s.ticket_type_id FROM import_items s \
                  JOIN orders o ON o.producer_id = ?1 AND o.id = s.order_id \
                  LEFT JOIN ticket_types x ON x.producer_id = ?1 AND x.id = s.ticket_type_id \
                  AND x.event_id = o.event_id WHERE x.id IS NULL",
        }],
        sql: "INSERT INTO order_items (producer_id, order_id, position, ticket_type_id, kind, name, quantity, list_price, \
              unit_price, total) \
              SELECT CAST(?1 AS BIGINT), s.order_id, s.position, s.ticket_type_id, y.kind, \
              coalesce(s.name, y.name), s.quantity, coalesce(s.list_price, y.price), s.unit_price, s.total \
              FROM import_items s JOIN ticket_types y ON y.producer_id = ?1 AND y.id = s.ticket_type_id",
    },
    Step {
        checks: &[
            Check {
                field: "id",
                message: "the producer already has this ticket",
                sql: "SELECT s.line, s.id FROM import_tickets s JOIN tickets x ON x.producer_id = ?1 AND x.id = s.id",
            },
            Check {
                field: "event_id",
                message: "there is no event {}",
                sql: "SELECT s.line, s.event_id FROM import_tickets s LEFT JOIN events x \
                      ON x.producer_id = ?1 AND x.id = s.event_id WHERE x.id IS NULL",
            },
            Check {
                field: "ticket_type_id",
                message: "there is no single item {} at the ticket's event",
                sql: "SELECT s.line, s.ticket_type_id FROM import_tickets s LEFT JOIN ticket_types x \
                      ON x.producer_id = ?1 AND x.id = s.ticket_type_id AND x.event_id = s.event_id \
                      AND x.kind = 'ticket_type' WHERE x.id IS NULL",
            },
            Check {
                field: "bundle_id",
                message: "there is no bundle {} at the ticket's event",
                sql: "SELECT s.line, s.bundle_id FROM import_tickets s LEFT JOIN ticket_types x \
                      ON x.producer_id = ?1 AND x.id = s.bundle_id AND x.event_id = s.event_id AND x.kind = 'bundle' \
                      WHERE s.bundle_id IS NOT NULL AND x.id IS NULL",
            },
            Check {
                field: "order_id",
                message: "there is no order {} at the ticket's event",
                sql: "SELECT s.line, s.order_id FROM import_tickets s LEFT JOIN orders x \
                      ON x.producer_id = ?1 AND x.id = s.order_id AND x.event_id = s.event_id \
                      WHERE s.order_id IS NOT NULL AND x.id IS NULL",
            },
            Check {
                field: "order_id",
                message: "the order {} was sold here, so its tickets are issued here",
                sql: "SELECT s.line, s.order_id FROM import_tickets s JOIN orders x ON x.producer_id = ?1 \
                      AND x.id = s.order_id AND x.reference IS NOT NULL",
            },
            Check {
                field: "transferred_to_ticket_id",
                message: "another ticket was passed on as that one too",
                sql: "SELECT s.line, s.transferred_to FROM import_tickets s WHERE s.transferred_to IS NOT NULL AND \
                      (EXISTS (SELECT 1 FROM import_tickets x WHERE x.transferred_to = s.transferred_to AND x.line < s.line) \
                      OR EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.transferred_to = s.transferred_to))",
            },
            Check {
                field: "transferred_to_ticket_id",
                message: "following the transfers leads back to this ticket",
                sql: "WITH RECURSIVE reached (id) AS (SELECT s.id FROM import_tickets s WHERE s.transferred_to IS NOT NULL \
                      AND NOT EXISTS (SELECT 1 FROM import_tickets x WHERE x.transferred_to = s.id) \
                      UNION SELECT s.transferred_to FROM reached r JOIN import_tickets s ON s.id = r.id \
                      WHERE s.transferred_to IS NOT NULL) \
                      SELECT s.line, s.id FROM import_tickets s LEFT JOIN reached r ON r.id = s.id \
                      WHERE s.transferred_to IS NOT NULL AND r.id IS NULL",
            },
        ],
        sql: "", // Made from the order of precedence: see INSERT_TICKETS.
    },
];

/// The cases of the status that follows from a ticket's facts, in the one order of precedence there is.
/// The ticket's alias is given; its order's is `o`.
pub(super) fn status_case(ticket: &str) -> String {
    let cases: Vec<String> = TicketStatus::PRECEDENCE
        .iter()
        .map(|status| {
            let fact = match status {
                TicketStatus::Transferred => format!("{ticket}.transferred_to IS NOT NULL"),
                TicketStatus::Refunded => "o.status = 'refunded'".into(),
                TicketStatus::Cancelled => format!("{ticket}.cancelled_at IS NOT NULL"),
                TicketStatus::Scanned => format!("{ticket}.checked_in_at IS NOT NULL"),
                TicketStatus::Valid => "1 = 1".into(),
            };
            format!("WHEN {fact} THEN '{}'", status.as_str())
        })
        .collect();
    cases.join(" ")
}

/// The document's status and stamp are filled in here, where they become known: `?4` is what holds the stamp's place,
/// `?5` the stamp itself.
static INSERT_TICKETS: LazyLock<String> = LazyLock::new(|| {
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

/// What can only be seen once the tickets are in.
const AFTERWARDS: &[Check] = &[
    Check {
        field: "transferred_to_ticket_id",
        message: "there is no such ticket at the same event",
        sql: "SELECT s.line, s.transferred_to FROM import_tickets s LEFT JOIN tickets x \
              ON x.producer_id = ?1 AND x.id = s.transferred_to AND x.event_id = s.event_id \
              WHERE s.transferred_to IS NOT NULL AND x.id IS NULL",
    },
    Check {
        field: "status",
        message: "the facts make it {}; leave the status out or correct them",
        sql: "SELECT s.line, x.status FROM import_tickets s JOIN tickets x ON x.producer_id = ?1 AND x.id = s.id \
              WHERE s.status <> x.status",
    },
];

/// What `sold` is: live tickets of direct sales, and bundles with a live ticket (G5).
pub(super) const SOLD: &str = "SELECT ticket_type_id AS id, count(*) AS sold FROM tickets WHERE producer_id = ?1 AND hidden = 0 \
     AND from_bundle = 0 AND status IN ('valid', 'scanned') GROUP BY ticket_type_id \
     UNION ALL SELECT bundle_id, count(*) FROM (SELECT DISTINCT bundle_id, order_id, bundle_unit FROM tickets \
     WHERE producer_id = ?1 AND hidden = 0 AND bundle_id IS NOT NULL AND status IN ('valid', 'scanned')) u GROUP BY bundle_id";

/// What an item's counts of tickets are, for the door.
pub(super) const COUNTED: &str = "SELECT ticket_type_id AS id, CAST(sum(CASE status WHEN 'valid' THEN 1 ELSE 0 END) AS BIGINT) AS valid, \
     CAST(sum(CASE status WHEN 'scanned' THEN 1 ELSE 0 END) AS BIGINT) AS scanned FROM tickets WHERE producer_id = ?1 AND hidden = 0 \
     GROUP BY ticket_type_id";

/// Checks everything staged and makes it the producer's, all or nothing.
pub async fn finish(conn: &mut Conn, tenant: Tenant, now: Stamp, lines: i64) -> Result<Option<Fault>> {
    conn.begin().await?;
    // One seq for each line, and one to count them from.
    let mut tick = producers::tick(conn, tenant, now, lines + 1).await?;
    let base = tick.seq()?;
    let (_, waiting) = documents::waiting();
    let stamp = documents::stamp_part(tick.stamp);
    for step in STEPS {
        if let Some(fault) = first_fault(conn, tenant, step.checks).await? {
            return Ok(Some(fault));
        }
        let values = params![tenant.number(), base, tick.stamp, &waiting, &stamp];
        match step.sql {
            "" => conn.execute(&INSERT_TICKETS, values).await?,
            sql if sql.contains("?3") => conn.execute(sql, &values[..3]).await?,
            sql => conn.execute(sql, &values[..1]).await?,
        };
    }
    if let Some(fault) = first_fault(conn, tenant, AFTERWARDS).await? {
        return Ok(Some(fault));
    }
    if let Some(fault) = oversold(conn, tenant).await? {
        return Ok(Some(fault));
    }
    let recount = format!(
        "UPDATE ticket_types SET sold = c.sold FROM ({SOLD}) c WHERE ticket_types.producer_id = ?1 AND ticket_types.id = c.id"
    );
    conn.execute(&recount, params![tenant.number()]).await?;
    let recount = format!(
        "UPDATE ticket_types SET valid_tickets = c.valid, scanned_tickets = c.scanned FROM ({COUNTED}) c \
         WHERE ticket_types.producer_id = ?1 AND ticket_types.id = c.id"
    );
    conn.execute(&recount, params![tenant.number()]).await?;
    conn.commit().await?;
    Ok(None)
}

async fn first_fault(conn: &mut Conn, tenant: Tenant, checks: &[Check]) -> Result<Option<Fault>> {
    let mut first: Option<Fault> = None;
    for check in checks {
        let sql = format!("{} ORDER BY 1 LIMIT 1", check.sql);
        let values = params![tenant.number()];
        let used = usize::from(sql.contains("?1"));
        let fault = conn
            .query_first(&sql, &values[..used], |row| {
                let message = check.message.replace("{}", row.opt_text(1)?.unwrap_or_default());
                Ok(Fault { line: row.int(0)?, field: check.field, message })
            })
            .await?;
        if let Some(fault) = fault
            && first.as_ref().is_none_or(|first| fault.line < first.line)
        {
            first = Some(fault);
        }
    }
    Ok(first)
}

/// An item with more live tickets than its limit (G3), named by its own line or by that of its first ticket in the file.
async fn oversold(conn: &mut Conn, tenant: Tenant) -> Result<Option<Fault>> {
    let sql = format!(
        "SELECT y.id, y.stock_limit, c.sold, i.line, \
         (SELECT min(s.line) FROM import_tickets s WHERE s.ticket_type_id = y.id OR s.bundle_id = y.id) \
         FROM ({SOLD}) c JOIN ticket_types y ON y.producer_id = ?1 AND y.id = c.id \
         LEFT JOIN import_types i ON i.id = y.id WHERE c.sold > y.stock_limit ORDER BY y.id LIMIT 1"
    );
    conn.query_first(&sql, params![tenant.number()], |row| {
        let (id, limit, sold) = (row.text(0)?, row.int(1)?, row.int(2)?);
        let message = format!("{id} has {sold} live tickets, more than its limit of {limit}");
        match (row.opt_int(3)?, row.opt_int(4)?) {
            (Some(line), _) => Ok(Fault { line, field: "limit", message }),
            (None, Some(line)) => Ok(Fault { line, field: "ticket_type_id", message }),
            (None, None) => Err(Error::internal(format!("before this import: {message}"))),
        }
    })
    .await
}
