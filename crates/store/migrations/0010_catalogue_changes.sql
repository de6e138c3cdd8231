-- Changes of the catalogue get a stamp, and endpoints catch up after an outage.

-- When anything about a ticket type last changed, apart from its counts. What changed before is not known; no ticket
-- type has changed since its event did, as far as anybody was told.
ALTER TABLE ticket_types ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
UPDATE ticket_types SET updated_at = e.updated_at FROM events e
    WHERE e.producer_id = ticket_types.producer_id AND e.id = ticket_types.event_id;

-- While an endpoint catches up, messages that wait for another attempt are sent before their time, in the order of its
-- sequence. This is the last place that was. NULL while it does not catch up.
ALTER TABLE webhook_endpoints ADD COLUMN caught_up_to BIGINT;
-- Those messages. One that is delivered at the first attempt never gets into this index.
CREATE INDEX webhook_deliveries_again ON webhook_deliveries (producer_id, endpoint_id, sequence) WHERE status = 'pending' AND rung > 0;
