CREATE UNLOGGED TABLE import_pools (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id TEXT NOT
    NULL, event_id TEXT, name TEXT, pool_limit BIGINT);
CREATE UNLOGGED TABLE import_pool_items (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, pool_id
    TEXT, ticket_type_id TEXT);
CREATE INDEX import_pools_key ON import_pools (producer_id, import_id, id);
CREATE INDEX import_pool_items_key ON import_pool_items (producer_id, import_id, pool_id);
