-- Webhooks: endpoints, the messages on their way to them, and every attempt to deliver one. Column names here call a
-- message an event and its place in an endpoint's sequence a number; 0007 renames them.
-- Deliveries and attempts get rows for every message. Their tables are in the files of each engine, because SQLite
-- stores rows in the index of the primary key only if told so (WITHOUT ROWID).

-- Set for a test message, which goes to this endpoint only.
ALTER TABLE outbox ADD COLUMN endpoint_id TEXT;

-- kinds are names separated by spaces. old_secrets are separated by spaces too, each with the time until which it
-- signs.
-- Messages up to outbox_seq have become deliveries, with places in the endpoint's sequence up to last_number.
-- A courier that works for an endpoint has a lease on it until lease_until. Nothing is sent before rests_until.
CREATE TABLE webhook_endpoints (
    producer_id      BIGINT NOT NULL REFERENCES producers (producer_id),
    id               TEXT   NOT NULL,
    url              TEXT   NOT NULL,
    kinds            TEXT   NOT NULL,
    personal_data    BIGINT NOT NULL,
    secret           TEXT   NOT NULL,
    old_secrets      TEXT   NOT NULL,
    state            TEXT   NOT NULL,
    state_since      BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    deleted_at       BIGINT,
    outbox_seq       BIGINT NOT NULL,
    last_number      BIGINT NOT NULL,
    rests_until      BIGINT NOT NULL,
    failing_since    BIGINT,
    last_success_at  BIGINT,
    lease_owner      TEXT   NOT NULL,
    lease_until      BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX webhook_endpoints_by_id ON webhook_endpoints (id);
