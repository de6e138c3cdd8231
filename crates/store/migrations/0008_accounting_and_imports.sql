-- What accounting joins orders and tickets by, and which files were imported.

-- Where an order was sold ('shop', 'box_office' or 'import'); NULL if it was sold here before this was written down.
-- payment_id is the processor's id of the payment that settled it.
ALTER TABLE orders ADD COLUMN channel TEXT;
ALTER TABLE orders ADD COLUMN payment_id TEXT;
ALTER TABLE orders ADD COLUMN paid_at BIGINT;
ALTER TABLE orders ADD COLUMN refunded_at BIGINT;

-- Imported orders have no reference. An order sold here issued its tickets in the moment it was paid, and a refund was
-- its last change.
UPDATE orders SET channel = 'import' WHERE reference IS NULL;
UPDATE orders SET refunded_at = updated_at WHERE reference IS NOT NULL AND status = 'refunded';
UPDATE orders SET paid_at = (SELECT min(t.issued_at) FROM tickets t
        WHERE t.producer_id = orders.producer_id AND t.order_id = orders.id)
    WHERE reference IS NOT NULL AND total > 0 AND status IN ('approved', 'refunded');
UPDATE orders SET payment_id = p.id FROM
    (SELECT producer_id, order_id, min(id) AS id FROM payments WHERE outcome = 'paid' AND result = 'settled'
     GROUP BY producer_id, order_id) p
    WHERE p.producer_id = orders.producer_id AND p.order_id = orders.id;

-- The position, in its order, of the item that a ticket was issued for.
ALTER TABLE tickets ADD COLUMN order_item BIGINT;
UPDATE tickets SET order_item = (SELECT min(i.position) FROM order_items i
        WHERE i.producer_id = tickets.producer_id AND i.order_id = tickets.order_id
        AND i.ticket_type_id = CASE tickets.from_bundle WHEN 0 THEN tickets.ticket_type_id ELSE tickets.bundle_id END)
    WHERE order_id IS NOT NULL;

-- Files that were imported, by the SHA-256 of their bytes. Written with the file's rows, so that who repeats an import
-- whose end was not seen learns that it was done.
CREATE TABLE imports (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    digest      TEXT   NOT NULL,
    imported_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, digest)
);
