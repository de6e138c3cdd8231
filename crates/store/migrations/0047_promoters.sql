-- Promoters: who sells for the producer at an event, and how many tickets each may give away. Only the hash of a token is kept.
-- units to refunded_amount are the sums of promoter_sales, without what was given away; given_away are the tickets of the
-- contingent that are live.
CREATE TABLE promoters (
    producer_id     BIGINT NOT NULL,
    id              TEXT   NOT NULL,
    event_id        TEXT   NOT NULL,
    name            TEXT   NOT NULL,
    hash            TEXT   NOT NULL,
    last_four       TEXT   NOT NULL,
    complimentary   BIGINT NOT NULL,
    given_away      BIGINT NOT NULL DEFAULT 0,
    units           BIGINT NOT NULL DEFAULT 0,
    amount          BIGINT NOT NULL DEFAULT 0,
    refunded_units  BIGINT NOT NULL DEFAULT 0,
    refunded_amount BIGINT NOT NULL DEFAULT 0,
    created_at      BIGINT NOT NULL,
    ended_at        BIGINT,
    PRIMARY KEY (producer_id, id),
    FOREIGN KEY (producer_id, event_id) REFERENCES events (producer_id, id),
    CHECK (given_away <= complimentary)
);
CREATE UNIQUE INDEX promoters_by_hash ON promoters (producer_id, hash);
CREATE INDEX promoters_of_event ON promoters (producer_id, event_id, created_at);

-- What each promoter sold and gave away, as in sales.
CREATE TABLE promoter_sales (
    producer_id     BIGINT NOT NULL,
    promoter_id     TEXT   NOT NULL,
    day             BIGINT NOT NULL,
    ticket_type_id  TEXT   NOT NULL,
    channel         TEXT   NOT NULL,
    event_id        TEXT   NOT NULL,
    units           BIGINT NOT NULL,
    amount          BIGINT NOT NULL,
    refunded_units  BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, promoter_id, day, ticket_type_id, channel),
    FOREIGN KEY (producer_id, promoter_id) REFERENCES promoters (producer_id, id)
);
CREATE INDEX promoter_sales_of_event ON promoter_sales (producer_id, event_id, day, promoter_id);
