-- What was sold on which day, so that no page adds up more than it shows. The sums by the quarter of an hour were almost as
-- many as orders where little is sold at a time. These are counted from the orders right after this file (store/migrate.rs),
-- because SQL does not know the days of time zones.
DROP INDEX sales_by_quarter;
DROP TABLE sales;

-- Units and money of an item by the day on which they were sold, and of refunds by the day on which they were given back, by
-- the clocks of the event. day is counted from 1970-01-01. channel is empty for orders from before it was written down. An
-- order is sold when it is paid, or when it is placed if it costs nothing or the time of its payment is not known
-- (store/sales/figures.rs).
CREATE TABLE sales (
    producer_id     BIGINT NOT NULL,
    event_id        TEXT   NOT NULL,
    day             BIGINT NOT NULL,
    ticket_type_id  TEXT   NOT NULL,
    channel         TEXT   NOT NULL,
    units           BIGINT NOT NULL,
    amount          BIGINT NOT NULL,
    refunded_units  BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, day, ticket_type_id, channel)
);

-- The same of all items of an event together, for what shows all events.
CREATE TABLE event_sales (
    producer_id     BIGINT NOT NULL,
    day             BIGINT NOT NULL,
    event_id        TEXT   NOT NULL,
    channel         TEXT   NOT NULL,
    units           BIGINT NOT NULL,
    amount          BIGINT NOT NULL,
    refunded_units  BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, day, event_id, channel)
);
