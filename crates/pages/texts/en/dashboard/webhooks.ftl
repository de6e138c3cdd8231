# Webhooks.

webhooks-lead = A webhook tells a program of yours at once when something happens: a sale, a scan, a refund. You say which address to call and of what; we call it, and try again for almost a day if nobody answers.
webhooks-empty = No endpoints yet
webhooks-empty-lead = An endpoint is an address of yours, such as https://example.com/hooks, that our messages are sent to. Make one, then send a test and see what it answers.
webhooks-full = The limit of endpoints is reached. Delete one that is no longer needed.
webhook-new = New endpoint
webhook-make = Make the endpoint
webhook-endpoint = Endpoint
webhook-url = Address
hint-webhook-url = Messages are sent there as POST requests over https.
webhook-kinds = Notified of
webhook-personal = Personal data
webhook-personal-send = Send names, e-mail addresses, phone numbers and identity documents, too
webhook-personal-about = Only if the receiver needs them. Without them, messages have ids, and the API tells the rest to a key that may.
webhook-made-title = The endpoint is ready
webhook-made-explanation = Messages are signed with this secret. The receiver needs it to know that they come from us.
webhook-rotated-title = The endpoint has a new secret
webhook-rotated-explanation = For 24 hours messages are signed with the new secret and with the one before, so that the receiver can change over.
webhook-kept = I have kept the secret
webhook-waiting = Waiting
webhook-failed = Failed
webhook-last-success = Last delivered
webhook-rests = Waits until
webhook-test = Send a test
webhook-change = Change
webhook-change-lead = The kinds count for what happens from now on, the rest for what is sent from now on.
webhook-pause = Pause
webhook-resume = Resume
webhook-rotate = New secret
webhook-rotate-about = A new secret is shown once; for 24 hours the one before signs, too.
webhook-needs-people = Messages of tickets, and those with personal data, are for roles that see personal data: only they choose where these are sent, get the secret and send them again.
webhook-messages = Messages
webhook-show-all = Show all
webhook-show-failed = Show those that failed
webhook-delete-title = Delete this endpoint?
webhook-delete-lead = { $count ->
    [0] Nothing more is sent there. All that is known of its messages is deleted, and it cannot be brought back.
    [one] Nothing more is sent there, not even the message that is waiting. All that is known of its messages is deleted, and it cannot be brought back.
   *[other] Nothing more is sent there, not even the { $count } messages that are waiting. All that is known of its messages is deleted, and it cannot be brought back.
}
webhook-delete-button = Delete the endpoint
secrets-full = Too many secrets are in use already. Wait until the oldest of them has had its 24 hours.
health-active = working
health-paused = paused
health-resting = asked us to wait
health-struggling = last attempt failed
health-failing = stopped: failed for days
health-gone = stopped: receiver is gone
messages-empty = Nothing here
messages-empty-lead = As soon as something happens that this endpoint is notified of, it is listed here. A test shows whether messages arrive.
message = Message
message-place = No.
message-kind = Kind
message-happened = Happened
message-attempts = Attempts
message-next = Next attempt
message-id = Id
message-body = What is sent
masked = Your role does not see personal data, so it is hidden here.
delivery-delivered = delivered
delivery-failed = failed
delivery-pending = waiting
attempts = Attempts
attempts-none = No attempt yet.
attempt-number = Attempt
attempt-time = Time
attempt-answer = Status
attempt-none = no answer
attempt-took = Took
attempt-said = Answer
replay-title = Send again
replay-lead = What was sent before can be sent once more, in the order in which it happened. Receivers know a message by its id, so one that comes twice does no harm.
replay-one = Send again
replay-failed = { $count ->
    [one] Send again the one that failed
   *[other] Send again all { $count } that failed
}
replay-since = From
replay-until = Until (empty: now)
replay-range = Send again what happened then
kind-ticket-issued = A ticket was issued
kind-ticket-scanned = A ticket entered
kind-ticket-entry-undone = An entry was undone
kind-ticket-transferred = A ticket was passed on
kind-ticket-cancelled = A ticket was cancelled
kind-ticket-refunded = A ticket was refunded
kind-ticket-hidden = A ticket was hidden
kind-ticket-noted = The note for the door of a ticket changed
kind-ticket-person-erased = The attendee of a ticket was erased
kind-order-created = An order was placed
kind-order-approved = An order was paid
kind-order-rejected = An order will not be paid
kind-order-refunded = An order was refunded
kind-order-person-erased = The buyer of an order was erased
kind-event-updated = An event is new or was changed
kind-ticket-type-updated = A ticket type is new or was changed
