//! The questions that are asked most, as views.

use super::engine::Engine;

/// A view, and what it tells.
#[derive(Debug)]
pub struct View {
    pub name: &'static str,
    pub meaning: &'static str,
    sql: &'static str,
}

impl View {
    /// What it selects. The engines differ in what they do with time.
    pub fn sql(&self, engine: Engine) -> String {
        let (quarter, day) = match engine {
            Engine::Sqlite => (
                "strftime('%Y-%m-%dT%H:', t.checked_in_at) \
                 || printf('%02d', CAST(strftime('%M', t.checked_in_at) AS INTEGER) / 15 * 15) || ':00.000000Z'",
                "substr(coalesce(o.paid_at, o.created_at), 1, 10)",
            ),
            Engine::Postgres => (
                "date_bin('15 minutes', t.checked_in_at, TIMESTAMPTZ '2000-01-01 00:00:00+00')",
                "(coalesce(o.paid_at, o.created_at) AT TIME ZONE 'UTC')::date",
            ),
        };
        self.sql.replace("{quarter}", quarter).replace("{day}", day)
    }
}

/// The views. Each stands on tables only.
pub static VIEWS: [View; 6] = [
    View {
        name: "entered",
        meaning: "Who has entered: tickets that read scanned. Those with the category ticket are people.",
        sql: "SELECT t.event_id, t.id AS ticket_id, y.name AS ticket_type, y.category, t.attendee_name, t.checked_in_at, \
              t.checked_in_by FROM tickets t LEFT JOIN ticket_types y ON y.id = t.ticket_type_id WHERE t.status = 'scanned'",
    },
    View {
        name: "still_to_come",
        meaning: "Who is still to come: tickets that read valid. Those with the category ticket are people.",
        sql: "SELECT t.event_id, t.id AS ticket_id, y.name AS ticket_type, y.category, t.attendee_name, t.issued_at \
              FROM tickets t LEFT JOIN ticket_types y ON y.id = t.ticket_type_id WHERE t.status = 'valid'",
    },
    View {
        name: "entries_by_quarter_hour",
        meaning: "How many people and other tickets went through the door in each quarter of an hour, in UTC.",
        sql: "SELECT t.event_id, {quarter} AS quarter, \
              sum(CASE WHEN y.category = 'ticket' THEN 1 ELSE 0 END) AS people, count(*) AS tickets \
              FROM tickets t LEFT JOIN ticket_types y ON y.id = t.ticket_type_id \
              WHERE t.checked_in_at IS NOT NULL GROUP BY 1, 2",
    },
    View {
        name: "sold_against_listed",
        meaning: "For each single item, sold as the API counts it and the live tickets that are listed; both are the same. For \
                  a bundle, bundles sold and live tickets out of them, which are more.",
        sql: "SELECT y.event_id, y.id AS ticket_type_id, y.kind, y.name, y.sold, count(t.id) AS listed FROM ticket_types y \
              LEFT JOIN tickets t ON t.status IN ('valid', 'scanned') AND t.event_id = y.event_id \
              AND ((y.kind <> 'bundle' AND t.ticket_type_id = y.id AND NOT t.from_bundle) \
              OR (y.kind = 'bundle' AND t.bundle_id = y.id)) GROUP BY y.event_id, y.id, y.kind, y.name, y.sold",
    },
    View {
        name: "current_holders",
        meaning: "Who holds each ticket that was passed on: the first ticket, the present one, and how often it changed hands.",
        sql: "WITH RECURSIVE passed (first_ticket_id, ticket_id, times) AS (\
              SELECT t.id, t.transferred_to_ticket_id, 1 FROM tickets t WHERE t.transferred_to_ticket_id IS NOT NULL \
              AND NOT EXISTS (SELECT 1 FROM tickets b WHERE b.transferred_to_ticket_id = t.id) \
              UNION ALL SELECT p.first_ticket_id, t.transferred_to_ticket_id, p.times + 1 FROM passed p \
              JOIN tickets t ON t.id = p.ticket_id WHERE t.transferred_to_ticket_id IS NOT NULL AND p.times < 1000) \
              SELECT t.event_id, p.first_ticket_id, p.ticket_id, p.times, t.status, t.attendee_id, t.attendee_name \
              FROM passed p JOIN tickets t ON t.id = p.ticket_id WHERE t.transferred_to_ticket_id IS NULL",
    },
    View {
        name: "revenue_by_item_and_day",
        meaning: "What was paid for each item on each day (in UTC, by paid_at, else created_at), with what was really paid \
                  instead of list prices; refunded is the part of it whose orders were refunded.",
        sql: "SELECT {day} AS day, o.event_id, i.ticket_type_id, i.name, o.currency, sum(i.quantity) AS quantity, \
              sum(i.total) AS paid, sum(CASE WHEN o.status = 'refunded' THEN i.total ELSE 0 END) AS refunded \
              FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.status IN ('approved', 'refunded') \
              GROUP BY 1, 2, 3, 4, 5",
    },
];
