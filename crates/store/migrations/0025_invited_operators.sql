-- An invitation to a user who exists may also make that user an operator, once it is accepted.
ALTER TABLE staff_links ADD COLUMN makes_operator BIGINT NOT NULL DEFAULT 0;
