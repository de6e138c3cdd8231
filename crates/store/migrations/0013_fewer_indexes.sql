-- Fewer indexes of tickets: each costs every sale and every scan.

-- An order has few tickets, so its lists by scan and by update are sorted as they are read (store/lists.rs). One index
-- finds all tickets of an order, hidden ones too, and is the list by issue: a list says that hidden is 0.
DROP INDEX tickets_of_order_by_issued;
DROP INDEX tickets_of_order_by_scanned;
DROP INDEX tickets_of_order_by_updated;
DROP INDEX tickets_of_order;
CREATE INDEX tickets_of_order ON tickets (producer_id, order_id, hidden, issued_at, seq) WHERE order_id IS NOT NULL;
