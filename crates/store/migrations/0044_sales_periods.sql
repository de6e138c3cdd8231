-- When the sale of an item to the public begins, and how many of it one order must have.
ALTER TABLE ticket_types ADD COLUMN on_sale_from BIGINT;
ALTER TABLE ticket_types ADD COLUMN min_per_order BIGINT NOT NULL DEFAULT 1;
