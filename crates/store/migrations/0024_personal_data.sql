-- Erasing what is held of people: on request, and by age.

-- How many days after an event's end what is known of its buyers and attendees is erased. NULL is never.
ALTER TABLE producers ADD COLUMN retention_days BIGINT;

-- Everything of the event that changed up to this stamp is erased by age. NULL if nothing is.
ALTER TABLE events ADD COLUMN erased_up_to BIGINT;

-- Nobody erases the same twice at once.
CREATE UNIQUE INDEX work_one_erasure ON work (producer_id, kind, subject)
    WHERE kind IN ('erasure', 'retention') AND finished_at IS NULL;

-- Raised by every erasure, so that words that were read before it are not written after it.
ALTER TABLE search_marks ADD COLUMN erasures BIGINT NOT NULL DEFAULT 0;
-- The whole address and the whole document of a person are among the words now, however many words there are. Servers go
-- through everything once more.
DELETE FROM search_marks;
DELETE FROM search_words;

-- Notes about payments may name people, and what is in the history stays there. The payments have them.
UPDATE audit SET details = '{}' WHERE action = 'payment.paid_back';

-- So may ids of attendees that were made elsewhere. Ours begin with "at_", and say nothing.
UPDATE audit SET details = '{}' WHERE action LIKE 'ticket.%' AND details LIKE '%"attendee":"%'
    AND details NOT LIKE '%"attendee":"at\_%' ESCAPE '\';

-- Attendees are kept until their tickets are issued; the tickets have them then.
DELETE FROM order_attendees WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.producer_id = order_attendees.producer_id
    AND o.id = order_attendees.order_id AND o.status = 'pending');
