-- Tickets as they are sent.

-- The ticket as the API shows it, but for its type's name and category, which are the type's own. Written with every
-- change of the row (store/documents.rs); rows that are already here get theirs right after this text.
ALTER TABLE tickets ADD COLUMN document TEXT NOT NULL DEFAULT '';

-- The stamp of the last new name of a ticket type, so that a server knows when the names it remembers are old.
ALTER TABLE producers ADD COLUMN catalog_version BIGINT NOT NULL DEFAULT 0;
