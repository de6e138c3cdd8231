-- What staff write about an order for one another. No feed shows it.
CREATE TABLE order_notes (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    order_id    TEXT   NOT NULL,
    written_at  BIGINT NOT NULL,
    author      TEXT   NOT NULL,
    text        TEXT   NOT NULL,
    PRIMARY KEY (producer_id, order_id, written_at)
);
