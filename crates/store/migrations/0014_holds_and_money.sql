-- Holds: a pending order keeps its stock until it is paid or its time is over. And payments that are never lost from sight.

-- When the hold of a pending order ends, by the database's clock; NULL if it never had one or was decided.
-- placed_from is the address that the shop's order came from, until the order is decided. past_holds_at is when staff
-- sold the order although others held its stock.
ALTER TABLE orders ADD COLUMN held_until BIGINT;
ALTER TABLE orders ADD COLUMN placed_from TEXT;
ALTER TABLE orders ADD COLUMN past_holds_at BIGINT;

-- The orders that a buyer, or an address, holds stock with.
CREATE INDEX orders_held_by_buyer ON orders (producer_id, lower(buyer_email), held_until)
    WHERE held_until IS NOT NULL AND channel = 'shop';
CREATE INDEX orders_held_from_address ON orders (producer_id, placed_from, held_until) WHERE placed_from IS NOT NULL;

-- Every hold. An order's items are its holds, so that the two cannot disagree.
CREATE VIEW holds AS
    SELECT o.producer_id, o.id AS order_id, i.ticket_type_id, i.quantity, o.held_until AS until
    FROM orders o JOIN order_items i ON i.producer_id = o.producer_id AND i.order_id = o.id
    WHERE o.held_until IS NOT NULL;

-- A payment is told of by a reference, which may belong to no order. paid_back_at and note are what staff wrote down.
CREATE TABLE old_payments AS SELECT * FROM payments;
DROP TABLE payments;
CREATE TABLE payments (
    producer_id  BIGINT NOT NULL REFERENCES producers (producer_id),
    id           TEXT   NOT NULL,
    outcome      TEXT   NOT NULL,
    reference    TEXT   NOT NULL,
    order_id     TEXT,
    amount       BIGINT NOT NULL,
    currency     TEXT   NOT NULL,
    result       TEXT   NOT NULL,
    received_at  BIGINT NOT NULL,
    paid_back_at BIGINT,
    note         TEXT,
    PRIMARY KEY (producer_id, id, outcome, reference)
);
INSERT INTO payments (producer_id, id, outcome, reference, order_id, amount, currency, result, received_at)
    SELECT p.producer_id, p.id, p.outcome, coalesce(CAST(p.producer_id AS TEXT) || '-' || o.reference, p.order_id),
        p.order_id, p.amount, p.currency, p.result, p.received_at
    FROM old_payments p LEFT JOIN orders o ON o.producer_id = p.producer_id AND o.id = p.order_id;
DROP TABLE old_payments;

-- What was paid for an order, oldest first; and what was paid and settled nothing, which staff work through.
CREATE INDEX payments_of_order ON payments (producer_id, order_id, received_at) WHERE order_id IS NOT NULL;
CREATE INDEX payments_unsettled ON payments (producer_id, received_at)
    WHERE outcome = 'paid' AND result NOT IN ('settled', 'settled_elsewhere') AND paid_back_at IS NULL;

-- Secrets that were replaced and still sign for a while, as in webhook_endpoints.
ALTER TABLE payment_accounts ADD COLUMN old_secrets TEXT NOT NULL DEFAULT '';
