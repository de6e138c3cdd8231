-- What ends soon, for the overview: as few rows as there are things that end by themselves.
CREATE INDEX door_links_ending ON door_links (producer_id, expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX api_keys_ending ON api_keys (producer_id, expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX invitations_ending ON staff_links (producer_id, expires_at) WHERE purpose = 'invitation';
