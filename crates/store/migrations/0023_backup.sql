-- What is known of backups, and of history that was lost when one was restored.

-- The database was restored from a backup, and whatever happened between these stamps of the producer's clock is gone. A
-- client whose mark is later than lost_after, and not later than lost_until, has to load anew.
CREATE TABLE lost_history (
    producer_id BIGINT NOT NULL REFERENCES producers (producer_id),
    lost_until  BIGINT NOT NULL,
    lost_after  BIGINT NOT NULL,
    restored_at BIGINT NOT NULL,
    PRIMARY KEY (producer_id, lost_until)
);

-- One row. made_at is the moment of the last backup that servers made by themselves; 0 if there was none. One server is at
-- the next until leased_until.
CREATE TABLE backup_turn (
    id           BIGINT PRIMARY KEY,
    made_at      BIGINT NOT NULL,
    leased_until BIGINT NOT NULL
);
INSERT INTO backup_turn (id, made_at, leased_until) VALUES (1, 0, 0);
