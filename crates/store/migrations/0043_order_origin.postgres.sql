ALTER TABLE import_orders ADD COLUMN coupon TEXT;
ALTER TABLE import_orders ADD COLUMN promoter TEXT;
