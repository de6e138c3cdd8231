-- The box office: what is needed to sell, to be paid, and to tell others of it.

-- What the buyer of an order looks it up by; imported orders have none.
ALTER TABLE orders ADD COLUMN reference TEXT;
CREATE UNIQUE INDEX orders_by_reference ON orders (producer_id, reference) WHERE reference IS NOT NULL;

-- What a buyer of a hidden item must show.
ALTER TABLE ticket_types ADD COLUMN access_code TEXT;

-- Whether a sold bundle still has a live ticket.
CREATE INDEX tickets_of_bundle ON tickets (producer_id, bundle_id, bundle_unit, coalesce(order_id, '')) WHERE bundle_id IS NOT NULL;

-- All tickets of an order, hidden ones too, for a refund.
CREATE INDEX tickets_of_order ON tickets (producer_id, order_id) WHERE order_id IS NOT NULL;

-- Who each unit of an item is for, where the buyer said so; needed when a pending order is approved.
CREATE TABLE order_attendees (
    producer_id BIGINT NOT NULL,
    order_id    TEXT   NOT NULL,
    position    BIGINT NOT NULL,
    unit        BIGINT NOT NULL,
    name        TEXT   NOT NULL,
    email       TEXT   NOT NULL,
    phone       TEXT,
    document    TEXT   NOT NULL,
    PRIMARY KEY (producer_id, order_id, position, unit),
    FOREIGN KEY (producer_id, order_id) REFERENCES orders (producer_id, id)
);

-- The answer that was given to an order placed with this key.
CREATE TABLE idempotency_keys (
    producer_id  BIGINT NOT NULL,
    key          TEXT   NOT NULL,
    request_hash TEXT   NOT NULL,
    answer       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (producer_id, key)
);

-- Events that others are told of, written with the change they tell of. data is the resource at that moment.
CREATE TABLE outbox (
    producer_id BIGINT NOT NULL,
    seq         BIGINT NOT NULL,
    id          TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    occurred_at BIGINT NOT NULL,
    data        TEXT   NOT NULL,
    PRIMARY KEY (producer_id, seq)
);

-- What a payment processor signs its callbacks with.
CREATE TABLE payment_accounts (
    producer_id BIGINT PRIMARY KEY REFERENCES producers (producer_id),
    secret      TEXT   NOT NULL,
    created_at  BIGINT NOT NULL
);

-- Every payment that was told of, settled or not, so that none is taken twice and none is lost.
-- result is 'settled', or the code of what stood in the way. One payment settles one order.
CREATE TABLE payments (
    producer_id BIGINT NOT NULL,
    id          TEXT   NOT NULL,
    outcome     TEXT   NOT NULL,
    order_id    TEXT   NOT NULL,
    amount      BIGINT NOT NULL,
    currency    TEXT   NOT NULL,
    result      TEXT   NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id, outcome, order_id)
);
