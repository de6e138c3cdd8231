-- Renames columns so that one thing has one name, and adds indexes that find old rows.

-- A message (what a webhook carries) has a seq in its producer's outbox. In each endpoint that gets it, it has a place
-- in the endpoint's sequence, which receivers see.
ALTER TABLE producers RENAME COLUMN sequence TO last_seq;
ALTER TABLE webhook_endpoints RENAME COLUMN last_number TO last_sequence;
ALTER TABLE webhook_deliveries RENAME COLUMN number TO sequence;
ALTER TABLE webhook_deliveries RENAME COLUMN event_seq TO message_seq;
ALTER TABLE webhook_attempts RENAME COLUMN number TO sequence;

-- Housekeeping deletes old answers to orders in the order of their age.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (producer_id, created_at) WHERE created_at IS NOT NULL;

-- Housekeeping deletes old scans too. Those of a link are found along scans_of_link, where seq rises with age, and the
-- few without a link along this index.
CREATE INDEX scans_without_link ON scans (producer_id, seq) WHERE door_link_id IS NULL;
