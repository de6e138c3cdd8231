-- Money is in one place: it has paid for an order, was paid back, or somebody has to deal with it.

-- What refunds owe, until staff say that it was paid back. payment_id is the payment that had settled the order, if there
-- was one. note is what staff wrote down.
CREATE TABLE pay_backs (
    producer_id  BIGINT NOT NULL REFERENCES producers (producer_id),
    order_id     TEXT   NOT NULL,
    payment_id   TEXT,
    amount       BIGINT NOT NULL,
    currency     TEXT   NOT NULL,
    owed_at      BIGINT NOT NULL,
    paid_back_at BIGINT,
    note         TEXT,
    PRIMARY KEY (producer_id, order_id)
);
CREATE INDEX pay_backs_owed ON pay_backs (producer_id, owed_at, order_id) WHERE paid_back_at IS NULL;

-- Money that has paid for one order was listed again when it was told of for another one, and so was money that was paid
-- back.
UPDATE payments SET result = 'settled_elsewhere' WHERE outcome = 'paid' AND paid_back_at IS NULL
    AND result NOT IN ('settled', 'settled_elsewhere') AND EXISTS (SELECT 1 FROM payments s
    WHERE s.producer_id = payments.producer_id AND s.id = payments.id AND s.outcome = 'paid' AND s.result = 'settled'
    AND s.amount = payments.amount AND s.currency = payments.currency);
UPDATE payments SET paid_back_at = (SELECT min(s.paid_back_at) FROM payments s
    WHERE s.producer_id = payments.producer_id AND s.id = payments.id AND s.outcome = 'paid'
    AND s.amount = payments.amount AND s.currency = payments.currency)
    WHERE outcome = 'paid' AND paid_back_at IS NULL AND result NOT IN ('settled', 'settled_elsewhere');

-- A notice may come without a currency, and is money all the same. The condition, always true, keeps PostgreSQL from
-- finding one payment by walking through all of them (see 0004).
DROP INDEX payments_by_received;
CREATE INDEX payments_by_received ON payments (producer_id, received_at, id, outcome, reference)
    WHERE received_at + 1 <> 1;
