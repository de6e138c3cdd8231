CREATE UNLOGGED TABLE import_coupons (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id TEXT NOT
    NULL, event_id TEXT, code TEXT, folded TEXT, percent BIGINT, amount BIGINT, valid_from BIGINT, valid_until BIGINT, use_limit
    BIGINT, per_buyer BIGINT);
CREATE UNLOGGED TABLE import_coupon_items (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL,
    coupon_id TEXT, ticket_type_id TEXT);
CREATE UNLOGGED TABLE import_surcharges (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id TEXT
    NOT NULL, event_id TEXT, name TEXT, per_ticket BIGINT, percent BIGINT, amount BIGINT);
CREATE INDEX import_coupons_key ON import_coupons (producer_id, import_id, event_id, folded);
CREATE INDEX import_coupon_items_key ON import_coupon_items (producer_id, import_id, coupon_id);
CREATE INDEX import_surcharges_key ON import_surcharges (producer_id, import_id, event_id);
