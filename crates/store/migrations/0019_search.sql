-- Words that staff find orders and tickets by.

-- How far the orders and the tickets of a producer have their words in search_words: everything up to these positions of
-- the lists by update (indexing.rs). A producer without a row has none yet.
CREATE TABLE search_marks (
    producer_id BIGINT PRIMARY KEY REFERENCES producers (producer_id),
    orders_at   BIGINT NOT NULL,
    orders_seq  BIGINT NOT NULL,
    tickets_at  BIGINT NOT NULL,
    tickets_seq BIGINT NOT NULL
);

-- Pages name a ticket by the moment of its issue and its seq, never by its id, which opens a door. tickets_by_issued finds
-- those that are listed, and this one the few that are hidden.
CREATE INDEX tickets_hidden ON tickets (producer_id, issued_at, seq) WHERE hidden = 1;

-- What was shown of one ticket at doors.
CREATE INDEX scans_of_ticket ON scans (producer_id, ticket_id, seq) WHERE ticket_id IS NOT NULL;
