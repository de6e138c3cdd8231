-- The line of an event that more come to buy than can be decided (crates/domain/src/line.rs). It is there while it is needed.
CREATE TABLE waiting_lines (
    producer_id BIGINT NOT NULL,
    event_id    TEXT   NOT NULL,
    opened_at   BIGINT NOT NULL,
    last_place  BIGINT NOT NULL,
    let_in      BIGINT NOT NULL,
    let_in_at   BIGINT NOT NULL,
    waited_at   BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id)
);
