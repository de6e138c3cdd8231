-- How many listed tickets of a ticket type have entered at each station, so that a door need not count them. Tickets whose
-- station is not known are in no row. Like scanned_tickets, a count goes down again when a ticket is cancelled, refunded
-- or hidden after it entered.
CREATE TABLE station_entries (
    producer_id    BIGINT NOT NULL,
    ticket_type_id TEXT   NOT NULL,
    station        TEXT   NOT NULL,
    entered        BIGINT NOT NULL,
    PRIMARY KEY (producer_id, ticket_type_id, station)
);
INSERT INTO station_entries (producer_id, ticket_type_id, station, entered)
    SELECT producer_id, ticket_type_id, checked_in_by, count(*) FROM tickets
    WHERE hidden = 0 AND status = 'scanned' AND checked_in_by IS NOT NULL
    GROUP BY producer_id, ticket_type_id, checked_in_by;
