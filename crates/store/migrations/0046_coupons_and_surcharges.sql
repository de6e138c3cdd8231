-- Coupons: codes that make an order of one event cheaper. used and discount follow from approved orders; uses that pending orders
-- hold are in held_stock, under the coupon's id.
CREATE TABLE coupons (
    producer_id BIGINT NOT NULL REFERENCES clocks (producer_id),
    id          TEXT   NOT NULL,
    event_id    TEXT   NOT NULL,
    code        TEXT   NOT NULL,
    folded      TEXT   NOT NULL,
    percent     BIGINT,
    amount      BIGINT,
    valid_from  BIGINT,
    valid_until BIGINT,
    use_limit   BIGINT,
    per_buyer   BIGINT,
    used        BIGINT NOT NULL DEFAULT 0,
    discount    BIGINT NOT NULL DEFAULT 0,
    created_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (producer_id, id)
);
-- A code means one coupon of an event, until that is ended.
CREATE UNIQUE INDEX coupons_by_code ON coupons (producer_id, event_id, folded) WHERE ended_at IS NULL;
CREATE INDEX coupons_of_event ON coupons (producer_id, event_id, created_at);
-- The items that a coupon is for. One without any is for all of its event.
CREATE TABLE coupon_items (
    producer_id    BIGINT NOT NULL REFERENCES clocks (producer_id),
    coupon_id      TEXT   NOT NULL,
    ticket_type_id TEXT   NOT NULL,
    PRIMARY KEY (producer_id, coupon_id, ticket_type_id)
);
-- What buyers of the shop pay besides the list prices.
CREATE TABLE surcharges (
    producer_id BIGINT NOT NULL REFERENCES clocks (producer_id),
    id          TEXT   NOT NULL,
    event_id    TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    per_ticket  BIGINT NOT NULL,
    percent     BIGINT,
    amount      BIGINT,
    created_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX surcharges_of_event ON surcharges (producer_id, event_id, created_at, id);
-- How often a buyer uses a coupon.
CREATE INDEX orders_by_coupon ON orders (producer_id, coupon_id, lower(buyer_email), status, held_until)
    WHERE coupon_id IS NOT NULL;
-- What its coupon took off an order, and what surcharges added to it.
ALTER TABLE orders ADD COLUMN discount BIGINT NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN surcharge BIGINT NOT NULL DEFAULT 0;

-- An order holds its items, and a use of its coupon.
DROP VIEW holds;
CREATE VIEW holds AS
    SELECT o.producer_id, o.id AS order_id, i.ticket_type_id, i.quantity, o.held_until AS until
    FROM orders o JOIN order_items i ON i.producer_id = o.producer_id AND i.order_id = o.id
    WHERE o.held_until IS NOT NULL
    UNION ALL SELECT o.producer_id, o.id, o.coupon_id, 1, o.held_until FROM orders o
    WHERE o.held_until IS NOT NULL AND o.coupon_id IS NOT NULL;
