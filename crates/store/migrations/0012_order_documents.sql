-- Orders as they are sent.

-- The order as the API shows it, with its items and its reference. Written with every change of the row
-- (store/sales/documents.rs); rows that are already here get theirs right after this text.
ALTER TABLE orders ADD COLUMN document TEXT NOT NULL DEFAULT '';
