ALTER TABLE import_types ADD COLUMN on_sale_from BIGINT;
ALTER TABLE import_types ADD COLUMN min_per_order BIGINT;
