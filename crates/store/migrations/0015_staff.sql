-- People who work for producers: users, how they sign in, the producers they belong to, and what staff did.

-- The time zone that pages show and that a new event begins with, the currency that the producer reckons in, and whether
-- its team must use a second factor.
ALTER TABLE producers ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE producers ADD COLUMN currency TEXT NOT NULL DEFAULT 'EUR';
ALTER TABLE producers ADD COLUMN needs_second_factor BIGINT NOT NULL DEFAULT 0;

-- The row that is locked while a producer gets its number, so that two that are made at once wait for each other.
INSERT INTO settings (name, value) VALUES ('new_producer', '');

-- email is in lower case. password_hash is empty until the user has chosen a password. An operator may do what concerns
-- all producers. totp_step is the last time step whose code was taken, so that none is taken twice; totp_pending is a
-- secret that was shown and not yet confirmed with a code.
CREATE TABLE users (
    id            TEXT   PRIMARY KEY,
    email         TEXT   NOT NULL UNIQUE,
    name          TEXT   NOT NULL,
    password_hash TEXT   NOT NULL,
    is_operator   BIGINT NOT NULL,
    totp_secret   TEXT,
    totp_pending  TEXT,
    totp_step     BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    disabled_at   BIGINT
);

-- Codes for who has lost the second factor. Each is taken once and then deleted.
CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES users (id),
    hash    TEXT NOT NULL,
    PRIMARY KEY (user_id, hash)
);

-- confirmed_at is when the user last showed the password.
CREATE TABLE sessions (
    hash         TEXT   PRIMARY KEY,
    id           TEXT   NOT NULL UNIQUE,
    user_id      TEXT   NOT NULL REFERENCES users (id),
    created_at   BIGINT NOT NULL,
    seen_at      BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    address      TEXT   NOT NULL,
    device       TEXT   NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_seen ON sessions (seen_at);

-- Roles that a producer made. Those that every producer has are in the code.
CREATE TABLE roles (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    id          TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    rights      TEXT   NOT NULL,
    PRIMARY KEY (producer_id, id)
);

CREATE TABLE members (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    user_id     TEXT   NOT NULL REFERENCES users (id),
    role        TEXT   NOT NULL,
    joined_at   BIGINT NOT NULL,
    PRIMARY KEY (producer_id, user_id)
);
CREATE INDEX members_of_user ON members (user_id, producer_id);

-- Links that do one thing once: begin the service, accept an invitation, choose a password, sign in. A link that was
-- used or withdrawn is deleted. made_by is the user who made an invitation, or empty.
CREATE TABLE staff_links (
    hash        TEXT   PRIMARY KEY,
    id          TEXT   NOT NULL UNIQUE,
    purpose     TEXT   NOT NULL,
    producer_id BIGINT REFERENCES producers (producer_id),
    user_id     TEXT   REFERENCES users (id),
    email       TEXT   NOT NULL,
    role        TEXT   NOT NULL,
    made_by     TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL
);
CREATE INDEX staff_links_of_producer ON staff_links (producer_id, created_at);
CREATE INDEX staff_links_of_user ON staff_links (user_id);
CREATE INDEX staff_links_by_expiry ON staff_links (expires_at);

-- What staff did, and what they tried and may not do. Rows are only ever added. producer_id is 0 for what concerns no
-- producer.
CREATE TABLE audit (
    producer_id BIGINT NOT NULL,
    id          TEXT   NOT NULL,
    at          BIGINT NOT NULL,
    actor       TEXT   NOT NULL,
    origin      TEXT   NOT NULL,
    action      TEXT   NOT NULL,
    subject     TEXT   NOT NULL,
    details     TEXT   NOT NULL,
    PRIMARY KEY (producer_id, id)
);
CREATE INDEX audit_by_actor ON audit (producer_id, actor, id);
CREATE INDEX audit_by_action ON audit (producer_id, action, id);
CREATE INDEX audit_by_subject ON audit (producer_id, subject, id);

-- What is on sale, for the front page.
CREATE INDEX events_on_sale ON events (starts_at) WHERE status = 'published';
