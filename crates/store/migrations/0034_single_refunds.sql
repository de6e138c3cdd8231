-- Tickets of an order are refunded alone, so an order may owe several sums, each since a move of its own.
CREATE TABLE old_pay_backs AS SELECT * FROM pay_backs;
DROP TABLE pay_backs;
CREATE TABLE pay_backs (
    producer_id  BIGINT NOT NULL REFERENCES producers (producer_id),
    order_id     TEXT   NOT NULL,
    owed_at      BIGINT NOT NULL,
    payment_id   TEXT,
    amount       BIGINT NOT NULL,
    currency     TEXT   NOT NULL,
    paid_back_at BIGINT,
    note         TEXT,
    PRIMARY KEY (producer_id, order_id, owed_at)
);
INSERT INTO pay_backs (producer_id, order_id, owed_at, payment_id, amount, currency, paid_back_at, note)
    SELECT producer_id, order_id, owed_at, payment_id, amount, currency, paid_back_at, note FROM old_pay_backs;
DROP TABLE old_pay_backs;
CREATE INDEX pay_backs_owed ON pay_backs (producer_id, owed_at, order_id) WHERE paid_back_at IS NULL;

-- Units of an order's items that were refunded alone, and what they cost. The refund of the order takes the rest.
CREATE TABLE refunded_items (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    order_id    TEXT   NOT NULL,
    refunded_at BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    units       BIGINT NOT NULL,
    amount      BIGINT NOT NULL,
    PRIMARY KEY (producer_id, order_id, refunded_at, position)
);
