-- The till: how staff were paid, who took the money, and shifts at the box office.

-- payment_method is cash, card or other, where staff said so. sold_by is who of the staff took the money, as the history
-- names them; it is NULL where a processor told of the payment, and for orders from before.
ALTER TABLE orders ADD COLUMN payment_method TEXT;
ALTER TABLE orders ADD COLUMN sold_by TEXT;
-- What somebody took, by time. A shift is a span of it: stamps of one producer never meet.
CREATE INDEX orders_by_seller ON orders (producer_id, sold_by, paid_at) WHERE sold_by IS NOT NULL;

-- How it was paid back, where staff said so, and by whom.
ALTER TABLE pay_backs ADD COLUMN method TEXT;
ALTER TABLE pay_backs ADD COLUMN paid_back_by TEXT;
CREATE INDEX pay_backs_by_payer ON pay_backs (producer_id, paid_back_by, paid_back_at) WHERE paid_back_by IS NOT NULL;

-- Shifts at the box office. What was sold and paid back in one follows from orders and pay_backs.
CREATE TABLE shifts (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    id          TEXT   NOT NULL,
    person      TEXT   NOT NULL,
    begun_at    BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX shifts_of_person ON shifts (producer_id, person, id);
-- One open shift for each person.
CREATE UNIQUE INDEX shifts_open ON shifts (producer_id, person) WHERE ended_at IS NULL;

-- The cash of a shift, by currency: what the drawer began with, what was counted at the end, and what should have been
-- there then.
CREATE TABLE shift_cash (
    producer_id BIGINT NOT NULL,
    shift_id    TEXT   NOT NULL,
    currency    TEXT   NOT NULL,
    begun_with  BIGINT NOT NULL,
    counted     BIGINT,
    expected    BIGINT,
    PRIMARY KEY (producer_id, shift_id, currency),
    FOREIGN KEY (producer_id, shift_id) REFERENCES shifts (producer_id, id)
);

-- Payments are seen by a right of their own. Whoever deals with them has seen them so far.
UPDATE roles SET rights = rights || ' payments.see' WHERE ' ' || rights || ' ' LIKE '% payments.manage %';
