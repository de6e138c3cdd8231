-- One index for each list, and no other.
--
-- PostgreSQL's planner goes by statistics. On a table without any, or with old ones, it may read a list along another
-- list's index and throw away what does not belong, which grows with the table. So each list names its index in a way
-- the planner cannot miss: every list has a number, and a condition with that number, always true, is part of its
-- query and of its index. An index whose condition is not in the query cannot serve it.
--
-- The number is 1 for the whole list, 5 for an event's, 9 for an order's, and 0 more for the first stamp (issued or
-- created), 1 for scans, 2 for updates, 3 for one status (store/lists.rs). seq is never 0.

DROP INDEX tickets_by_issued;
CREATE INDEX tickets_by_issued ON tickets (producer_id, issued_at, seq) WHERE hidden = 0 AND seq + 1 <> 1;
DROP INDEX tickets_by_scanned;
CREATE INDEX tickets_by_scanned ON tickets (producer_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL AND seq + 2 <> 2;
DROP INDEX tickets_by_updated;
CREATE INDEX tickets_by_updated ON tickets (producer_id, updated_at, seq) WHERE hidden = 0 AND seq + 3 <> 3;
DROP INDEX tickets_by_status;
CREATE INDEX tickets_by_status ON tickets (producer_id, status, issued_at, seq) WHERE hidden = 0 AND seq + 4 <> 4;
DROP INDEX tickets_of_event_by_issued;
CREATE INDEX tickets_of_event_by_issued ON tickets (producer_id, event_id, issued_at, seq) WHERE hidden = 0 AND seq + 5 <> 5;
DROP INDEX tickets_of_event_by_scanned;
CREATE INDEX tickets_of_event_by_scanned ON tickets (producer_id, event_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL AND seq + 6 <> 6;
DROP INDEX tickets_of_event_by_updated;
CREATE INDEX tickets_of_event_by_updated ON tickets (producer_id, event_id, updated_at, seq) WHERE hidden = 0 AND seq + 7 <> 7;
DROP INDEX tickets_of_event_by_status;
CREATE INDEX tickets_of_event_by_status ON tickets (producer_id, event_id, status, issued_at, seq) WHERE hidden = 0 AND seq + 8 <> 8;
DROP INDEX tickets_of_order_by_issued;
CREATE INDEX tickets_of_order_by_issued ON tickets (producer_id, order_id, issued_at, seq) WHERE hidden = 0 AND seq + 9 <> 9;
DROP INDEX tickets_of_order_by_scanned;
CREATE INDEX tickets_of_order_by_scanned ON tickets (producer_id, order_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL AND seq + 10 <> 10;
DROP INDEX tickets_of_order_by_updated;
CREATE INDEX tickets_of_order_by_updated ON tickets (producer_id, order_id, updated_at, seq) WHERE hidden = 0 AND seq + 11 <> 11;
DROP INDEX orders_by_created;
CREATE INDEX orders_by_created ON orders (producer_id, created_at, seq) WHERE seq + 1 <> 1;
DROP INDEX orders_by_updated;
CREATE INDEX orders_by_updated ON orders (producer_id, updated_at, seq) WHERE seq + 3 <> 3;
DROP INDEX orders_by_status;
CREATE INDEX orders_by_status ON orders (producer_id, status, created_at, seq) WHERE seq + 4 <> 4;
DROP INDEX orders_of_event_by_created;
CREATE INDEX orders_of_event_by_created ON orders (producer_id, event_id, created_at, seq) WHERE seq + 5 <> 5;
DROP INDEX orders_of_event_by_updated;
CREATE INDEX orders_of_event_by_updated ON orders (producer_id, event_id, updated_at, seq) WHERE seq + 7 <> 7;
DROP INDEX orders_of_event_by_status;
CREATE INDEX orders_of_event_by_status ON orders (producer_id, event_id, status, created_at, seq) WHERE seq + 8 <> 8;
DROP INDEX events_by_created;
CREATE INDEX events_by_created ON events (producer_id, created_at, seq) WHERE seq + 1 <> 1;
DROP INDEX events_by_updated;
CREATE INDEX events_by_updated ON events (producer_id, updated_at, seq) WHERE seq + 3 <> 3;
