-- Going out and coming in again, and how many are inside.

-- Whether people may go out with tickets of this type and come in again.
ALTER TABLE ticket_types ADD COLUMN reentry BIGINT NOT NULL DEFAULT 0;
-- The part of the place that a link's doors lead to; empty is the place as a whole.
ALTER TABLE door_links ADD COLUMN zone TEXT NOT NULL DEFAULT '';

-- Where somebody is who has entered: outside, or in the zone of the door they last came in by. passed_at is when they last
-- went out or came back. No feed shows it: the first entry stays the entry.
ALTER TABLE tickets ADD COLUMN outside BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tickets ADD COLUMN passed_at BIGINT;
ALTER TABLE tickets ADD COLUMN zone TEXT NOT NULL DEFAULT '';
CREATE INDEX tickets_outside ON tickets (producer_id, event_id, passed_at) WHERE outside = 1;

-- How many have entered and are not outside, by zone and ticket type.
CREATE TABLE inside (
    producer_id    BIGINT NOT NULL,
    event_id       TEXT   NOT NULL,
    zone           TEXT   NOT NULL,
    ticket_type_id TEXT   NOT NULL,
    inside         BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, zone, ticket_type_id)
);
INSERT INTO inside (producer_id, event_id, zone, ticket_type_id, inside)
SELECT producer_id, event_id, '', ticket_type_id, count(*) FROM tickets
WHERE hidden = 0 AND status = 'scanned' GROUP BY producer_id, event_id, ticket_type_id;

-- How many people may be inside before pages and phones warn; the zone '' is the whole event. Nothing refuses by it.
CREATE TABLE inside_limits (
    producer_id BIGINT NOT NULL,
    event_id    TEXT   NOT NULL,
    zone        TEXT   NOT NULL,
    people      BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, zone)
);

-- Nobody is refused who goes out or comes back.
DROP INDEX scans_refused;
CREATE INDEX scans_refused ON scans (producer_id, door_link_id, seq) WHERE CASE outcome WHEN 'admitted' THEN 0
    WHEN 'entry_undone' THEN 0 WHEN 'reentered' THEN 0 WHEN 'went_out' THEN 0 ELSE 1 END = 1;
