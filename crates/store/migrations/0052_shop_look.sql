-- How a producer's shop looks: its colour as #rrggbb, and which picture it has, by the beginning of the picture's hash.
ALTER TABLE producers ADD COLUMN shop_colour TEXT NOT NULL DEFAULT '';
ALTER TABLE producers ADD COLUMN shop_picture TEXT NOT NULL DEFAULT '';

-- The picture itself, a JPEG in base64.
CREATE TABLE shop_pictures (
    producer_id BIGINT NOT NULL PRIMARY KEY,
    content     TEXT   NOT NULL
);
