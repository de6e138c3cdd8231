-- How an order came to be: the coupon that it was placed with, who sold it, and the language of its buyer. Imported orders have
-- the code and the name alone. NULL where it is not known.
ALTER TABLE orders ADD COLUMN coupon_id TEXT;
ALTER TABLE orders ADD COLUMN coupon TEXT;
ALTER TABLE orders ADD COLUMN promoter_id TEXT;
ALTER TABLE orders ADD COLUMN promoter TEXT;
ALTER TABLE orders ADD COLUMN language TEXT;
