-- What was sold when, so that reports need not count.

-- Units and money of an item by the quarter of an hour, in UTC, in which they were sold, and of refunds by the one in
-- which they were given back: the days of every time zone are made of whole quarters. channel is empty for orders from
-- before it was written down. An order is sold when it is paid, or when it is placed if it costs nothing or the time of its
-- payment is not known (store/sales/figures.rs).
CREATE TABLE sales (
    producer_id     BIGINT NOT NULL,
    event_id        TEXT   NOT NULL,
    quarter         BIGINT NOT NULL,
    ticket_type_id  TEXT   NOT NULL,
    channel         TEXT   NOT NULL,
    units           BIGINT NOT NULL,
    amount          BIGINT NOT NULL,
    refunded_units  BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, quarter, ticket_type_id, channel)
);
INSERT INTO sales (producer_id, event_id, quarter, ticket_type_id, channel, units, amount, refunded_units, refunded_amount)
    SELECT producer_id, event_id, at - ((at % 900000000) + 900000000) % 900000000, ticket_type_id, channel,
        CAST(sum(units) AS BIGINT), CAST(sum(amount) AS BIGINT), CAST(sum(refunded_units) AS BIGINT),
        CAST(sum(refunded_amount) AS BIGINT)
    FROM (
        SELECT o.producer_id, o.event_id, coalesce(o.paid_at, o.created_at) AS at, i.ticket_type_id,
            coalesce(o.channel, '') AS channel, i.quantity AS units, i.total AS amount, 0 AS refunded_units,
            0 AS refunded_amount
        FROM orders o JOIN order_items i ON i.producer_id = o.producer_id AND i.order_id = o.id
        WHERE o.status IN ('approved', 'refunded')
        UNION ALL
        SELECT o.producer_id, o.event_id, coalesce(o.refunded_at, o.paid_at, o.created_at), i.ticket_type_id,
            coalesce(o.channel, ''), 0, 0, i.quantity, i.total
        FROM orders o JOIN order_items i ON i.producer_id = o.producer_id AND i.order_id = o.id
        WHERE o.status = 'refunded'
    ) s
    GROUP BY producer_id, event_id, at - ((at % 900000000) + 900000000) % 900000000, ticket_type_id, channel;

-- The sales of all events in some days. A sale mostly adds to a row that is there, so this costs it nothing. The condition,
-- always true, keeps PostgreSQL from reading the sales of one event along it (see 0004).
CREATE INDEX sales_by_quarter ON sales (producer_id, quarter, event_id) WHERE ticket_type_id <> '';

-- Payments in the order in which they were told of. The condition keeps PostgreSQL from finding one payment by walking
-- through all of them (see 0004).
CREATE INDEX payments_by_received ON payments (producer_id, received_at, id, outcome, reference) WHERE currency <> '';
