-- Whether an order's hold was made longer, which its buyer may do once.
ALTER TABLE orders ADD COLUMN hold_extended BIGINT NOT NULL DEFAULT 0;
