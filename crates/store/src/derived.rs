//! Values that follow from the facts, as SQL: a ticket's status, and the counts of a ticket type. The import writes
//! them, and a check compares them with what is stored.
//!
//! Figures are kept, not counted: `sales`, `event_sales`, `event_totals`, `promoter_sales`, `entries`, `inside` and `link_scans` change in the move that changes
//! the order, the ticket or the scan. Days are those of the event's time zone, so a page reads as many rows as it has
//! days; an event that gets another time zone is counted anew in that move. Scans are forgotten and their counts are
//! not, so there the check compares one way.

use std::sync::LazyLock;

use taquilla_domain::status::TicketStatus;

/// The `CASE` that derives a ticket's status from its facts, in the order of precedence. `ticket` is the ticket's alias;
/// `refunded` tells whether its order was refunded.
pub(super) fn status_case(ticket: &str, refunded: &str) -> String {
    let cases: Vec<String> = TicketStatus::PRECEDENCE
        .iter()
        .map(|status| {
            let fact = match status {
                TicketStatus::Transferred => format!("{ticket}.transferred_to IS NOT NULL"),
                TicketStatus::Refunded => refunded.to_owned(),
                TicketStatus::Cancelled => format!("{ticket}.cancelled_at IS NOT NULL"),
                TicketStatus::Scanned => format!("{ticket}.checked_in_at IS NOT NULL"),
                TicketStatus::Valid => "1 = 1".into(),
            };
            format!("WHEN {fact} THEN '{}'", status.as_str())
        })
        .collect();
    format!("CASE {} END", cases.join(" "))
}

/// `sold` of each ticket type and bundle: live tickets of direct sales, and bundles with a live ticket (G5).
pub(super) const SOLD: &str = "SELECT ticket_type_id AS id, count(*) AS sold FROM tickets WHERE producer_id = ?1 AND hidden = 0 \
     AND from_bundle = 0 AND status IN ('valid', 'scanned') GROUP BY ticket_type_id \
     UNION ALL SELECT bundle_id, count(*) FROM (SELECT DISTINCT bundle_id, order_id, bundle_unit FROM tickets \
     WHERE producer_id = ?1 AND hidden = 0 AND bundle_id IS NOT NULL AND status IN ('valid', 'scanned')) u GROUP BY bundle_id";

/// Microseconds of a quarter of an hour. The offsets of all time zones are whole quarters, and so their days are.
pub(super) const QUARTER: i64 = 900_000_000;

/// The quarter of an hour in which a time is, for times before 1970 too.
pub(super) fn quarter_of(time: &str) -> String {
    format!("{time} - (({time} % {QUARTER}) + {QUARTER}) % {QUARTER}")
}

/// What was sold and refunded of each item of an event, by channel and quarter of an hour (`store/sales/figures.rs`).
/// The event's time zone tells the day of a quarter. `of_one` is whether only the event `?2` is asked for.
pub(super) fn sales(of_one: bool) -> String {
    sold(of_one, "", "")
}

/// The same of each promoter, whose id is the last column.
pub(super) fn promoter_sales(of_one: bool) -> String {
    sold(of_one, ", o.promoter_id", " AND o.promoter_id IS NOT NULL")
}

/// The sums by what else is `named` of an order, where the order fulfils a condition.
fn sold(of_one: bool, named: &str, condition: &str) -> String {
    let (sold, refunded) = (
        quarter_of("coalesce(o.paid_at, o.created_at)"),
        quarter_of("coalesce(o.refunded_at, o.paid_at, o.created_at)"),
    );
    // What was refunded alone counts by itself, and is left out of the refund of its order.
    let alone = quarter_of("r.refunded_at");
    let (of_item, end) = (
        "(SELECT coalesce(sum(r.",
        "), 0) FROM refunded_items r WHERE r.producer_id = ?1 AND r.order_id = i.order_id AND r.position = i.position)",
    );
    let items = "i.ticket_type_id, coalesce(o.channel, '') AS channel";
    let of_event = format!("{}{condition}", if of_one { " AND o.event_id = ?2" } else { "" });
    let also = named.replace("o.", "s.");
    let from = format!(
        "FROM orders o JOIN order_items i ON i.producer_id = ?1 AND i.order_id = o.id WHERE o.producer_id = ?1{of_event}"
    );
    format!(
        "SELECT s.event_id, e.timezone, s.quarter, s.ticket_type_id, s.channel, CAST(sum(s.units) AS BIGINT), \
         CAST(sum(s.amount) AS BIGINT), CAST(sum(s.refunded_units) AS BIGINT), CAST(sum(s.refunded_amount) AS BIGINT){also} FROM (\
         SELECT o.event_id, {sold} AS quarter, {items}, i.quantity AS units, i.total AS amount, 0 AS refunded_units, \
         0 AS refunded_amount{named} {from} AND o.status IN ('approved', 'refunded') \
         UNION ALL SELECT o.event_id, {refunded}, {items}, 0, 0, i.quantity - {of_item}units{end}, i.total - {of_item}amount{end}{named} \
         {from} AND o.status = 'refunded' UNION ALL SELECT o.event_id, {alone}, {items}, 0, 0, r.units, r.amount{named} FROM orders o \
         JOIN refunded_items r ON r.producer_id = ?1 AND r.order_id = o.id JOIN order_items i ON i.producer_id = ?1 \
         AND i.order_id = o.id AND i.position = r.position WHERE o.producer_id = ?1{of_event}) s \
         JOIN events e ON e.producer_id = ?1 AND e.id = s.event_id \
         GROUP BY s.event_id, e.timezone, s.quarter, s.ticket_type_id, s.channel{also}"
    )
}

/// Scanned tickets of each ticket type and station, for the door.
pub(super) const ENTRIES: &str = "SELECT ticket_type_id, checked_in_by AS station, count(*) AS entered FROM tickets \
     WHERE producer_id = ?1 AND hidden = 0 AND status = 'scanned' AND checked_in_by IS NOT NULL \
     GROUP BY ticket_type_id, checked_in_by";

/// The beginning of the minute in which a ticket entered. Both engines round a division towards zero, and imported times may
/// be before 1970.
pub(super) const MINUTE: &str = "checked_in_at - (checked_in_at % 60000000 + 60000000) % 60000000";

/// Scanned tickets of each event, minute and ticket type, for the door.
pub(super) static MINUTES: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT event_id, {MINUTE} AS minute, ticket_type_id, count(*) AS entered FROM tickets \
         WHERE producer_id = ?1 AND hidden = 0 AND status = 'scanned' AND checked_in_at IS NOT NULL \
         GROUP BY event_id, {MINUTE}, ticket_type_id"
    )
});

/// Scanned tickets of people who are inside, of each event, zone and ticket type.
pub(super) const INSIDE: &str = "SELECT event_id, zone, ticket_type_id, count(*) AS inside FROM tickets \
     WHERE producer_id = ?1 AND hidden = 0 AND status = 'scanned' AND outside = 0 GROUP BY event_id, zone, ticket_type_id";

/// The counts of valid and scanned tickets of each ticket type, for the door.
pub(super) const COUNTED: &str = "SELECT ticket_type_id AS id, CAST(sum(CASE status WHEN 'valid' THEN 1 ELSE 0 END) AS BIGINT) AS valid, \
     CAST(sum(CASE status WHEN 'scanned' THEN 1 ELSE 0 END) AS BIGINT) AS scanned FROM tickets WHERE producer_id = ?1 AND hidden = 0 \
     GROUP BY ticket_type_id";

/// Cash of shifts that have ended which is not what it was to be: what the drawer began with, and what its person took and
/// did not pay back in cash between the two stamps. Each row has the shift, what was written down, and what follows.
pub(super) const WRONG_CASH: &str = "SELECT c.shift_id, CAST(c.expected AS TEXT), CAST(c.derived AS TEXT) FROM (\
     SELECT a.shift_id, a.expected, a.begun_with + coalesce((SELECT sum(o.total) FROM orders o WHERE o.producer_id = ?1 \
     AND o.sold_by = s.person AND o.payment_method = 'cash' AND o.currency = a.currency AND o.paid_at > s.begun_at \
     AND o.paid_at < s.ended_at), 0) - coalesce((SELECT sum(b.amount) FROM pay_backs b WHERE b.producer_id = ?1 \
     AND b.paid_back_by = s.person AND b.method = 'cash' AND b.currency = a.currency AND b.paid_back_at > s.begun_at \
     AND b.paid_back_at < s.ended_at), 0) AS derived FROM shift_cash a JOIN shifts s ON s.producer_id = ?1 \
     AND s.id = a.shift_id WHERE a.producer_id = ?1 AND s.ended_at IS NOT NULL) c \
     WHERE c.expected IS NULL OR c.expected <> c.derived";
