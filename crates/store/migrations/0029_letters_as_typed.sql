-- Words of the search are written as people type them: "Østergård" is found by "oster". Words with letters that are not
-- ASCII may be others now. They go, and producers who have some are gone through once more, in small steps.
UPDATE search_marks SET orders_at = -9223372036854775807, orders_seq = 0, tickets_at = -9223372036854775807, tickets_seq = 0
    WHERE producer_id IN (SELECT producer_id FROM search_words WHERE octet_length(word) <> length(word));
DELETE FROM search_words WHERE octet_length(word) <> length(word);
