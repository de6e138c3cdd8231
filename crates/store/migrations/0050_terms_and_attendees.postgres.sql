ALTER TABLE import_events ADD COLUMN attendees_asked TEXT;
ALTER TABLE import_events ADD COLUMN terms_id TEXT;
ALTER TABLE import_events ADD COLUMN terms_text TEXT;
ALTER TABLE import_events ADD COLUMN terms_url TEXT;
