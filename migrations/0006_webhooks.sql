-- Webhooks: who is told, every event on its way to them, and every attempt.
-- Rows that are written for every event live in their key, which SQLite has to be told (WITHOUT ROWID): those tables are in
-- the files of each engine.

-- A test is for one endpoint only.
ALTER TABLE outbox ADD COLUMN endpoint_id TEXT;

-- kinds are names with a space between; old_secrets, too, each with the time until which it signs. Events up to outbox_seq have become deliveries, numbered up to last_number.
-- A server that works for an endpoint has it to itself until lease_until. Nothing is sent to it before rests_until.
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
