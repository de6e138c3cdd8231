-- The orders behind the figures of sales: those of an event in the order in which they were sold, and in which they were
-- refunded. An order gets its entry when it is approved, at the end of its event's entries, so this costs a sale little.
-- The times are those of store/sales/figures.rs.
CREATE INDEX orders_by_sale ON orders (producer_id, event_id, coalesce(paid_at, created_at), id)
    WHERE status IN ('approved', 'refunded');
CREATE INDEX orders_by_refund ON orders (producer_id, event_id, coalesce(refunded_at, paid_at, created_at), id)
    WHERE status = 'refunded';
