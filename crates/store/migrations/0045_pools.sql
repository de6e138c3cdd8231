-- Pools: places that several items of an event share. What is taken of one follows from the tickets of its items.
CREATE TABLE pools (
    producer_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    name TEXT NOT NULL,
    pool_limit BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX pools_of_event ON pools (producer_id, event_id);

CREATE TABLE pool_items (
    producer_id BIGINT NOT NULL,
    pool_id TEXT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    PRIMARY KEY (producer_id, pool_id, ticket_type_id)
);
CREATE INDEX pools_of_item ON pool_items (producer_id, ticket_type_id);
-- Which bundles include an item.
CREATE INDEX bundles_of_item ON bundle_items (producer_id, ticket_type_id);
