-- Terms that buyers accept. Those of an event are for that event, those without one for all events of the producer that have none of
-- their own. A row never changes but for its end, because orders keep which terms their buyers accepted.
CREATE TABLE terms (
    producer_id BIGINT NOT NULL REFERENCES clocks (producer_id),
    id          TEXT   NOT NULL,
    event_id    TEXT   NOT NULL DEFAULT '',
    text        TEXT,
    url         TEXT,
    created_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (producer_id, id),
    CHECK (text IS NOT NULL OR url IS NOT NULL)
);
CREATE UNIQUE INDEX terms_in_force ON terms (producer_id, event_id) WHERE ended_at IS NULL;
-- The terms that the buyer accepted when the order was placed.
ALTER TABLE orders ADD COLUMN terms_id TEXT;
-- What buyers say of those who come: none, name, name_and_email.
ALTER TABLE events ADD COLUMN attendees_asked TEXT NOT NULL DEFAULT 'none';
