-- What the door does besides scanning codes.

-- What a link may do besides scanning: names with spaces between, or nothing.
ALTER TABLE door_links ADD COLUMN options TEXT NOT NULL DEFAULT '';

-- undone_at: when the entry that this scan made was taken back. The taking back is a row of its own, with the outcome
-- entry_undone. A phone that was offline meanwhile gets that outcome too, as a conflict.
ALTER TABLE scans ADD COLUMN undone_at BIGINT;
CREATE INDEX scans_undone ON scans (producer_id, ticket_id, seq) WHERE outcome = 'entry_undone' AND conflict = 0;
-- Nobody is refused when an entry is taken back.
DROP INDEX scans_refused;
CREATE INDEX scans_refused ON scans (producer_id, door_link_id, seq)
    WHERE CASE outcome WHEN 'admitted' THEN 0 WHEN 'entry_undone' THEN 0 ELSE 1 END = 1;
