-- The door: links that let people in, and everything that was shown to them.

-- How many listed tickets of an item are still to come and how many have entered, so that a door need not count them.
ALTER TABLE ticket_types ADD COLUMN valid_tickets BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ticket_types ADD COLUMN scanned_tickets BIGINT NOT NULL DEFAULT 0;
UPDATE ticket_types SET valid_tickets = c.valid, scanned_tickets = c.scanned FROM
    (SELECT producer_id, ticket_type_id, sum(CASE status WHEN 'valid' THEN 1 ELSE 0 END) AS valid,
            sum(CASE status WHEN 'scanned' THEN 1 ELSE 0 END) AS scanned
     FROM tickets WHERE hidden = 0 GROUP BY producer_id, ticket_type_id) c
    WHERE c.producer_id = ticket_types.producer_id AND c.ticket_type_id = ticket_types.id;

-- Every event has an id, and a query by event says so: a query for one item by its own id cannot use this index now, which
-- would walk through all items of the producer (see 0004).
DROP INDEX ticket_types_by_event;
CREATE INDEX ticket_types_by_event ON ticket_types (producer_id, event_id, sort_order, id) WHERE event_id IS NOT NULL;

-- categories, ticket_types and stations are JSON arrays of texts. No category and no ticket type is everything.
-- salt is what a phone's offline list of codes is hashed with.
CREATE TABLE door_links (
    id           TEXT   PRIMARY KEY,
    producer_id  BIGINT NOT NULL REFERENCES producers (producer_id),
    event_id     TEXT   NOT NULL,
    label        TEXT   NOT NULL,
    categories   TEXT   NOT NULL,
    ticket_types TEXT   NOT NULL,
    stations     TEXT   NOT NULL,
    hash         TEXT   NOT NULL UNIQUE,
    last_four    TEXT   NOT NULL,
    pin_hash     TEXT,
    salt         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);
CREATE INDEX door_links_by_producer ON door_links (producer_id, created_at);

-- Every attempt, admitted or not, and what was answered: the same scan_id gets the same answer for ever.
-- What was shown is kept as a hash; ticket_id is there where it is one of the producer's tickets. scanned_at is the
-- device's own time, accepted_at the server's. door_link_id is NULL for a scan from the command line.
CREATE TABLE scans (
    producer_id  BIGINT NOT NULL,
    scan_id      TEXT   NOT NULL,
    seq          BIGINT NOT NULL,
    door_link_id TEXT,
    station      TEXT   NOT NULL,
    code_hash    TEXT   NOT NULL,
    ticket_id    TEXT,
    outcome      TEXT   NOT NULL,
    scanned_at   BIGINT,
    accepted_at  BIGINT NOT NULL,
    answer       TEXT   NOT NULL,
    PRIMARY KEY (producer_id, scan_id)
);
-- The condition keeps PostgreSQL from finding one scan by walking through all of them (see 0004).
CREATE INDEX scans_of_link ON scans (producer_id, door_link_id, seq) WHERE door_link_id IS NOT NULL;
