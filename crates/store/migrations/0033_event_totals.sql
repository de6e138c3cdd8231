-- What an event sold in all, so that a list of events adds up nothing. Sales from before are here from the start; where they
-- are counted by day only now (0022), the counting fills this table, too (store/migrate.rs).
CREATE TABLE event_totals (
    producer_id     BIGINT NOT NULL,
    event_id        TEXT   NOT NULL,
    units           BIGINT NOT NULL,
    amount          BIGINT NOT NULL,
    refunded_units  BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id)
);

INSERT INTO event_totals (producer_id, event_id, units, amount, refunded_units, refunded_amount)
SELECT producer_id, event_id, CAST(sum(units) AS BIGINT), CAST(sum(amount) AS BIGINT),
       CAST(sum(refunded_units) AS BIGINT), CAST(sum(refunded_amount) AS BIGINT)
FROM event_sales GROUP BY producer_id, event_id;
