-- What the live page of a door shows, kept as it happens, so that no page counts.

-- How many listed tickets of an event entered in each minute, by ticket type. minute is when the minute began. Like
-- scanned_tickets, a count goes down again when a ticket is cancelled, refunded or hidden after it entered. There is no
-- station in it: with one, the longest ids and names would not fit into a row of PostgreSQL's index.
CREATE TABLE entries (
    producer_id    BIGINT NOT NULL,
    event_id       TEXT   NOT NULL,
    minute         BIGINT NOT NULL,
    ticket_type_id TEXT   NOT NULL,
    entered        BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, minute, ticket_type_id)
);
INSERT INTO entries (producer_id, event_id, minute, ticket_type_id, entered)
    SELECT producer_id, event_id, checked_in_at - (checked_in_at % 60000000 + 60000000) % 60000000, ticket_type_id, count(*)
    FROM tickets WHERE hidden = 0 AND status = 'scanned' AND checked_in_at IS NOT NULL
    GROUP BY producer_id, event_id, checked_in_at - (checked_in_at % 60000000 + 60000000) % 60000000, ticket_type_id;

-- conflict: a phone that was offline let somebody in, and the server does not admit the ticket. It is not known of scans
-- from before.
ALTER TABLE scans ADD COLUMN conflict BIGINT NOT NULL DEFAULT 0;
CREATE INDEX scans_in_conflict ON scans (producer_id, door_link_id, seq) WHERE conflict = 1;
-- The condition is an equation because PostgreSQL, without statistics, takes that for seldom true, and then prefers this
-- index to the one of all scans of the link.
CREATE INDEX scans_refused ON scans (producer_id, door_link_id, seq)
    WHERE CASE outcome WHEN 'admitted' THEN 0 ELSE 1 END = 1;

-- How many scans came through each door link, by outcome, and how many of them are conflicts. Old scans are forgotten;
-- these counts stay.
CREATE TABLE link_scans (
    producer_id  BIGINT NOT NULL,
    door_link_id TEXT   NOT NULL,
    outcome      TEXT   NOT NULL,
    scans        BIGINT NOT NULL,
    conflicts    BIGINT NOT NULL,
    PRIMARY KEY (producer_id, door_link_id, outcome)
);
INSERT INTO link_scans (producer_id, door_link_id, outcome, scans, conflicts)
    SELECT producer_id, door_link_id, outcome, count(*), 0 FROM scans WHERE door_link_id IS NOT NULL
    GROUP BY producer_id, door_link_id, outcome;

CREATE INDEX door_links_of_event ON door_links (producer_id, event_id, created_at);
-- The events of a producer by their start: those of tonight, and those before and after. The conditions keep PostgreSQL from
-- finding one event by walking through all of them (see 0004).
CREATE INDEX events_of_producer_by_start ON events (producer_id, starts_at, id) WHERE starts_at IS NOT NULL;
CREATE INDEX events_of_producer_undated ON events (producer_id, id) WHERE starts_at IS NULL;
