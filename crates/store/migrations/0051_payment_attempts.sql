-- Attempts to pay for orders at a payment processor, written before the processor is asked. No feed shows them. look_at is when
-- the processor is asked about one again.
CREATE TABLE payment_attempts (
    producer_id BIGINT NOT NULL,
    order_id    TEXT   NOT NULL,
    number      BIGINT NOT NULL,
    processor   TEXT   NOT NULL,
    state       TEXT   NOT NULL,
    session     TEXT,
    url         TEXT,
    problem     TEXT   NOT NULL DEFAULT '',
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    looked_at   BIGINT,
    look_at     BIGINT,
    PRIMARY KEY (producer_id, order_id, number)
);
CREATE INDEX payment_attempts_due ON payment_attempts (producer_id, look_at, order_id, number) WHERE look_at IS NOT NULL;
