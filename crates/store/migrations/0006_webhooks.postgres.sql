-- A message for an endpoint. Its number, the place in the endpoint's sequence, rises by one, so that a receiver sees a
-- gap. due_at is when the message is sent next or, once it is settled ('delivered' or 'failed'), when it is deleted:
-- one index finds both. rung is how many attempts of the present round failed, attempts how many there ever were.
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
);
-- The condition keeps PostgreSQL from finding one delivery by walking through all of them (see 0004).
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (producer_id, endpoint_id, status, due_at, number) WHERE due_at IS NOT NULL;

-- Every attempt. status is the answer's HTTP status, or NULL if there was no answer. problem says why there was none,
-- or why the answer broke off.
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
);
