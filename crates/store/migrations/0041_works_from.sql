-- Servers that know this version and no later one may run on beside the migration. NULL, as of older migrations, if none may.
ALTER TABLE schema_migrations ADD COLUMN works_from BIGINT;
