//! What `check.rs` asks about promoters; see [`order_checks`](super::order_checks).

pub(super) const ALL: [(&str, &str, &str); 4] = [
    (
        "promoter",
        "{1} of their tickets are given away, more than the {2} that they may give",
        "SELECT id, CAST(given_away AS TEXT), CAST(complimentary AS TEXT) FROM promoters WHERE producer_id = ?1 \
         AND (given_away > complimentary OR given_away < 0)",
    ),
    (
        "promoter",
        "{1} tickets count as given away, but {2} are",
        "SELECT p.id, CAST(p.given_away AS TEXT), CAST(coalesce(c.given, 0) AS TEXT) FROM promoters p LEFT JOIN (\
         SELECT o.promoter_id AS id, count(*) AS given FROM orders o JOIN tickets t ON t.producer_id = ?1 AND t.order_id = o.id \
         WHERE o.producer_id = ?1 AND o.channel = 'promoter' AND t.hidden = 0 AND t.status IN ('valid', 'scanned') \
         GROUP BY o.promoter_id) c ON c.id = p.id WHERE p.producer_id = ?1 AND p.given_away <> coalesce(c.given, 0)",
    ),
    (
        "promoter",
        "what they sold in all differs from their days by {1}, what was refunded by {2}",
        "SELECT id, CAST(sum(units) AS TEXT) || ' units and ' || CAST(sum(amount) AS TEXT), \
         CAST(sum(refunded_units) AS TEXT) || ' units and ' || CAST(sum(refunded_amount) AS TEXT) FROM (\
         SELECT id, units, amount, refunded_units, refunded_amount FROM promoters WHERE producer_id = ?1 \
         UNION ALL SELECT promoter_id, -units, -amount, -refunded_units, -refunded_amount FROM promoter_sales \
         WHERE producer_id = ?1 AND channel <> 'promoter') s GROUP BY id HAVING sum(units) <> 0 OR sum(amount) <> 0 \
         OR sum(refunded_units) <> 0 OR sum(refunded_amount) <> 0",
    ),
    (
        "order",
        "it is of the promoter {1}, who is not there or of another event",
        "SELECT o.id, o.promoter_id, '' FROM orders o LEFT JOIN promoters p ON p.producer_id = ?1 AND p.id = o.promoter_id \
         AND p.event_id = o.event_id WHERE o.producer_id = ?1 AND o.promoter_id IS NOT NULL AND p.id IS NULL",
    ),
];
