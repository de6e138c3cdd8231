-- The present schema, as all migrations together make it on SQLite. `make schema` writes this file; do not edit it.
-- PostgreSQL has the same tables and columns; the few statements that it needs otherwise are in
-- crates/store/migrations/*.postgres.sql. Times are microseconds since 1970, money is in whole units of its currency,
-- flags are 0 or 1, and what belongs to a producer has its producer_id. Comments on columns are in the migrations.

-- schema_migrations: which migrations have run.
CREATE TABLE schema_migrations (
    version BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at BIGINT NOT NULL,
    works_from BIGINT
);

-- settings: what the service remembers, such as the key that seals cursors.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- producers: organisations that sell.
CREATE TABLE producers (
    producer_id BIGINT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    time_zone TEXT NOT NULL DEFAULT 'UTC',
    currency TEXT NOT NULL DEFAULT 'EUR',
    needs_second_factor BIGINT NOT NULL DEFAULT 0,
    retention_days BIGINT,
    shop_origins TEXT NOT NULL DEFAULT '',
    shop_colour TEXT NOT NULL DEFAULT '',
    shop_picture TEXT NOT NULL DEFAULT ''
);

-- clocks: the clock and the counters of each producer, which every move locks.
CREATE TABLE clocks (
    producer_id BIGINT PRIMARY KEY,
    clock BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    catalog_version BIGINT NOT NULL DEFAULT 0,
    last_order_number BIGINT NOT NULL DEFAULT 1000
);

-- lost_history: spans of a producer's stamps that a restore lost; marks from them are refused.
CREATE TABLE lost_history (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    lost_until BIGINT NOT NULL,
    lost_after BIGINT NOT NULL,
    restored_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, lost_until)
);

-- shop_pictures: the picture of each producer's shop.
CREATE TABLE shop_pictures (
    producer_id BIGINT NOT NULL PRIMARY KEY,
    content TEXT NOT NULL
);

-- events: what is played, where and when.
CREATE TABLE events (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    venue TEXT,
    timezone TEXT NOT NULL,
    starts_at BIGINT,
    ends_at BIGINT,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    image_url TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    erased_up_to BIGINT,
    attendees_asked TEXT NOT NULL DEFAULT 'none',
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX events_by_created ON events (producer_id, created_at, seq) WHERE seq + 1 <> 1;
CREATE INDEX events_by_updated ON events (producer_id, updated_at, seq) WHERE seq + 3 <> 3;
CREATE INDEX events_of_producer_by_start ON events (producer_id, starts_at, id) WHERE starts_at IS NOT NULL;
CREATE INDEX events_of_producer_undated ON events (producer_id, id) WHERE starts_at IS NULL;
CREATE INDEX events_on_sale ON events (starts_at) WHERE status = 'published';

-- ticket_types: what an event sells: ticket types, merchandise and bundles, with stock and counters.
CREATE TABLE ticket_types (
    producer_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    image_url TEXT,
    price BIGINT NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    deleted BIGINT NOT NULL,
    stock_limit BIGINT,
    sold BIGINT NOT NULL,
    max_per_order BIGINT NOT NULL,
    expires_at BIGINT,
    sort_order BIGINT NOT NULL,
    access_code TEXT,
    valid_tickets BIGINT NOT NULL DEFAULT 0,
    scanned_tickets BIGINT NOT NULL DEFAULT 0,
    updated_at BIGINT NOT NULL DEFAULT 0,
    reentry BIGINT NOT NULL DEFAULT 0,
    door_note TEXT NOT NULL DEFAULT '',
    on_sale_from BIGINT,
    min_per_order BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (producer_id, id),
    FOREIGN KEY (producer_id, event_id) REFERENCES events (producer_id, id),
    CHECK (stock_limit IS NULL OR sold <= stock_limit)
);
CREATE INDEX ticket_types_by_event ON ticket_types (producer_id, event_id, sort_order, id) WHERE event_id IS NOT NULL;

-- bundle_items: what a bundle includes.
CREATE TABLE bundle_items (
    producer_id BIGINT NOT NULL,
    bundle_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    quantity BIGINT NOT NULL,
    PRIMARY KEY (producer_id, bundle_id, position),
    FOREIGN KEY (producer_id, bundle_id) REFERENCES ticket_types (producer_id, id),
    FOREIGN KEY (producer_id, ticket_type_id) REFERENCES ticket_types (producer_id, id)
);
CREATE INDEX bundles_of_item ON bundle_items (producer_id, ticket_type_id);

-- pools: places that several items of an event share.
CREATE TABLE pools (
    producer_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    name TEXT NOT NULL,
    pool_limit BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX pools_of_event ON pools (producer_id, event_id);

-- pool_items: which items share a pool.
CREATE TABLE pool_items (
    producer_id BIGINT NOT NULL,
    pool_id TEXT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    PRIMARY KEY (producer_id, pool_id, ticket_type_id)
);
CREATE INDEX pools_of_item ON pool_items (producer_id, ticket_type_id);

-- coupons: codes that make an order of an event cheaper, and how often each is used.
CREATE TABLE coupons (
    producer_id BIGINT NOT NULL REFERENCES clocks (producer_id),
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    code TEXT NOT NULL,
    folded TEXT NOT NULL,
    percent BIGINT,
    amount BIGINT,
    valid_from BIGINT,
    valid_until BIGINT,
    use_limit BIGINT,
    per_buyer BIGINT,
    used BIGINT NOT NULL DEFAULT 0,
    discount BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (producer_id, id)
);
CREATE UNIQUE INDEX coupons_by_code ON coupons (producer_id, event_id, folded) WHERE ended_at IS NULL;
CREATE INDEX coupons_of_event ON coupons (producer_id, event_id, created_at);

-- coupon_items: the items that a coupon is for.
CREATE TABLE coupon_items (
    producer_id BIGINT NOT NULL REFERENCES clocks (producer_id),
    coupon_id TEXT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    PRIMARY KEY (producer_id, coupon_id, ticket_type_id)
);

-- terms: terms that buyers accept, and accepted.
CREATE TABLE terms (
    producer_id BIGINT NOT NULL REFERENCES clocks (producer_id),
    id TEXT NOT NULL,
    event_id TEXT NOT NULL DEFAULT '',
    text TEXT,
    url TEXT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (producer_id, id),
    CHECK (text IS NOT NULL OR url IS NOT NULL)
);
CREATE UNIQUE INDEX terms_in_force ON terms (producer_id, event_id) WHERE ended_at IS NULL;

-- surcharges: what buyers of the shop pay besides the prices.
CREATE TABLE surcharges (
    producer_id BIGINT NOT NULL REFERENCES clocks (producer_id),
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    name TEXT NOT NULL,
    per_ticket BIGINT NOT NULL,
    percent BIGINT,
    amount BIGINT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX surcharges_of_event ON surcharges (producer_id, event_id, created_at, id);

-- promoters: who sells for the producer at an event, by the hash of a token, with sums and what each may give away.
CREATE TABLE promoters (
    producer_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    last_four TEXT NOT NULL,
    complimentary BIGINT NOT NULL,
    given_away BIGINT NOT NULL DEFAULT 0,
    units BIGINT NOT NULL DEFAULT 0,
    amount BIGINT NOT NULL DEFAULT 0,
    refunded_units BIGINT NOT NULL DEFAULT 0,
    refunded_amount BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (producer_id, id),
    FOREIGN KEY (producer_id, event_id) REFERENCES events (producer_id, id),
    CHECK (given_away <= complimentary)
);
CREATE UNIQUE INDEX promoters_by_hash ON promoters (producer_id, hash);
CREATE INDEX promoters_of_event ON promoters (producer_id, event_id, created_at);

-- waiting_lines: the line of an event that more come to buy than can be decided, while there is one.
CREATE TABLE waiting_lines (
    producer_id BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    last_place BIGINT NOT NULL,
    let_in BIGINT NOT NULL,
    let_in_at BIGINT NOT NULL,
    waited_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id)
);

-- orders: who ordered what for how much, until when it is held, and the order as the API sends it.
CREATE TABLE orders (
    producer_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    status TEXT NOT NULL,
    buyer_name TEXT NOT NULL,
    buyer_email TEXT NOT NULL,
    buyer_phone TEXT,
    buyer_document TEXT NOT NULL,
    currency TEXT NOT NULL,
    total BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    reference TEXT,
    channel TEXT,
    payment_id TEXT,
    paid_at BIGINT,
    refunded_at BIGINT,
    document TEXT NOT NULL DEFAULT '',
    held_until BIGINT,
    placed_from TEXT,
    past_holds_at BIGINT,
    number BIGINT NOT NULL DEFAULT 0,
    payment_method TEXT,
    sold_by TEXT,
    coupon_id TEXT,
    coupon TEXT,
    promoter_id TEXT,
    promoter TEXT,
    language TEXT,
    discount BIGINT NOT NULL DEFAULT 0,
    surcharge BIGINT NOT NULL DEFAULT 0,
    hold_extended BIGINT NOT NULL DEFAULT 0,
    terms_id TEXT,
    PRIMARY KEY (producer_id, id),
    FOREIGN KEY (producer_id, event_id) REFERENCES events (producer_id, id)
);
CREATE INDEX orders_by_coupon ON orders (producer_id, coupon_id, lower(buyer_email), status, held_until) WHERE coupon_id IS NOT NULL;
CREATE INDEX orders_by_created ON orders (producer_id, created_at, seq) WHERE seq + 1 <> 1;
CREATE UNIQUE INDEX orders_by_number ON orders (producer_id, number) WHERE number + 1 <> 1;
CREATE UNIQUE INDEX orders_by_reference ON orders (producer_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX orders_by_refund ON orders (producer_id, event_id, coalesce(refunded_at, paid_at, created_at), id) WHERE status = 'refunded';
CREATE INDEX orders_by_sale ON orders (producer_id, event_id, coalesce(paid_at, created_at), id) WHERE status IN ('approved', 'refunded');
CREATE INDEX orders_by_seller ON orders (producer_id, sold_by, paid_at) WHERE sold_by IS NOT NULL;
CREATE INDEX orders_by_status ON orders (producer_id, status, created_at, seq) WHERE seq + 4 <> 4;
CREATE INDEX orders_by_updated ON orders (producer_id, updated_at, seq) WHERE seq + 3 <> 3;
CREATE INDEX orders_held_by_buyer ON orders (producer_id, lower(buyer_email), held_until) WHERE held_until IS NOT NULL AND channel = 'shop';
CREATE INDEX orders_held_from_address ON orders (producer_id, placed_from, held_until) WHERE placed_from IS NOT NULL;
CREATE INDEX orders_of_event_by_created ON orders (producer_id, event_id, created_at, seq) WHERE seq + 5 <> 5;
CREATE INDEX orders_of_event_by_status ON orders (producer_id, event_id, status, created_at, seq) WHERE seq + 8 <> 8;
CREATE INDEX orders_of_event_by_updated ON orders (producer_id, event_id, updated_at, seq) WHERE seq + 7 <> 7;
CREATE INDEX orders_unpaid ON orders (producer_id, created_at, seq) WHERE status = 'pending' AND channel = 'shop';

-- order_items: the items of an order, with the prices of that moment.
CREATE TABLE order_items (
    producer_id BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    quantity BIGINT NOT NULL,
    list_price BIGINT NOT NULL,
    unit_price BIGINT NOT NULL,
    total BIGINT NOT NULL,
    PRIMARY KEY (producer_id, order_id, position),
    FOREIGN KEY (producer_id, order_id) REFERENCES orders (producer_id, id)
);

-- order_attendees: attendees that a buyer named, until the order is decided.
CREATE TABLE order_attendees (
    producer_id BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    unit BIGINT NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT,
    document TEXT NOT NULL,
    PRIMARY KEY (producer_id, order_id, position, unit),
    FOREIGN KEY (producer_id, order_id) REFERENCES orders (producer_id, id)
);

-- holds: what pending orders hold, as rows.
CREATE VIEW holds AS SELECT o.producer_id, o.id AS order_id, i.ticket_type_id, i.quantity, o.held_until AS until FROM orders o JOIN order_items i ON i.producer_id = o.producer_id AND i.order_id = o.id WHERE o.held_until IS NOT NULL UNION ALL SELECT o.producer_id, o.id, o.coupon_id, 1, o.held_until FROM orders o WHERE o.held_until IS NOT NULL AND o.coupon_id IS NOT NULL;

-- held_stock: sums of holds: units of an item, or uses of a coupon, that are held until a moment.
CREATE TABLE held_stock (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    ticket_type_id TEXT NOT NULL,
    until BIGINT NOT NULL,
    quantity BIGINT NOT NULL,
    PRIMARY KEY (producer_id, ticket_type_id, until)
) WITHOUT ROWID;

-- idempotency_keys: answers to orders, for whoever repeats one.
CREATE TABLE idempotency_keys (
    producer_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (producer_id, created_at) WHERE created_at IS NOT NULL;

-- payments: every notice of a payment, whatever became of it.
CREATE TABLE payments (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reference TEXT NOT NULL,
    order_id TEXT,
    amount BIGINT NOT NULL,
    currency TEXT NOT NULL,
    result TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    paid_back_at BIGINT,
    note TEXT,
    PRIMARY KEY (producer_id, id, outcome, reference)
);
CREATE INDEX payments_by_received ON payments (producer_id, received_at, id, outcome, reference) WHERE received_at + 1 <> 1;
CREATE INDEX payments_of_order ON payments (producer_id, order_id, received_at) WHERE order_id IS NOT NULL;
CREATE INDEX payments_unsettled ON payments (producer_id, received_at) WHERE outcome = 'paid' AND result NOT IN ('settled', 'settled_elsewhere') AND paid_back_at IS NULL;

-- pay_backs: what refunds owe, and whether it was paid back.
CREATE TABLE pay_backs (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    order_id TEXT NOT NULL,
    owed_at BIGINT NOT NULL,
    payment_id TEXT,
    amount BIGINT NOT NULL,
    currency TEXT NOT NULL,
    paid_back_at BIGINT,
    note TEXT,
    method TEXT,
    paid_back_by TEXT,
    PRIMARY KEY (producer_id, order_id, owed_at)
);
CREATE INDEX pay_backs_by_payer ON pay_backs (producer_id, paid_back_by, paid_back_at) WHERE paid_back_by IS NOT NULL;
CREATE INDEX pay_backs_owed ON pay_backs (producer_id, owed_at, order_id) WHERE paid_back_at IS NULL;

-- payment_attempts: attempts to pay for orders at a processor, and when each is looked at again.
CREATE TABLE payment_attempts (
    producer_id BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    processor TEXT NOT NULL,
    state TEXT NOT NULL,
    session TEXT,
    url TEXT,
    problem TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT,
    looked_at BIGINT,
    look_at BIGINT,
    PRIMARY KEY (producer_id, order_id, number)
);
CREATE INDEX payment_attempts_due ON payment_attempts (producer_id, look_at, order_id, number) WHERE look_at IS NOT NULL;

-- shifts: shifts at the box office.
CREATE TABLE shifts (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    id TEXT NOT NULL,
    person TEXT NOT NULL,
    begun_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX shifts_of_person ON shifts (producer_id, person, id);
CREATE UNIQUE INDEX shifts_open ON shifts (producer_id, person) WHERE ended_at IS NULL;

-- shift_cash: the cash of a shift, by currency.
CREATE TABLE shift_cash (
    producer_id BIGINT NOT NULL,
    shift_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    begun_with BIGINT NOT NULL,
    counted BIGINT,
    expected BIGINT,
    PRIMARY KEY (producer_id, shift_id, currency),
    FOREIGN KEY (producer_id, shift_id) REFERENCES shifts (producer_id, id)
);

-- order_notes: what staff wrote about an order for one another.
CREATE TABLE order_notes (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    order_id TEXT NOT NULL,
    written_at BIGINT NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (producer_id, order_id, written_at)
);

-- refunded_items: units of an order's items that were refunded alone, and what they cost.
CREATE TABLE refunded_items (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    order_id TEXT NOT NULL,
    refunded_at BIGINT NOT NULL,
    position BIGINT NOT NULL,
    units BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, order_id, refunded_at, position)
);

-- payment_accounts: the secrets that a producer's payment processor signs with.
CREATE TABLE payment_accounts (
    producer_id BIGINT PRIMARY KEY REFERENCES producers (producer_id),
    secret TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    old_secrets TEXT NOT NULL DEFAULT ''
);

-- tickets: tickets with their facts, their status, and the ticket as the API sends it.
CREATE TABLE tickets (
    producer_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    order_id TEXT,
    ticket_type_id TEXT NOT NULL,
    bundle_id TEXT,
    bundle_unit TEXT,
    from_bundle BIGINT NOT NULL,
    status TEXT NOT NULL,
    hidden BIGINT NOT NULL,
    attendee_id TEXT NOT NULL,
    attendee_name TEXT NOT NULL,
    attendee_email TEXT NOT NULL,
    attendee_phone TEXT,
    attendee_document TEXT NOT NULL,
    issued_at BIGINT NOT NULL,
    checked_in_at BIGINT,
    checked_in_by TEXT,
    transferred_at BIGINT,
    transferred_to TEXT,
    cancelled_at BIGINT,
    updated_at BIGINT NOT NULL,
    document TEXT NOT NULL DEFAULT '',
    order_item BIGINT,
    outside BIGINT NOT NULL DEFAULT 0,
    passed_at BIGINT,
    zone TEXT NOT NULL DEFAULT '',
    door_note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX tickets_by_issued ON tickets (producer_id, issued_at, seq) WHERE hidden = 0 AND seq + 1 <> 1;
CREATE UNIQUE INDEX tickets_by_origin ON tickets (producer_id, transferred_to) WHERE transferred_to IS NOT NULL;
CREATE INDEX tickets_by_scanned ON tickets (producer_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL AND seq + 2 <> 2;
CREATE INDEX tickets_by_status ON tickets (producer_id, status, issued_at, seq) WHERE hidden = 0 AND seq + 4 <> 4;
CREATE INDEX tickets_by_updated ON tickets (producer_id, updated_at, seq) WHERE hidden = 0 AND seq + 3 <> 3;
CREATE INDEX tickets_hidden ON tickets (producer_id, issued_at, seq) WHERE hidden = 1;
CREATE INDEX tickets_of_bundle ON tickets (producer_id, bundle_id, bundle_unit, coalesce(order_id, '')) WHERE bundle_id IS NOT NULL;
CREATE INDEX tickets_of_event_by_issued ON tickets (producer_id, event_id, issued_at, seq) WHERE hidden = 0 AND seq + 5 <> 5;
CREATE INDEX tickets_of_event_by_scanned ON tickets (producer_id, event_id, checked_in_at, seq) WHERE hidden = 0 AND checked_in_at IS NOT NULL AND seq + 6 <> 6;
CREATE INDEX tickets_of_event_by_status ON tickets (producer_id, event_id, status, issued_at, seq) WHERE hidden = 0 AND seq + 8 <> 8;
CREATE INDEX tickets_of_event_by_updated ON tickets (producer_id, event_id, updated_at, seq) WHERE hidden = 0 AND seq + 7 <> 7;
CREATE INDEX tickets_of_order ON tickets (producer_id, order_id, hidden, issued_at, seq) WHERE order_id IS NOT NULL;
CREATE INDEX tickets_outside ON tickets (producer_id, event_id, passed_at) WHERE outside = 1;

-- door_links: links for door and bar staff, by their hash.
CREATE TABLE door_links (
    id TEXT PRIMARY KEY,
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    event_id TEXT NOT NULL,
    label TEXT NOT NULL,
    categories TEXT NOT NULL,
    ticket_types TEXT NOT NULL,
    stations TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    pin_hash TEXT,
    salt TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT,
    options TEXT NOT NULL DEFAULT '',
    zone TEXT NOT NULL DEFAULT '',
    more_events TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX door_links_by_producer ON door_links (producer_id, created_at);
CREATE INDEX door_links_ending ON door_links (producer_id, expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX door_links_of_event ON door_links (producer_id, event_id, created_at);

-- door_link_events: the events of door links besides their first one, to find the links of an event by.
CREATE TABLE door_link_events (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    event_id TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    door_link_id TEXT NOT NULL,
    PRIMARY KEY (producer_id, event_id, made_at, door_link_id)
);

-- scans: the scan log, with the answer to each scan_id.
CREATE TABLE scans (
    producer_id BIGINT NOT NULL,
    scan_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    door_link_id TEXT,
    station TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    ticket_id TEXT,
    outcome TEXT NOT NULL,
    scanned_at BIGINT,
    accepted_at BIGINT NOT NULL,
    answer TEXT NOT NULL,
    conflict BIGINT NOT NULL DEFAULT 0,
    undone_at BIGINT,
    PRIMARY KEY (producer_id, scan_id)
);
CREATE INDEX scans_in_conflict ON scans (producer_id, door_link_id, seq) WHERE conflict = 1;
CREATE INDEX scans_of_link ON scans (producer_id, door_link_id, seq) WHERE door_link_id IS NOT NULL;
CREATE INDEX scans_of_ticket ON scans (producer_id, ticket_id, seq) WHERE ticket_id IS NOT NULL;
CREATE INDEX scans_refused ON scans (producer_id, door_link_id, seq) WHERE CASE outcome WHEN 'admitted' THEN 0 WHEN 'entry_undone' THEN 0 WHEN 'reentered' THEN 0 WHEN 'went_out' THEN 0 ELSE 1 END = 1;
CREATE INDEX scans_undone ON scans (producer_id, ticket_id, seq) WHERE outcome = 'entry_undone' AND conflict = 0;
CREATE INDEX scans_without_link ON scans (producer_id, seq) WHERE door_link_id IS NULL;

-- station_entries: how many entered, by ticket type and station.
CREATE TABLE station_entries (
    producer_id BIGINT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    station TEXT NOT NULL,
    entered BIGINT NOT NULL,
    PRIMARY KEY (producer_id, ticket_type_id, station)
);

-- inside: how many are inside, by zone and ticket type.
CREATE TABLE inside (
    producer_id BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    zone TEXT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    inside BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, zone, ticket_type_id)
);

-- inside_limits: how many people should be inside an event or a zone at most.
CREATE TABLE inside_limits (
    producer_id BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    zone TEXT NOT NULL,
    people BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, zone)
);

-- entries: how many entered, by minute and ticket type.
CREATE TABLE entries (
    producer_id BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    minute BIGINT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    entered BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, minute, ticket_type_id)
);

-- link_scans: how many scans a door link made, by outcome.
CREATE TABLE link_scans (
    producer_id BIGINT NOT NULL,
    door_link_id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    scans BIGINT NOT NULL,
    conflicts BIGINT NOT NULL,
    PRIMARY KEY (producer_id, door_link_id, outcome)
);

-- sales: units and money sold and refunded, by item, channel and day.
CREATE TABLE sales (
    producer_id BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    units BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    refunded_units BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id, day, ticket_type_id, channel)
);

-- event_sales: the same for all items of an event together.
CREATE TABLE event_sales (
    producer_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    units BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    refunded_units BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, day, event_id, channel)
);

-- event_totals: the same for all days of an event together.
CREATE TABLE event_totals (
    producer_id BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    units BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    refunded_units BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, event_id)
);

-- promoter_sales: units and money sold and refunded, by promoter, item, channel and day.
CREATE TABLE promoter_sales (
    producer_id BIGINT NOT NULL,
    promoter_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    ticket_type_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    event_id TEXT NOT NULL,
    units BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    refunded_units BIGINT NOT NULL,
    refunded_amount BIGINT NOT NULL,
    PRIMARY KEY (producer_id, promoter_id, day, ticket_type_id, channel),
    FOREIGN KEY (producer_id, promoter_id) REFERENCES promoters (producer_id, id)
);
CREATE INDEX promoter_sales_of_event ON promoter_sales (producer_id, event_id, day, promoter_id);

-- api_keys: keys of the read API, by their hash.
CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    name TEXT NOT NULL,
    permissions TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT
);
CREATE INDEX api_keys_by_producer ON api_keys (producer_id, created_at);
CREATE INDEX api_keys_ending ON api_keys (producer_id, expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

-- outbox: messages for webhooks, written by the move that they tell of.
CREATE TABLE outbox (
    producer_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    data TEXT NOT NULL,
    endpoint_id TEXT,
    PRIMARY KEY (producer_id, seq)
);

-- webhook_endpoints: where messages are sent, and how far each endpoint has come.
CREATE TABLE webhook_endpoints (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    kinds TEXT NOT NULL,
    personal_data BIGINT NOT NULL,
    secret TEXT NOT NULL,
    old_secrets TEXT NOT NULL,
    state TEXT NOT NULL,
    state_since BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    outbox_seq BIGINT NOT NULL,
    last_sequence BIGINT NOT NULL,
    rests_until BIGINT NOT NULL,
    failing_since BIGINT,
    last_success_at BIGINT,
    lease_owner TEXT NOT NULL,
    lease_until BIGINT NOT NULL,
    caught_up_to BIGINT,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX webhook_endpoints_by_id ON webhook_endpoints (id);

-- webhook_deliveries: messages with their place in an endpoint's sequence, and what became of each.
CREATE TABLE webhook_deliveries (
    producer_id BIGINT NOT NULL,
    endpoint_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    message_seq BIGINT NOT NULL,
    status TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    rung BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (producer_id, endpoint_id, sequence)
) WITHOUT ROWID;
CREATE INDEX webhook_deliveries_again ON webhook_deliveries (producer_id, endpoint_id, sequence) WHERE status = 'pending' AND rung > 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (producer_id, endpoint_id, status, due_at, sequence) WHERE due_at IS NOT NULL;

-- webhook_attempts: attempts to deliver, with the answer.
CREATE TABLE webhook_attempts (
    producer_id BIGINT NOT NULL,
    endpoint_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    attempted_at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    status BIGINT,
    problem TEXT,
    response TEXT NOT NULL,
    PRIMARY KEY (producer_id, endpoint_id, sequence, attempt)
) WITHOUT ROWID;

-- imports: files that were imported, by digest.
CREATE TABLE imports (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    digest TEXT NOT NULL,
    imported_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, digest)
);

-- users: people who sign in to the dashboard.
CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    is_operator BIGINT NOT NULL,
    totp_secret TEXT,
    totp_pending TEXT,
    totp_step BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    disabled_at BIGINT
);

-- recovery_codes: codes that stand in for a lost second factor, by their hash.
CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES users (id),
    hash TEXT NOT NULL,
    PRIMARY KEY (user_id, hash)
);

-- sessions: who is signed in where, by the hash of a cookie.
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    address TEXT NOT NULL,
    device TEXT NOT NULL
);
CREATE INDEX sessions_by_seen ON sessions (seen_at);
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);

-- staff_links: one-time links to join, to choose a password or to begin.
CREATE TABLE staff_links (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    purpose TEXT NOT NULL,
    producer_id BIGINT REFERENCES producers (producer_id),
    user_id TEXT REFERENCES users (id),
    email TEXT NOT NULL,
    role TEXT NOT NULL,
    made_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    makes_operator BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX invitations_ending ON staff_links (producer_id, expires_at) WHERE purpose = 'invitation';
CREATE INDEX staff_links_by_expiry ON staff_links (expires_at);
CREATE INDEX staff_links_of_producer ON staff_links (producer_id, created_at);
CREATE INDEX staff_links_of_user ON staff_links (user_id);

-- roles: roles that a producer made, with their rights.
CREATE TABLE roles (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    rights TEXT NOT NULL,
    PRIMARY KEY (producer_id, id)
);

-- members: who is in which team, with which role.
CREATE TABLE members (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, user_id)
);
CREATE INDEX members_of_user ON members (user_id, producer_id);

-- audit: what staff did; rows are only ever added.
CREATE TABLE audit (
    producer_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    origin TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    form TEXT,
    work TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX audit_by_action ON audit (producer_id, action, id);
CREATE INDEX audit_by_actor ON audit (producer_id, actor, id);
CREATE UNIQUE INDEX audit_by_form ON audit (producer_id, form) WHERE form IS NOT NULL;
CREATE INDEX audit_by_subject ON audit (producer_id, subject, id);
CREATE INDEX audit_by_work ON audit (producer_id, work, id);
CREATE INDEX audit_by_work_and_actor ON audit (producer_id, work, actor, id);

-- work: long work that staff began, and the lease of the server that does it.
CREATE TABLE work (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    total BIGINT,
    done BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    created_by TEXT NOT NULL,
    origin TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    leased_until BIGINT NOT NULL,
    pass_refunded BIGINT NOT NULL,
    at_stamp BIGINT NOT NULL,
    at_seq BIGINT NOT NULL,
    decided_by TEXT NOT NULL DEFAULT '',
    decided_from TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX work_files ON work (producer_id, id) WHERE kind = 'import' AND finished_at IS NULL;
CREATE INDEX work_of_kind ON work (producer_id, kind, id);
CREATE INDEX work_of_subject ON work (producer_id, kind, subject, id);
CREATE UNIQUE INDEX work_one_erasure ON work (producer_id, kind, subject) WHERE kind IN ('erasure', 'retention') AND finished_at IS NULL;
CREATE UNIQUE INDEX work_one_refund ON work (producer_id, subject) WHERE kind = 'refund' AND finished_at IS NULL;
CREATE INDEX work_to_do ON work (producer_id, leased_until, id) WHERE state IN ('checking', 'running');
CREATE INDEX work_undecided ON work (producer_id, id) WHERE state IN ('uploading', 'checked');

-- work_orders: what became of each order of a piece of work.
CREATE TABLE work_orders (
    producer_id BIGINT NOT NULL,
    work_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (producer_id, work_id, number)
);
CREATE INDEX work_orders_failed ON work_orders (producer_id, work_id, number) WHERE result NOT IN ('', 'refunded', 'rejected');
CREATE INDEX work_orders_open ON work_orders (producer_id, work_id, number) WHERE result = '';

-- uploads: files on their way in, in parts.
CREATE TABLE uploads (
    producer_id BIGINT NOT NULL,
    work_id TEXT NOT NULL,
    part BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (producer_id, work_id, part)
);

-- search_words: words by which staff find orders and tickets.
CREATE TABLE search_words (
    producer_id BIGINT NOT NULL,
    kind BIGINT NOT NULL,
    word TEXT NOT NULL,
    at BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (producer_id, kind, word, at, seq)
) WITHOUT ROWID;

-- search_marks: how far the words have come, for each producer.
CREATE TABLE search_marks (
    producer_id BIGINT PRIMARY KEY REFERENCES producers (producer_id),
    orders_at BIGINT NOT NULL,
    orders_seq BIGINT NOT NULL,
    tickets_at BIGINT NOT NULL,
    tickets_seq BIGINT NOT NULL,
    erasures BIGINT NOT NULL DEFAULT 0
);

-- backup_turn: which server makes the next backup, and when the last was made.
CREATE TABLE backup_turn (
    id BIGINT PRIMARY KEY,
    made_at BIGINT NOT NULL,
    leased_until BIGINT NOT NULL
);
