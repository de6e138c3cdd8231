-- How many units of an item are held until each moment at which a hold of it ends: the sums of the view `holds`.
CREATE TABLE held_stock (
    producer_id    BIGINT NOT NULL REFERENCES producers (producer_id),
    ticket_type_id TEXT   NOT NULL,
    until          BIGINT NOT NULL,
    quantity       BIGINT NOT NULL,
    PRIMARY KEY (producer_id, ticket_type_id, until)
);
