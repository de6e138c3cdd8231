-- The foundation: producers, keys, and everything the read API shows.
--
-- One text for both engines: stamps are microseconds and flags are 0 or 1, all BIGINT; ids are TEXT.
-- producer_id is an internal number (producers.id is the public one): it begins every key and index,
-- so that a producer's rows lie together and the schema can be distributed by it.
-- seq is taken from the producer's own counter in the writing transaction; it breaks ties between equal stamps.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE producers (
    producer_id BIGINT PRIMARY KEY,
    id          TEXT   NOT NULL UNIQUE,
    name        TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    -- The producer's clock: the last stamp given out, and the last seq.
    clock       BIGINT NOT NULL,
    sequence    BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id           TEXT   PRIMARY KEY,
    producer_id  BIGINT NOT NULL REFERENCES producers (producer_id),
    name         TEXT   NOT NULL,
    permissions  TEXT   NOT NULL,
    hash         TEXT   NOT NULL UNIQUE,
    last_four    TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);
CREATE INDEX api_keys_by_producer ON api_keys (producer_id, created_at);

CREATE TABLE events (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    seq         BIGINT NOT NULL,
    id          TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    description TEXT,
    venue       TEXT,
    timezone    TEXT   NOT NULL,
    starts_at   BIGINT,
    ends_at     BIGINT,
    currency    TEXT   NOT NULL,
    status      TEXT   NOT NULL,
    image_url   TEXT,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX events_by_created ON events (producer_id, created_at, seq);
CREATE INDEX events_by_updated ON events (producer_id, updated_at, seq);

-- kind is ticket_type or bundle. sold is counted as rows change, in the same transaction.
CREATE TABLE ticket_types (
    producer_id   BIGINT NOT NULL,
    id            TEXT   NOT NULL,
    event_id      TEXT   NOT NULL,
    kind          TEXT   NOT NULL,
    category      TEXT   NOT NULL,
    name          TEXT   NOT NULL,
    description   TEXT,
    image_url     TEXT,
    price         BIGINT NOT NULL,
    currency      TEXT   NOT NULL,
    status        TEXT   NOT NULL,
    deleted       BIGINT NOT NULL,
    stock_limit   BIGINT,
    sold          BIGINT NOT NULL,
    max_per_order BIGINT NOT NULL,
    expires_at    BIGINT,
    sort_order    BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id),
    FOREIGN KEY (producer_id, event_id) REFERENCES events (producer_id, id),
    CHECK (stock_limit IS NULL OR sold <= stock_limit)
);
CREATE INDEX ticket_types_by_event ON ticket_types (producer_id, event_id, sort_order, id);

CREATE TABLE bundle_items (
    producer_id    BIGINT NOT NULL,
    bundle_id      TEXT   NOT NULL,
    position       BIGINT NOT NULL,
    ticket_type_id TEXT   NOT NULL,
    quantity       BIGINT NOT NULL,
    PRIMARY KEY (producer_id, bundle_id, position),
    FOREIGN KEY (producer_id, bundle_id) REFERENCES ticket_types (producer_id, id),
    FOREIGN KEY (producer_id, ticket_type_id) REFERENCES ticket_types (producer_id, id)
);

CREATE TABLE orders (
    producer_id    BIGINT NOT NULL,
    seq            BIGINT NOT NULL,
    id             TEXT   NOT NULL,
    event_id       TEXT   NOT NULL,
    status         TEXT   NOT NULL,
    buyer_name     TEXT   NOT NULL,
    buyer_email    TEXT   NOT NULL,
    buyer_phone    TEXT,
    buyer_document TEXT   NOT NULL,
    currency       TEXT   NOT NULL,
    total          BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id),
    FOREIGN KEY (producer_id, event_id) REFERENCES events (producer_id, id)
);
CREATE INDEX orders_by_created ON orders (producer_id, created_at, seq);
CREATE INDEX orders_by_updated ON orders (producer_id, updated_at, seq);
CREATE INDEX orders_by_status ON orders (producer_id, status, created_at, seq);
CREATE INDEX orders_of_event_by_created ON orders (producer_id, event_id, created_at, seq);
CREATE INDEX orders_of_event_by_updated ON orders (producer_id, event_id, updated_at, seq);
CREATE INDEX orders_of_event_by_status ON orders (producer_id, event_id, status, created_at, seq);

-- name and prices are those of the moment of sale.
CREATE TABLE order_items (
    producer_id    BIGINT NOT NULL,
    order_id       TEXT   NOT NULL,
    position       BIGINT NOT NULL,
    ticket_type_id TEXT   NOT NULL,
    kind           TEXT   NOT NULL,
    name           TEXT   NOT NULL,
    quantity       BIGINT NOT NULL,
    list_price     BIGINT NOT NULL,
    unit_price     BIGINT NOT NULL,
    total          BIGINT NOT NULL,
    PRIMARY KEY (producer_id, order_id, position),
    FOREIGN KEY (producer_id, order_id) REFERENCES orders (producer_id, id)
);

-- No foreign keys here: parents are never removed, and a million rows must load quickly.
-- status is stored and always equals what the facts say (domain/status.rs).
CREATE TABLE tickets (
    producer_id       BIGINT NOT NULL,
    seq               BIGINT NOT NULL,
    id                TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    order_id          TEXT,
    ticket_type_id    TEXT   NOT NULL,
    bundle_id         TEXT,
    bundle_unit       TEXT,
    from_bundle       BIGINT NOT NULL,
    status            TEXT   NOT NULL,
    hidden            BIGINT NOT NULL,
    attendee_id       TEXT   NOT NULL,
    attendee_name     TEXT   NOT NULL,
    attendee_email    TEXT   NOT NULL,
    attendee_phone    TEXT,
    attendee_document TEXT   NOT NULL,
    issued_at         BIGINT NOT NULL,
    checked_in_at     BIGINT,
    checked_in_by     TEXT,
    transferred_at    BIGINT,
    transferred_to    TEXT,
    cancelled_at      BIGINT,
    updated_at        BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id)
);
-- One index for each way a list can be sorted after its equalities. Hidden tickets are in no list, so in no index.
CREATE INDEX tickets_by_issued ON tickets (producer_id, issued_at, seq) WHERE hidden = 0;
CREATE INDEX tickets_by_scanned ON tickets (producer_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL;
CREATE INDEX tickets_by_updated ON tickets (producer_id, updated_at, seq) WHERE hidden = 0;
CREATE INDEX tickets_by_status ON tickets (producer_id, status, issued_at, seq) WHERE hidden = 0;
CREATE INDEX tickets_of_event_by_issued ON tickets (producer_id, event_id, issued_at, seq) WHERE hidden = 0;
CREATE INDEX tickets_of_event_by_scanned ON tickets (producer_id, event_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL;
CREATE INDEX tickets_of_event_by_updated ON tickets (producer_id, event_id, updated_at, seq) WHERE hidden = 0;
CREATE INDEX tickets_of_event_by_status ON tickets (producer_id, event_id, status, issued_at, seq) WHERE hidden = 0;
CREATE INDEX tickets_of_order_by_issued ON tickets (producer_id, order_id, issued_at, seq) WHERE hidden = 0;
CREATE INDEX tickets_of_order_by_scanned ON tickets (producer_id, order_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL;
CREATE INDEX tickets_of_order_by_updated ON tickets (producer_id, order_id, updated_at, seq) WHERE hidden = 0;
-- A ticket takes the place of one other at most, so chains of transfers never join.
CREATE UNIQUE INDEX tickets_by_origin ON tickets (producer_id, transferred_to) WHERE transferred_to IS NOT NULL;
