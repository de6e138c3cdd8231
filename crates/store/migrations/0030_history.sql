-- The history: forms that make something once, and long work in one line.

-- The key of the form that an entry came with, where a form sent again must change nothing: forms that make a secret, which
-- is shown once.
ALTER TABLE audit ADD COLUMN form TEXT;
CREATE UNIQUE INDEX audit_by_form ON audit (producer_id, form) WHERE form IS NOT NULL;

-- The long work that an entry is a part of. Pages show them together, in the line of the work's beginning.
ALTER TABLE audit ADD COLUMN work TEXT NOT NULL DEFAULT '';
CREATE INDEX audit_by_work ON audit (producer_id, work, id);
CREATE INDEX audit_by_work_and_actor ON audit (producer_id, work, actor, id);
