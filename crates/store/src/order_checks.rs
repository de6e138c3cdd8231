//! What `check.rs` asks about the numbers of orders, their coupons, and about money that refunds owe: the kind of row, what is wrong with it
//! (`{1}` and `{2}` stand for the values), and a query about one producer (`?1`) whose rows are violations.

use super::sales::coupons::{USED_TOO_OFTEN, WRONG_USES};

pub(super) const ALL: [(&str, &str, &str); 5] = [
    ("coupon", "it was used {1}, but the orders make it {2}", WRONG_USES),
    ("coupon", "it is used {1} times, more than the {2} that it may be", USED_TOO_OFTEN),
    (
        "order",
        "its number is {1}, but the producer's numbers go from 1001 to {2}",
        "SELECT o.id, CAST(o.number AS TEXT), CAST(p.last_order_number AS TEXT) FROM orders o \
         JOIN clocks p ON p.producer_id = ?1 WHERE o.producer_id = ?1 \
         AND (o.number <= 1000 OR o.number > p.last_order_number)",
    ),
    (
        "order",
        "{1} is to be paid back or was, more than the {2} that were paid",
        "SELECT o.id, CAST(b.owed AS TEXT), CAST(coalesce(p.amount, o.total) AS TEXT) FROM (\
         SELECT order_id, sum(amount) AS owed FROM pay_backs WHERE producer_id = ?1 GROUP BY order_id) b \
         JOIN orders o ON o.producer_id = ?1 AND o.id = b.order_id LEFT JOIN payments p ON p.producer_id = ?1 \
         AND p.order_id = b.order_id AND p.outcome = 'paid' AND p.result = 'settled' \
         WHERE b.owed > coalesce(p.amount, o.total)",
    ),
    (
        "order",
        "{1} units of one of its items were refunded alone, more than the {2} that were sold",
        "SELECT r.order_id, CAST(r.units AS TEXT), CAST(coalesce(i.quantity, 0) AS TEXT) FROM (\
         SELECT order_id, position, sum(units) AS units, sum(amount) AS amount FROM refunded_items \
         WHERE producer_id = ?1 GROUP BY order_id, position) r LEFT JOIN order_items i ON i.producer_id = ?1 \
         AND i.order_id = r.order_id AND i.position = r.position \
         WHERE r.units > coalesce(i.quantity, 0) OR r.amount > coalesce(i.total, 0)",
    ),
];
