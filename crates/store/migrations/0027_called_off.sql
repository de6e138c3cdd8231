-- Refunding all orders of a cancelled event also rejects those that nobody paid. Both are done; what is left is looked up here.
DROP INDEX work_orders_failed;
CREATE INDEX work_orders_failed ON work_orders (producer_id, work_id, number) WHERE result NOT IN ('', 'refunded', 'rejected');
