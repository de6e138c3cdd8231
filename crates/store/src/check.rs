//! Verifies a database. Each invariant is a query whose rows are violations.

use taquilla_domain::{
    config::{RETENTION_LATE, days},
    person::ERASED_NAME,
};

use super::{
    Conn, Error, Result, Store, Tenant,
    derived::{COUNTED, ENTRIES, INSIDE, MINUTES, SOLD, WRONG_CASH, status_case},
    engine::sql::params,
    migrate, order_checks,
    people::due,
    promoter_checks,
    sales::{
        documents,
        figures::{self, Sold},
        orders, promoter_sums,
    },
    search::complete,
    tickets::every,
};

/// A violation.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    /// The producer's public id.
    pub producer: String,
    /// The kind of row it is about: `ticket`, `order`, `ticket_type`, `pool`, `event`, `coupon`, `door_link`, `endpoint`,
    /// `shift`, `promoter` or `producer`.
    pub kind: &'static str,
    /// Its id.
    pub id: String,
    /// What is wrong.
    pub problem: String,
}

/// A query about one producer (`?1`). Each row is a violation: an id and two values for the text.
struct Question {
    kind: &'static str,
    /// The text; `{1}` and `{2}` stand for the values.
    problem: &'static str,
    sql: &'static str,
}

const QUESTIONS: &[Question] = &[
    Question {
        kind: "ticket_type",
        problem: "{1} are sold, more than the limit of {2}",
        sql: "SELECT id, CAST(sold AS TEXT), CAST(stock_limit AS TEXT) FROM ticket_types \
              WHERE producer_id = ?1 AND sold > stock_limit",
    },
    Question {
        kind: "pool",
        problem: "{1} live tickets take its places, more than the limit of {2}",
        sql: "SELECT p.id, CAST(sum(t.valid_tickets + t.scanned_tickets) AS TEXT), CAST(p.pool_limit AS TEXT) FROM pools p \
              JOIN pool_items m ON m.producer_id = ?1 AND m.pool_id = p.id \
              JOIN ticket_types t ON t.producer_id = ?1 AND t.id = m.ticket_type_id WHERE p.producer_id = ?1 \
              GROUP BY p.id, p.pool_limit HAVING sum(t.valid_tickets + t.scanned_tickets) > p.pool_limit",
    },
    Question {
        kind: "pool",
        problem: "it shares {1}, which is no single item of its event",
        sql: "SELECT m.pool_id, m.ticket_type_id, '' FROM pool_items m \
              LEFT JOIN pools p ON p.producer_id = ?1 AND p.id = m.pool_id \
              LEFT JOIN ticket_types t ON t.producer_id = ?1 AND t.id = m.ticket_type_id AND t.event_id = p.event_id \
              AND t.kind = 'ticket_type' WHERE m.producer_id = ?1 AND t.id IS NULL",
    },
    Question {
        kind: "ticket_type",
        problem: "it changed at {1}, after the event's last change at {2}",
        sql: "SELECT y.id, CAST(y.updated_at AS TEXT), CAST(e.updated_at AS TEXT) FROM ticket_types y \
              JOIN events e ON e.producer_id = ?1 AND e.id = y.event_id \
              WHERE y.producer_id = ?1 AND y.updated_at > e.updated_at",
    },
    Question {
        kind: "ticket",
        problem: "it belongs to an event, ticket type or order that is not there",
        sql: "SELECT t.id, '', '' FROM tickets t WHERE t.producer_id = ?1 AND (\
              NOT EXISTS (SELECT 1 FROM events x WHERE x.producer_id = ?1 AND x.id = t.event_id) OR \
              NOT EXISTS (SELECT 1 FROM ticket_types x WHERE x.producer_id = ?1 AND x.id = t.ticket_type_id) OR \
              (t.order_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM orders x WHERE x.producer_id = ?1 AND x.id = t.order_id)))",
    },
    Question {
        kind: "ticket",
        problem: "it was passed on as {1}, which is not there or at another event",
        sql: "SELECT t.id, t.transferred_to, '' FROM tickets t LEFT JOIN tickets x ON x.producer_id = ?1 \
              AND x.id = t.transferred_to AND x.event_id = t.event_id \
              WHERE t.producer_id = ?1 AND t.transferred_to IS NOT NULL AND x.id IS NULL",
    },
    Question {
        kind: "ticket",
        problem: "it has a time of transfer or the ticket that took its place, but not both",
        sql: "SELECT id, '', '' FROM tickets WHERE producer_id = ?1 \
              AND (transferred_at IS NULL) <> (transferred_to IS NULL)",
    },
    Question {
        kind: "ticket",
        problem: "following its transfers leads back to it",
        sql: "WITH RECURSIVE reached (id) AS (SELECT t.id FROM tickets t WHERE t.producer_id = ?1 \
              AND t.transferred_to IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 \
              AND x.transferred_to = t.id) UNION SELECT t.transferred_to FROM reached r JOIN tickets t \
              ON t.producer_id = ?1 AND t.id = r.id WHERE t.transferred_to IS NOT NULL) \
              SELECT t.id, '', '' FROM tickets t LEFT JOIN reached r ON r.id = t.id \
              WHERE t.producer_id = ?1 AND t.transferred_to IS NOT NULL AND r.id IS NULL",
    },
    Question {
        kind: "ticket",
        problem: "{1} scans of it were admitted",
        sql: "SELECT ticket_id, CAST(count(*) AS TEXT), '' FROM scans WHERE producer_id = ?1 AND outcome = 'admitted' \
              AND undone_at IS NULL GROUP BY ticket_id HAVING count(*) > 1",
    },
    Question {
        kind: "ticket",
        problem: "a scan of it was admitted at {1}, but it entered at {2}",
        sql: "SELECT s.ticket_id, CAST(s.accepted_at AS TEXT), CAST(t.checked_in_at AS TEXT) FROM scans s \
              LEFT JOIN tickets t ON t.producer_id = ?1 AND t.id = s.ticket_id WHERE s.producer_id = ?1 \
              AND s.outcome = 'admitted' AND s.undone_at IS NULL AND (t.checked_in_at IS NULL OR t.checked_in_at <> s.accepted_at)",
    },
    Question {
        kind: "ticket",
        problem: "its entry by the scan at {1} was taken back, but it entered at {2}",
        sql: "SELECT t.id, CAST(s.accepted_at AS TEXT), CAST(t.checked_in_at AS TEXT) FROM scans s \
              JOIN tickets t ON t.producer_id = ?1 AND t.id = s.ticket_id WHERE s.producer_id = ?1 \
              AND s.undone_at IS NOT NULL AND (s.outcome <> 'admitted' OR t.checked_in_at <= s.undone_at)",
    },
    Question {
        kind: "ticket",
        problem: "it is outside or in a zone without having entered",
        sql: "SELECT id, '', '' FROM tickets WHERE producer_id = ?1 AND checked_in_at IS NULL \
              AND (outside <> 0 OR zone <> '')",
    },
    // Old scans are forgotten, so there may be fewer of them than were counted.
    Question {
        kind: "door_link",
        problem: "scans through it: {1} by the counts, but {2} in the log",
        sql: "SELECT door_link_id, CAST(sum(counted) AS TEXT), CAST(sum(logged) AS TEXT) FROM (\
              SELECT door_link_id, outcome, scans AS counted, conflicts, 0 AS logged, 0 AS in_conflict FROM link_scans \
              WHERE producer_id = ?1 UNION ALL SELECT door_link_id, outcome, 0, 0, 1, conflict FROM scans \
              WHERE producer_id = ?1 AND door_link_id IS NOT NULL AND undone_at IS NULL) s GROUP BY door_link_id, outcome \
              HAVING sum(counted) < sum(logged) OR sum(conflicts) < sum(in_conflict)",
    },
    Question {
        kind: "ticket",
        problem: "its attendee is erased, but the answer to a scan of it names somebody",
        sql: "SELECT t.id, '', '' FROM scans s JOIN tickets t ON t.producer_id = ?1 AND t.id = s.ticket_id \
              WHERE s.producer_id = ?1 AND t.attendee_name = '—' AND t.attendee_email = '' AND t.attendee_document = '' \
              AND s.answer LIKE '%\"ticket\":{\"name\":\"%' AND s.answer NOT LIKE '%\"ticket\":{\"name\":\"—\"%' \
              AND s.answer NOT LIKE '%\"ticket\":{\"name\":\"\"%'",
    },
    Question {
        kind: "order",
        problem: "it is {1}, and the people whom its buyer named are kept all the same",
        sql: "SELECT DISTINCT o.id, o.status, '' FROM order_attendees a JOIN orders o ON o.producer_id = ?1 \
              AND o.id = a.order_id WHERE a.producer_id = ?1 AND o.status <> 'pending'",
    },
    Question {
        kind: "order",
        problem: "its items cost {1}, its total is {2}",
        sql: "SELECT o.id, CAST(coalesce(sum(i.total), 0) AS TEXT), CAST(o.total AS TEXT) FROM orders o \
              LEFT JOIN order_items i ON i.producer_id = ?1 AND i.order_id = o.id \
              WHERE o.producer_id = ?1 AND o.reference IS NOT NULL GROUP BY o.id, o.total \
              HAVING coalesce(sum(i.total), 0) <> o.total",
    },
    Question {
        kind: "order",
        problem: "it should have {1} tickets and has {2}",
        sql: "SELECT o.id, CAST(w.wanted AS TEXT), CAST(w.issued AS TEXT) FROM orders o JOIN (\
              SELECT o.id AS id, CASE WHEN o.status IN ('approved', 'refunded') THEN \
              (SELECT coalesce(sum(i.quantity * CASE WHEN i.kind = 'bundle' THEN (SELECT sum(b.quantity) FROM bundle_items b \
              WHERE b.producer_id = ?1 AND b.bundle_id = i.ticket_type_id) ELSE 1 END), 0) FROM order_items i \
              WHERE i.producer_id = ?1 AND i.order_id = o.id) ELSE 0 END AS wanted, \
              (SELECT count(*) FROM tickets t WHERE t.producer_id = ?1 AND t.order_id = o.id AND NOT EXISTS \
              (SELECT 1 FROM tickets x WHERE x.producer_id = ?1 AND x.transferred_to = t.id)) AS issued \
              FROM orders o WHERE o.producer_id = ?1 AND o.reference IS NOT NULL) w ON w.id = o.id \
              WHERE o.producer_id = ?1 AND w.wanted <> w.issued",
    },
    Question {
        kind: "order",
        problem: "it is {1} and holds stock all the same",
        sql: "SELECT id, status, '' FROM orders WHERE producer_id = ?1 AND held_until IS NOT NULL AND status <> 'pending'",
    },
    Question {
        kind: "order",
        problem: "the payment {1} has settled it, but it is {2}",
        sql: "SELECT o.id, p.id, o.status FROM payments p JOIN orders o ON o.producer_id = ?1 AND o.id = p.order_id \
              WHERE p.producer_id = ?1 AND p.outcome = 'paid' AND p.result = 'settled' \
              AND o.status NOT IN ('approved', 'refunded')",
    },
    Question {
        kind: "order",
        problem: "the payment {1} has settled it, and is listed as money to deal with all the same",
        sql: "SELECT coalesce(s.order_id, ''), s.id, '' FROM payments s JOIN payments p ON p.producer_id = ?1 AND p.id = s.id \
              AND p.outcome = 'paid' AND p.amount = s.amount AND p.currency = s.currency WHERE s.producer_id = ?1 \
              AND s.outcome = 'paid' AND s.result = 'settled' AND p.paid_back_at IS NULL \
              AND p.result NOT IN ('settled', 'settled_elsewhere')",
    },
    Question {
        kind: "endpoint",
        problem: "its message {1} is not there",
        sql: "SELECT d.endpoint_id, CAST(d.sequence AS TEXT), '' FROM webhook_deliveries d WHERE d.producer_id = ?1 \
              AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.producer_id = ?1 AND o.seq = d.message_seq)",
    },
    Question {
        kind: "endpoint",
        problem: "its sequence ends at {1}, but it has a message {2}",
        sql: "SELECT e.id, CAST(e.last_sequence AS TEXT), CAST(max(d.sequence) AS TEXT) FROM webhook_endpoints e \
              JOIN webhook_deliveries d ON d.producer_id = ?1 AND d.endpoint_id = e.id WHERE e.producer_id = ?1 \
              GROUP BY e.id, e.last_sequence HAVING max(d.sequence) > e.last_sequence",
    },
    Question {
        kind: "producer",
        problem: "its clock is behind a stamp it gave out ({1} against {2})",
        sql: "SELECT NULL, CAST(p.clock AS TEXT), CAST(s.latest AS TEXT) FROM clocks p JOIN (\
              SELECT max(stamp) AS latest FROM (\
              SELECT max(issued_at) AS stamp FROM tickets WHERE producer_id = ?1 UNION ALL \
              SELECT max(checked_in_at) FROM tickets WHERE producer_id = ?1 UNION ALL \
              SELECT max(updated_at) FROM tickets WHERE producer_id = ?1 UNION ALL \
              SELECT max(created_at) FROM orders WHERE producer_id = ?1 UNION ALL \
              SELECT max(updated_at) FROM orders WHERE producer_id = ?1 UNION ALL \
              SELECT max(updated_at) FROM ticket_types WHERE producer_id = ?1 UNION ALL \
              SELECT max(updated_at) FROM events WHERE producer_id = ?1) m) s ON s.latest > p.clock WHERE p.producer_id = ?1",
    },
    Question {
        kind: "shift",
        problem: "it expected {1} in cash, but what was taken and paid back makes {2}",
        sql: WRONG_CASH,
    },
    Question {
        kind: "producer",
        problem: "its counter is behind a seq it gave out ({1} against {2})",
        sql: "SELECT NULL, CAST(p.last_seq AS TEXT), CAST(s.latest AS TEXT) FROM clocks p JOIN (\
              SELECT max(seq) AS latest FROM (SELECT max(seq) AS seq FROM tickets WHERE producer_id = ?1 UNION ALL \
              SELECT max(seq) FROM orders WHERE producer_id = ?1 UNION ALL \
              SELECT max(seq) FROM outbox WHERE producer_id = ?1 UNION ALL \
              SELECT max(seq) FROM scans WHERE producer_id = ?1 UNION ALL \
              SELECT max(seq) FROM events WHERE producer_id = ?1) m) s ON s.latest > p.last_seq WHERE p.producer_id = ?1",
    },
];

/// How many rows of each kind were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookedAt([i64; TABLES.len()]);

/// The kinds of rows that a check looks at, one and several, and their tables.
const TABLES: [(&str, &str, &str); 8] = [
    ("event", "events", "events"),
    ("ticket_type", "ticket_types", "ticket_types"),
    ("order", "orders", "orders"),
    ("ticket", "tickets", "tickets"),
    ("scan", "scans", "scans"),
    ("endpoint", "endpoints", "webhook_endpoints"),
    ("message", "messages", "outbox"),
    ("delivery", "deliveries", "webhook_deliveries"),
];

impl LookedAt {
    /// The names of each kind, one and several, and how many rows of it there were.
    pub fn kinds(&self) -> impl Iterator<Item = (&'static str, &'static str, i64)> {
        TABLES.iter().zip(self.0).map(|((one, several, _), count)| (*one, *several, count))
    }

    /// Counts a producer's rows besides those counted before.
    pub async fn add(&mut self, conn: &mut Conn, tenant: Tenant) -> Result<()> {
        for ((.., table), count) in TABLES.iter().zip(&mut self.0) {
            let sql = format!("SELECT count(*) FROM {table} WHERE producer_id = ?1");
            *count += conn.query_first(&sql, params![tenant.number()], |row| row.int(0)).await?.unwrap_or(0);
        }
        Ok(())
    }
}

/// A connection to check a database with, which sees one state of it: what is sold meanwhile is neither seen nor kept from
/// being sold. It changes nothing, not even an old schema, which is refused.
pub async fn open(address: &str) -> Result<Conn> {
    let mut conn = Store::look(address).await?;
    if !migrate::has_schema(&mut conn).await? {
        return Err(Error::NoDatabase(Store::shown(address)));
    }
    let (found, known) = (migrate::version(&mut conn).await?, migrate::LATEST);
    match found {
        _ if found < known => Err(Error::OlderSchema { found, known }),
        _ if found > known => Err(Error::NewerSchema { found, known }),
        _ => {
            conn.begin_snapshot().await?;
            Ok(conn)
        }
    }
}

/// Everything that is wrong with one producer's data. Nothing is changed.
pub async fn producer(conn: &mut Conn, tenant: Tenant, public_id: &str) -> Result<Vec<Finding>> {
    let derived = status_case("t", "o.status = 'refunded'");
    let status = format!(
        "SELECT t.id, t.status, {derived} FROM tickets t LEFT JOIN orders o ON o.producer_id = ?1 AND o.id = t.order_id \
         WHERE t.producer_id = ?1 AND t.status <> {derived}"
    );
    let sold = format!(
        "SELECT y.id, CAST(y.sold AS TEXT), CAST(coalesce(c.sold, 0) AS TEXT) FROM ticket_types y \
         LEFT JOIN ({SOLD}) c ON c.id = y.id WHERE y.producer_id = ?1 AND y.sold <> coalesce(c.sold, 0)"
    );
    let counted = format!(
        "SELECT y.id, CAST(y.valid_tickets AS TEXT) || ' and ' || CAST(y.scanned_tickets AS TEXT), \
         CAST(coalesce(c.valid, 0) AS TEXT) || ' and ' || CAST(coalesce(c.scanned, 0) AS TEXT) FROM ticket_types y \
         LEFT JOIN ({COUNTED}) c ON c.id = y.id WHERE y.producer_id = ?1 \
         AND (y.valid_tickets <> coalesce(c.valid, 0) OR y.scanned_tickets <> coalesce(c.scanned, 0))"
    );
    let entries = format!(
        "SELECT ticket_type_id, CAST(sum(stored) AS TEXT) || ' at ' || station, CAST(sum(counted) AS TEXT) FROM (\
         SELECT ticket_type_id, station, entered AS stored, 0 AS counted FROM station_entries WHERE producer_id = ?1 \
         UNION ALL SELECT c.ticket_type_id, c.station, 0, c.entered FROM ({ENTRIES}) c) e \
         GROUP BY ticket_type_id, station HAVING sum(stored) <> sum(counted)"
    );
    let of = |sign: &str| {
        let columns = ["units", "amount", "refunded_units", "refunded_amount"].map(|column| format!("{sign}{column}"));
        columns.join(", ")
    };
    let (plus, minus) = (of(""), of("-"));
    let differing = |sums: &str, of: &str, by: &str| {
        format!(
            "SELECT event_id, CAST(sum(units) AS TEXT) || ' units and ' || CAST(sum(amount) AS TEXT), \
             CAST(sum(refunded_units) AS TEXT) || ' units and ' || CAST(sum(refunded_amount) AS TEXT) FROM (\
             SELECT {by}, {plus} FROM {sums} WHERE producer_id = ?1 UNION ALL \
             SELECT {by}, {minus} FROM {of} WHERE producer_id = ?1) s GROUP BY {by} HAVING sum(units) <> 0 \
             OR sum(amount) <> 0 OR sum(refunded_units) <> 0 OR sum(refunded_amount) <> 0"
        )
    };
    let sales = differing("event_sales", "sales", "event_id, day, channel");
    let totals = differing("event_totals", "event_sales", "event_id");
    let minutes = format!(
        "SELECT event_id, CAST(sum(stored) AS TEXT), CAST(sum(counted) AS TEXT) FROM (\
         SELECT event_id, minute, ticket_type_id, entered AS stored, 0 AS counted FROM entries WHERE producer_id = ?1 \
         UNION ALL SELECT c.event_id, c.minute, c.ticket_type_id, 0, c.entered FROM ({}) c) e \
         GROUP BY event_id, minute, ticket_type_id HAVING sum(stored) <> sum(counted)",
        *MINUTES
    );
    let inside = format!(
        "SELECT event_id, CAST(sum(stored) AS TEXT), CAST(sum(counted) AS TEXT) FROM (\
         SELECT event_id, zone, ticket_type_id, inside AS stored, 0 AS counted FROM inside WHERE producer_id = ?1 \
         UNION ALL SELECT c.event_id, c.zone, c.ticket_type_id, 0, c.inside FROM ({INSIDE}) c) e \
         GROUP BY event_id, zone, ticket_type_id HAVING sum(stored) <> sum(counted)"
    );
    // Sums of holds that ended long ago are forgotten, but never of one that lasts.
    let held = format!(
        "SELECT s.ticket_type_id, CAST(sum(s.summed) AS TEXT), CAST(sum(s.held) AS TEXT) FROM (\
         SELECT ticket_type_id, until, quantity AS summed, 0 AS held, 1 AS has_sum FROM held_stock \
         WHERE producer_id = ?1 UNION ALL SELECT ticket_type_id, until, 0, quantity, 0 FROM holds \
         WHERE producer_id = ?1) s GROUP BY s.ticket_type_id, s.until \
         HAVING sum(s.summed) <> sum(s.held) AND (max(s.has_sum) = 1 OR s.until > {})",
        conn.clock()
    );
    let somebody = |who: &str| {
        format!(
            "(({who}_name <> '' AND {who}_name <> '{ERASED_NAME}') OR {who}_email <> '' OR {who}_phone IS NOT NULL \
             OR {who}_document <> '')"
        )
    };
    let days_kept = due::retention_days(conn, tenant).await?.map_or("NULL".into(), |days| days.to_string());
    let kept_too_long = format!(
        "SELECT e.id, CAST({days_kept} AS TEXT), '' FROM events e \
         WHERE e.producer_id = ?1 AND coalesce(e.ends_at, e.starts_at) + {days_kept} * {} + {} < {} AND (\
         EXISTS (SELECT 1 FROM orders WHERE producer_id = ?1 AND event_id = e.id AND {}) OR \
         EXISTS (SELECT 1 FROM tickets WHERE producer_id = ?1 AND event_id = e.id AND {}))",
        days(1).as_micros(),
        RETENTION_LATE.as_micros(),
        conn.clock(),
        somebody("buyer"),
        somebody("attendee")
    );
    let made = [
        (
            "event",
            "its people should have been erased {1} days after its end; is a server running?",
            kept_too_long.as_str(),
        ),
        ("ticket", "its status is {1}, but the facts make it {2}", status.as_str()),
        ("ticket_type", "{1} count as sold, but {2} are live", sold.as_str()),
        ("ticket_type", "{1} tickets count as valid and scanned, but {2} are", counted.as_str()),
        ("ticket_type", "entered: {1} by the counts, but {2} by the tickets", entries.as_str()),
        ("event", "the sums of its sales differ from those of its items by {1}, of its refunds by {2}", sales.as_str()),
        ("event", "what it sold in all differs from its days by {1}, what was refunded by {2}", totals.as_str()),
        ("event", "entered in one minute: {1} by the counts, but {2} by the tickets", minutes.as_str()),
        ("event", "inside in one zone: {1} by the counts, but {2} by the tickets", inside.as_str()),
        ("ticket_type", "held until one moment: {1} by the sums, but {2} by the orders", held.as_str()),
    ];
    let all = made
        .into_iter()
        .chain(order_checks::ALL)
        .chain(promoter_checks::ALL)
        .chain(QUESTIONS.iter().map(|question| (question.kind, question.problem, question.sql)));
    let mut findings = Vec::new();
    for (kind, problem, sql) in all {
        conn.query(sql, params![tenant.number()], |row| {
            findings.push(Finding {
                producer: public_id.to_owned(),
                kind,
                // A row about the producer itself has no other id.
                id: row.opt_text(0)?.unwrap_or(public_id).to_owned(),
                problem: problem
                    .replace("{1}", row.opt_text(1)?.unwrap_or_default())
                    .replace("{2}", row.opt_text(2)?.unwrap_or_default()),
            });
            Ok(())
        })
        .await?;
    }
    for (place, by) in figures::differences(conn, tenant).await? {
        let problem = format!("the sums of its sales differ from the orders by {}", in_words(by));
        let id = place.ticket_type_id;
        findings.push(Finding { producer: public_id.to_owned(), kind: "ticket_type", id, problem });
    }
    for (id, by) in promoter_sums::differences(conn, tenant).await? {
        let problem = format!("the sums of what they sold differ from the orders by {}", in_words(by));
        findings.push(Finding { producer: public_id.to_owned(), kind: "promoter", id, problem });
    }
    for (kind, id) in outdated_documents(conn, tenant).await? {
        let problem = "what is sent of it differs from its facts".to_owned();
        findings.push(Finding { producer: public_id.to_owned(), kind, id, problem });
    }
    for (kind, id) in complete::missing(conn, tenant).await? {
        let problem = "staff cannot find it by everything that is known of it".to_owned();
        findings.push(Finding { producer: public_id.to_owned(), kind, id, problem });
    }
    Ok(findings)
}

fn in_words(by: Sold) -> String {
    format!(
        "{} units and {}, of its refunds by {} units and {}",
        by.units, by.amount, by.refunded_units, by.refunded_amount
    )
}

/// The tickets and orders whose stored document is not what their facts say.
async fn outdated_documents(conn: &mut Conn, tenant: Tenant) -> Result<Vec<(&'static str, String)>> {
    let mut found = Vec::new();
    let mut last = String::new();
    loop {
        let states = every::states_after(conn, tenant, &last).await?;
        let Some((state, _)) = states.last() else { break };
        last.clone_from(&state.id);
        for (state, stored) in states {
            if state.document()? != stored {
                found.push(("ticket", state.id));
            }
        }
    }
    last.clear();
    loop {
        let orders = orders::after(conn, tenant, &last).await?;
        let Some((order, _)) = orders.last() else { return Ok(found) };
        last.clone_from(&order.id);
        for (order, stored) in orders {
            if documents::render(&order)? != stored {
                found.push(("order", order.id));
            }
        }
    }
}
