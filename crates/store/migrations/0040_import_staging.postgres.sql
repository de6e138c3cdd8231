-- Where the rows of imports wait, each with the id of its import. Nobody misses them after a crash, so they are not logged.
CREATE UNLOGGED TABLE import_runs (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, began_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, import_id));
CREATE UNLOGGED TABLE import_events (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id TEXT
    NOT NULL, name TEXT, description TEXT, venue TEXT, timezone TEXT, starts_at BIGINT, ends_at BIGINT, currency TEXT,
    status TEXT, image_url TEXT, created_at BIGINT);
CREATE UNLOGGED TABLE import_types (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id TEXT
    NOT NULL, event_id TEXT, kind TEXT, category TEXT, name TEXT, description TEXT, image_url TEXT, price BIGINT,
    currency TEXT, status TEXT, deleted BIGINT, stock_limit BIGINT, max_per_order BIGINT, expires_at BIGINT, sort_order
    BIGINT, access_code TEXT, reentry BIGINT, door_note TEXT);
CREATE UNLOGGED TABLE import_includes (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL,
    bundle_id TEXT, position BIGINT, ticket_type_id TEXT, quantity BIGINT);
CREATE UNLOGGED TABLE import_orders (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id TEXT
    NOT NULL, event_id TEXT, status TEXT, buyer_name TEXT, buyer_email TEXT, buyer_phone TEXT, buyer_document TEXT,
    currency TEXT, total BIGINT, payment_id TEXT, paid_at BIGINT, refunded_at BIGINT, created_at BIGINT);
CREATE UNLOGGED TABLE import_items (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, order_id
    TEXT, position BIGINT, ticket_type_id TEXT, name TEXT, quantity BIGINT, list_price BIGINT, unit_price BIGINT, total
    BIGINT);
CREATE UNLOGGED TABLE import_tickets (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id
    TEXT NOT NULL, event_id TEXT, order_id TEXT, order_item BIGINT, ticket_type_id TEXT, bundle_id TEXT, bundle_unit
    TEXT, from_bundle BIGINT, hidden BIGINT, attendee_id TEXT, attendee_name TEXT, attendee_email TEXT, attendee_phone
    TEXT, attendee_document TEXT, issued_at BIGINT, checked_in_at BIGINT, checked_in_by TEXT, transferred_at BIGINT,
    transferred_to TEXT, cancelled_at BIGINT, door_note TEXT, status TEXT, document TEXT);
CREATE UNLOGGED TABLE import_ready (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, line BIGINT NOT NULL, id TEXT,
    event_id TEXT, order_id TEXT, order_item BIGINT, ticket_type_id TEXT, bundle_id TEXT, bundle_unit TEXT, from_bundle
    BIGINT, status TEXT, told TEXT, hidden BIGINT, attendee_id TEXT, attendee_name TEXT, attendee_email TEXT,
    attendee_phone TEXT, attendee_document TEXT, issued_at BIGINT, checked_in_at BIGINT, checked_in_by TEXT,
    transferred_at BIGINT, transferred_to TEXT, cancelled_at BIGINT, door_note TEXT, document TEXT);
CREATE UNLOGGED TABLE import_found_types (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, id TEXT, kind TEXT, name
    TEXT, price BIGINT, PRIMARY KEY (producer_id, import_id, id));
CREATE UNLOGGED TABLE import_order_documents (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, id TEXT, document
    TEXT, PRIMARY KEY (producer_id, import_id, id));
CREATE UNLOGGED TABLE import_places (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, id TEXT, place BIGINT NOT
    NULL, PRIMARY KEY (producer_id, import_id, id));
CREATE UNLOGGED TABLE import_known_orders (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, id TEXT, status TEXT,
    sold_here BIGINT, PRIMARY KEY (producer_id, import_id, id));
CREATE UNLOGGED TABLE import_counts (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, id TEXT, sold BIGINT, valid
    BIGINT, scanned BIGINT, PRIMARY KEY (producer_id, import_id, id));
CREATE UNLOGGED TABLE import_entries (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, ticket_type_id TEXT, station
    TEXT, entered BIGINT, PRIMARY KEY (producer_id, import_id, ticket_type_id, station));
CREATE UNLOGGED TABLE import_sales (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, event_id TEXT, quarter BIGINT,
    ticket_type_id TEXT, units BIGINT, amount BIGINT, refunded_units BIGINT, refunded_amount BIGINT);
CREATE UNLOGGED TABLE import_minutes (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, event_id TEXT, minute
    BIGINT, ticket_type_id TEXT, entered BIGINT, PRIMARY KEY (producer_id, import_id, event_id, minute, ticket_type_id));
CREATE UNLOGGED TABLE import_units (producer_id BIGINT NOT NULL, import_id TEXT NOT NULL, bundle_id TEXT, unit TEXT,
    order_id TEXT, PRIMARY KEY (producer_id, import_id, bundle_id, unit, order_id));
CREATE INDEX import_events_key ON import_events (producer_id, import_id, id);
CREATE INDEX import_types_key ON import_types (producer_id, import_id, id);
CREATE INDEX import_includes_key ON import_includes (producer_id, import_id, bundle_id, position);
CREATE INDEX import_orders_key ON import_orders (producer_id, import_id, id);
CREATE INDEX import_items_key ON import_items (producer_id, import_id, order_id, position);
CREATE INDEX import_tickets_key ON import_tickets (producer_id, import_id, id);
CREATE INDEX import_tickets_by_origin ON import_tickets (producer_id, import_id, transferred_to) WHERE transferred_to IS NOT NULL;
CREATE INDEX import_ready_key ON import_ready (producer_id, import_id);
CREATE INDEX import_sales_key ON import_sales (producer_id, import_id);
