-- Websites whose pages may ask the producer's shop, one a line, as browsers send them in Origin.
ALTER TABLE producers ADD COLUMN shop_origins TEXT NOT NULL DEFAULT '';
