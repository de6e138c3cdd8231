-- Long work that staff begin and servers carry out: refunding all orders of an event, and importing a file.

-- subject is the event's id, or the file's name. total is how many orders or bytes there are, once that is known; done and
-- failed count them. outcome is what is said at the end, as JSON. created_by and origin are who began it, and from where.
-- A server works on it until leased_until; then another may go on. Orders are gone through newest first, again and again
-- until a pass refunds none: pass_refunded is how many the present pass refunded, at_stamp and at_seq are where it is.
CREATE TABLE work (
    producer_id   BIGINT NOT NULL REFERENCES producers (producer_id),
    id            TEXT   NOT NULL,
    kind          TEXT   NOT NULL,
    subject       TEXT   NOT NULL,
    state         TEXT   NOT NULL,
    total         BIGINT,
    done          BIGINT NOT NULL,
    failed        BIGINT NOT NULL,
    outcome       TEXT   NOT NULL,
    created_by    TEXT   NOT NULL,
    origin        TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    finished_at   BIGINT,
    leased_until  BIGINT NOT NULL,
    pass_refunded BIGINT NOT NULL,
    at_stamp      BIGINT NOT NULL,
    at_seq        BIGINT NOT NULL,
    PRIMARY KEY (producer_id, id)
);
-- What a server may take up, and what an event's page asks for.
CREATE INDEX work_to_do ON work (leased_until) WHERE state IN ('checking', 'running');
CREATE INDEX work_of_subject ON work (producer_id, kind, subject, id);
CREATE INDEX work_of_kind ON work (producer_id, kind, id);
-- Files that nobody has decided on.
CREATE INDEX work_undecided ON work (producer_id, id) WHERE state IN ('uploading', 'checked');
-- The orders of an event are refunded by one piece of work at a time.
CREATE UNIQUE INDEX work_one_refund ON work (producer_id, subject) WHERE kind = 'refund' AND finished_at IS NULL;

-- A row for each order of such work, written before the order is refunded, so that none is forgotten. result is empty until
-- it is decided: then 'refunded', or the code of what stood in the way.
CREATE TABLE work_orders (
    producer_id BIGINT NOT NULL,
    work_id     TEXT   NOT NULL,
    number      BIGINT NOT NULL,
    order_id    TEXT   NOT NULL,
    result      TEXT   NOT NULL,
    PRIMARY KEY (producer_id, work_id, number)
);
CREATE INDEX work_orders_open ON work_orders (producer_id, work_id, number) WHERE result = '';
CREATE INDEX work_orders_failed ON work_orders (producer_id, work_id, number) WHERE result NOT IN ('', 'refunded');

-- A file that is to be imported, in parts, until it is imported or given up.
CREATE TABLE uploads (
    producer_id BIGINT NOT NULL,
    work_id     TEXT   NOT NULL,
    part        BIGINT NOT NULL,
    content     TEXT   NOT NULL,
    PRIMARY KEY (producer_id, work_id, part)
);
