-- Orders that nobody has paid, and the payments of an order.

-- Housekeeping rejects pending orders of the shop that nobody has paid, in the order of their age. What staff or an
-- import placed is theirs to decide.
CREATE INDEX orders_unpaid ON orders (producer_id, created_at, seq) WHERE status = 'pending' AND channel = 'shop';

-- What was paid for an order, oldest first. The condition keeps PostgreSQL from finding one payment by walking through
-- all of them (see 0004).
CREATE INDEX payments_of_order ON payments (producer_id, order_id, received_at) WHERE order_id IS NOT NULL;
