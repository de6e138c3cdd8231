-- What an order or a ticket is found by (domain/search_text.rs). kind says of what it is an entry; (at, seq) is the place of
-- its row in the list by creation or by issue. Of a ticket's id it has the first letters only.
CREATE TABLE search_words (
    producer_id BIGINT NOT NULL,
    kind        BIGINT NOT NULL,
    word        TEXT NOT NULL,
    at          BIGINT NOT NULL,
    seq         BIGINT NOT NULL,
    PRIMARY KEY (producer_id, kind, word, at, seq)
) WITHOUT ROWID;
