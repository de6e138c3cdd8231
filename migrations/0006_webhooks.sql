-- Webhooks: who is told, every event on its way to them, and every attempt.
-- Rows that are written for every event live in their key, which SQLite has to be told (WITHOUT ROWID).

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

-- An event for an endpoint. Numbers rise by one, so that a receiver sees a gap. due_at is when it is sent next, and
-- once it is settled ('delivered' or 'failed') when it is forgotten: one index finds both.
-- rung is how many attempts of the present round failed, attempts how many there ever were.
CREATE TABLE webhook_deliveries (
    producer_id BIGINT NOT NULL,
    endpoint_id TEXT   NOT NULL,
    number      BIGINT NOT NULL,
    event_seq   BIGINT NOT NULL,
    status      TEXT   NOT NULL,
    due_at      BIGINT NOT NULL,
    rung        BIGINT NOT NULL,
    attempts    BIGINT NOT NULL,
    PRIMARY KEY (producer_id, endpoint_id, number)
) WITHOUT ROWID;
-- The condition keeps PostgreSQL from finding one delivery by walking through all of them (see 0004).
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (producer_id, endpoint_id, status, due_at, number) WHERE due_at IS NOT NULL;

-- Every attempt. status is NULL where no answer came, and problem says why.
CREATE TABLE webhook_attempts (
    producer_id  BIGINT NOT NULL,
    endpoint_id  TEXT   NOT NULL,
    number       BIGINT NOT NULL,
    attempt      BIGINT NOT NULL,
    attempted_at BIGINT NOT NULL,
    duration_ms  BIGINT NOT NULL,
    status       BIGINT,
    problem      TEXT,
    response     TEXT   NOT NULL,
    PRIMARY KEY (producer_id, endpoint_id, number, attempt)
) WITHOUT ROWID;
