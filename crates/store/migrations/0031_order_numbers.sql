-- A short number for each order, for the telephone. The producer's row counts them, in the move that places the order.
ALTER TABLE producers ADD COLUMN last_order_number BIGINT NOT NULL DEFAULT 1000;
ALTER TABLE orders ADD COLUMN number BIGINT NOT NULL DEFAULT 0;

-- Orders that are here are counted as they came. Their documents say the number last; those without one get it right after
-- all migrations.
UPDATE orders SET number = n.number,
    document = CASE WHEN document = '' THEN '' ELSE rtrim(document, '}') || ',"number":"' || CAST(n.number AS TEXT) || '"}' END
    FROM (SELECT o.producer_id, o.id, 1000 + row_number() OVER (PARTITION BY o.producer_id ORDER BY o.seq) AS number
        FROM orders o) n
    WHERE n.producer_id = orders.producer_id AND n.id = orders.id;
-- The condition, always true, keeps PostgreSQL from finding an order by walking through all of them (see 0004).
CREATE UNIQUE INDEX orders_by_number ON orders (producer_id, number) WHERE number + 1 <> 1;
UPDATE producers SET last_order_number = coalesce((SELECT max(o.number) FROM orders o
    WHERE o.producer_id = producers.producer_id), last_order_number);
