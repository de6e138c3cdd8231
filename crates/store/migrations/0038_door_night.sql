-- What a door is told besides its scans, and doors of a night with several events.

-- What the scanner shows with a ticket, such as "VIP"; empty is nothing. A ticket's own note may be about its attendee.
ALTER TABLE ticket_types ADD COLUMN door_note TEXT NOT NULL DEFAULT '';
ALTER TABLE tickets ADD COLUMN door_note TEXT NOT NULL DEFAULT '';

-- more_events: the events of a link besides its first one, as a list in JSON. A link is read with every call, in one look.
ALTER TABLE door_links ADD COLUMN more_events TEXT NOT NULL DEFAULT '[]';
-- The same, to find an event's links by.
CREATE TABLE door_link_events (
    producer_id  BIGINT NOT NULL REFERENCES producers (producer_id),
    event_id     TEXT   NOT NULL,
    made_at      BIGINT NOT NULL,
    door_link_id TEXT   NOT NULL,
    PRIMARY KEY (producer_id, event_id, made_at, door_link_id)
);
