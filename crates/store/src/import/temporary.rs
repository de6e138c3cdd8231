//! The tables of an import on SQLite, which vanish with its connection. PostgreSQL has the same ones for good
//! (`migrations/0040_import_staging.postgres.sql` and later ones).

/// The tables.
pub(super) const TABLES: &str = "
CREATE TEMP TABLE import_events (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT NOT NULL, name TEXT,
    description TEXT, venue TEXT, timezone TEXT, starts_at BIGINT, ends_at BIGINT, currency TEXT, status TEXT, image_url
    TEXT, created_at BIGINT, attendees_asked TEXT, terms_id TEXT, terms_text TEXT, terms_url TEXT);
CREATE TEMP TABLE import_types (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT NOT NULL, event_id
    TEXT, kind TEXT, category TEXT, name TEXT, description TEXT, image_url TEXT, price BIGINT, currency TEXT, status
    TEXT, deleted BIGINT, stock_limit BIGINT, max_per_order BIGINT, expires_at BIGINT, sort_order BIGINT, access_code
    TEXT, reentry BIGINT, door_note TEXT, min_per_order BIGINT, on_sale_from BIGINT);
CREATE TEMP TABLE import_includes (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, bundle_id TEXT, position
    BIGINT, ticket_type_id TEXT, quantity BIGINT);
CREATE TEMP TABLE import_pools (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT NOT NULL, event_id TEXT,
    name TEXT, pool_limit BIGINT);
CREATE TEMP TABLE import_pool_items (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, pool_id TEXT, ticket_type_id
    TEXT);
CREATE TEMP TABLE import_coupons (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT NOT NULL, event_id
    TEXT, code TEXT, folded TEXT, percent BIGINT, amount BIGINT, valid_from BIGINT, valid_until BIGINT, use_limit BIGINT,
    per_buyer BIGINT);
CREATE TEMP TABLE import_coupon_items (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, coupon_id TEXT,
    ticket_type_id TEXT);
CREATE TEMP TABLE import_surcharges (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT NOT NULL, event_id
    TEXT, name TEXT, per_ticket BIGINT, percent BIGINT, amount BIGINT);
CREATE TEMP TABLE import_orders (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT NOT NULL, event_id
    TEXT, status TEXT, buyer_name TEXT, buyer_email TEXT, buyer_phone TEXT, buyer_document TEXT, currency TEXT, total
    BIGINT, payment_id TEXT, paid_at BIGINT, refunded_at BIGINT, created_at BIGINT, coupon TEXT, promoter TEXT, discount BIGINT,
    surcharge BIGINT);
CREATE TEMP TABLE import_items (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, order_id TEXT, position
    BIGINT, ticket_type_id TEXT, name TEXT, quantity BIGINT, list_price BIGINT, unit_price BIGINT, total BIGINT);
CREATE TEMP TABLE import_tickets (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT NOT NULL, event_id
    TEXT, order_id TEXT, order_item BIGINT, ticket_type_id TEXT, bundle_id TEXT, bundle_unit TEXT, from_bundle BIGINT,
    hidden BIGINT, attendee_id TEXT, attendee_name TEXT, attendee_email TEXT, attendee_phone TEXT, attendee_document
    TEXT, issued_at BIGINT, checked_in_at BIGINT, checked_in_by TEXT, transferred_at BIGINT, transferred_to TEXT,
    cancelled_at BIGINT, door_note TEXT, status TEXT, document TEXT);
CREATE TEMP TABLE import_ready (producer_id BIGINT, import_id TEXT, line BIGINT NOT NULL, id TEXT, event_id TEXT,
    order_id TEXT, order_item BIGINT, ticket_type_id TEXT, bundle_id TEXT, bundle_unit TEXT, from_bundle BIGINT, status
    TEXT, told TEXT, hidden BIGINT, attendee_id TEXT, attendee_name TEXT, attendee_email TEXT, attendee_phone TEXT,
    attendee_document TEXT, issued_at BIGINT, checked_in_at BIGINT, checked_in_by TEXT, transferred_at BIGINT,
    transferred_to TEXT, cancelled_at BIGINT, door_note TEXT, document TEXT);
CREATE TEMP TABLE import_found_types (producer_id BIGINT, import_id TEXT, id TEXT PRIMARY KEY, kind TEXT, name TEXT,
    price BIGINT);
CREATE TEMP TABLE import_order_documents (producer_id BIGINT, import_id TEXT, id TEXT PRIMARY KEY, document TEXT);
CREATE TEMP TABLE import_places (producer_id BIGINT, import_id TEXT, id TEXT PRIMARY KEY, place BIGINT NOT NULL);
CREATE TEMP TABLE import_known_orders (producer_id BIGINT, import_id TEXT, id TEXT PRIMARY KEY, status TEXT, sold_here
    BIGINT);
CREATE TEMP TABLE import_counts (producer_id BIGINT, import_id TEXT, id TEXT PRIMARY KEY, sold BIGINT, valid BIGINT,
    scanned BIGINT);
CREATE TEMP TABLE import_entries (producer_id BIGINT, import_id TEXT, ticket_type_id TEXT, station TEXT, entered BIGINT,
    PRIMARY KEY (ticket_type_id, station));
CREATE TEMP TABLE import_sales (producer_id BIGINT, import_id TEXT, event_id TEXT, quarter BIGINT, ticket_type_id TEXT,
    units BIGINT, amount BIGINT, refunded_units BIGINT, refunded_amount BIGINT);
CREATE TEMP TABLE import_minutes (producer_id BIGINT, import_id TEXT, event_id TEXT, minute BIGINT, ticket_type_id TEXT,
    entered BIGINT, PRIMARY KEY (event_id, minute, ticket_type_id));
CREATE TEMP TABLE import_units (producer_id BIGINT, import_id TEXT, bundle_id TEXT, unit TEXT, order_id TEXT, PRIMARY
    KEY (bundle_id, unit, order_id));
";

/// What makes rows findable, once all are there. The rows are of one import, so its id is in no key.
pub(super) const KEYS: &str = "
CREATE UNIQUE INDEX import_events_key ON import_events (id);
CREATE UNIQUE INDEX import_types_key ON import_types (id);
CREATE UNIQUE INDEX import_includes_key ON import_includes (bundle_id, position);
CREATE UNIQUE INDEX import_pools_key ON import_pools (id);
CREATE INDEX import_pool_items_key ON import_pool_items (pool_id);
CREATE INDEX import_coupons_key ON import_coupons (event_id, folded);
CREATE INDEX import_coupon_items_key ON import_coupon_items (coupon_id);
CREATE INDEX import_surcharges_key ON import_surcharges (event_id);
CREATE UNIQUE INDEX import_orders_key ON import_orders (id);
CREATE UNIQUE INDEX import_items_key ON import_items (order_id, position);
CREATE UNIQUE INDEX import_tickets_key ON import_tickets (id);
CREATE INDEX import_tickets_by_origin ON import_tickets (transferred_to) WHERE transferred_to IS NOT NULL;
";
