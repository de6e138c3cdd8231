ALTER TABLE import_orders ADD COLUMN discount BIGINT;
ALTER TABLE import_orders ADD COLUMN surcharge BIGINT;
