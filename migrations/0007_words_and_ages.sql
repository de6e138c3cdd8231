-- One name for one thing, and what is old can be found.

-- A message (what a webhook carries) has a seq in its producer's outbox and a place in the sequence of each endpoint that
-- gets it, as receivers see it.
ALTER TABLE producers RENAME COLUMN sequence TO last_seq;
ALTER TABLE webhook_endpoints RENAME COLUMN last_number TO last_sequence;
ALTER TABLE webhook_deliveries RENAME COLUMN number TO sequence;
ALTER TABLE webhook_deliveries RENAME COLUMN event_seq TO message_seq;
ALTER TABLE webhook_attempts RENAME COLUMN number TO sequence;

-- Answers to orders are forgotten by their age.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (producer_id, created_at);

-- So are scans: those of a link along scans_of_link, whose seq rises with their age, and the few without a link along this.
CREATE INDEX scans_without_link ON scans (producer_id, seq) WHERE door_link_id IS NULL;
