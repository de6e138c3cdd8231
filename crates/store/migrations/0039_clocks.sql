-- A producer's clock and counters, which every move locks and raises, leave the row of its name and settings. That row is
-- found from every side; this one belongs to the producer alone, as its tickets and orders do, and goes where they go when a
-- database is spread over several machines.

CREATE TABLE clocks (
    producer_id       BIGINT PRIMARY KEY,
    clock             BIGINT NOT NULL, -- the stamp of the last move
    last_seq          BIGINT NOT NULL, -- the last seq that was given out
    catalog_version   BIGINT NOT NULL DEFAULT 0, -- the stamp of the last change of an item's name
    last_order_number BIGINT NOT NULL DEFAULT 1000
);
INSERT INTO clocks (producer_id, clock, last_seq, catalog_version, last_order_number)
    SELECT producer_id, clock, last_seq, catalog_version, last_order_number FROM producers;
ALTER TABLE producers DROP COLUMN clock;
ALTER TABLE producers DROP COLUMN last_seq;
ALTER TABLE producers DROP COLUMN catalog_version;
ALTER TABLE producers DROP COLUMN last_order_number;
