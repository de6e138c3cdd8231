-- Long work: who decided, turns among producers, and how much waits.

-- Who said that a checked file is to be imported, and from where. Empty until then.
ALTER TABLE work ADD COLUMN decided_by TEXT NOT NULL DEFAULT '';
ALTER TABLE work ADD COLUMN decided_from TEXT NOT NULL DEFAULT '';

-- Producers take turns, and each has its own line.
DROP INDEX work_to_do;
CREATE INDEX work_to_do ON work (producer_id, leased_until, id) WHERE state IN ('checking', 'running');

-- Files that are here and not imported, which are bounded for each producer.
CREATE INDEX work_files ON work (producer_id, id) WHERE kind = 'import' AND finished_at IS NULL;
