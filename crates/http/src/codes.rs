//! Every error code with its status, title and advice. The page `/docs/errors` and the OpenAPI responses are made from
//! these.

use axum::http::StatusCode;

/// An error code and what is the same for all errors with it.
pub struct Code {
    /// The stable name.
    pub name: &'static str,
    /// The HTTP status.
    pub status: StatusCode,
    /// What went wrong, in a few words.
    pub title: &'static str,
    /// What a client can do about it.
    pub advice: &'static str,
    /// The URL of its explanation.
    pub kind: &'static str,
}

macro_rules! codes {
    ($(#[$doc:meta])* $list:ident: $($constant:ident = $name:literal, $status:ident, $title:literal, $advice:literal;)+) => {
        $(#[doc = $title]
        pub const $constant: Code = Code {
            name: $name,
            status: StatusCode::$status,
            title: $title,
            advice: $advice,
            kind: concat!("/docs/errors#", $name),
        };)+
        $(#[$doc])*
        pub const $list: &[Code] = &[$($constant),+];
    };
}

codes! {
    /// Codes of the read API, which every other part uses too.
    CODES:
    INVALID_PARAMETER = "invalid_parameter", BAD_REQUEST, "A parameter's value cannot be used",
        "Correct the parameter that `param` names; `detail` says what it takes.";
    UNKNOWN_PARAMETER = "unknown_parameter", BAD_REQUEST, "There is no such parameter",
        "Check the spelling; `detail` names the nearest parameter there is. Nothing was filtered by it.";
    INVALID_CURSOR = "invalid_cursor", BAD_REQUEST, "The cursor does not belong here",
        "Pass `next_cursor` unchanged, with the same key's producer, list and filters; only `limit` may change. To start over, leave it out.";
    MARK_LOST = "mark_lost", GONE, "The mark is from history that was lost",
        "The database was restored from a backup, and what you saw after that is gone. Load the list anew from an early date, and replace your copy by what comes; `detail` says what time was lost.";
    MISSING_TOKEN = "missing_token", UNAUTHORIZED, "No API key was sent",
        "Send the header `Authorization: Bearer <API_KEY>`. A key anywhere else is not read.";
    INVALID_TOKEN = "invalid_token", UNAUTHORIZED, "The API key is not valid",
        "The key is mistyped, unknown, expired or revoked. Ask the producer's administrator for a new one.";
    INSUFFICIENT_SCOPE = "insufficient_scope", FORBIDDEN, "The API key lacks a permission",
        "Ask for a key with the permission that `detail` names; a key's permissions never change.";
    NOT_FOUND = "not_found", NOT_FOUND, "There is nothing here",
        "Check the path and the id. What belongs to another producer looks the same as what does not exist.";
    METHOD_NOT_ALLOWED = "method_not_allowed", METHOD_NOT_ALLOWED, "This path does not take that method",
        "The `Allow` header lists the methods that it takes. Everything under `/api/v1` only reads.";
    URI_TOO_LONG = "uri_too_long", URI_TOO_LONG, "The path and query are too long",
        "Shorten the query; no honest one comes near the limit of 8 kB.";
    HEADERS_TOO_LARGE = "headers_too_large", REQUEST_HEADER_FIELDS_TOO_LARGE, "The request's headers are too large",
        "Send fewer or shorter headers; the limit is 16 kB.";
    RATE_LIMITED = "rate_limited", TOO_MANY_REQUESTS, "Too many requests",
        "Wait for the seconds in `Retry-After`, then go on where you were; a cursor stays good.";
    INTERNAL = "internal", INTERNAL_SERVER_ERROR, "The server failed",
        "This is a defect of the server. Report it with the `request_id`.";
    UNAVAILABLE = "unavailable", SERVICE_UNAVAILABLE, "The service is not available just now",
        "Try again after the seconds in `Retry-After`.";
}

codes! {
    /// Codes of the parts that change something.
    BOX_OFFICE_CODES:
    INVALID_BODY = "invalid_body", BAD_REQUEST, "The request's body cannot be used",
        "Correct the field that `param` names; `detail` says what it takes. Nothing was changed.";
    IN_LINE = "in_line", SERVICE_UNAVAILABLE, "Others are before you in the line of the event",
        "Very many want to buy just now. Send the same order again after the seconds in `Retry-After`, with the place that the header `Line-Place` of this answer gave you in a header of that name. Without it you get a new place at the end.";
    MISSING_IDEMPOTENCY_KEY = "missing_idempotency_key", BAD_REQUEST, "An order needs an Idempotency-Key",
        "Send the header `Idempotency-Key` once, with 1 to 128 characters: a random UUID, new for each order and the same for each repetition of it. Do not use what others can guess, such as a cart's number.";
    INVALID_SIGNATURE = "invalid_signature", UNAUTHORIZED, "The callback's signature is not valid",
        "Sign `webhook-id`, `webhook-timestamp` and the body with the producer's secret, as Standard Webhooks says, within five minutes.";
    BODY_TOO_LARGE = "body_too_large", PAYLOAD_TOO_LARGE, "The request's body is too large",
        "Send less; `detail` says how much.";
    BODY_TOO_SLOW = "body_too_slow", REQUEST_TIMEOUT, "The request's body came too slowly",
        "Nothing was changed. Send the request again when the connection is better; the whole body has 15 seconds.";
    BODY_INCOMPLETE = "body_incomplete", BAD_REQUEST, "The request's body did not arrive whole",
        "Nothing was changed. Send the whole body: as many bytes as `Content-Length` says, or chunks up to the last one.";
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "The request's body is not JSON",
        "Send JSON with the header `Content-Type: application/json`.";
    EVENT_NOT_ON_SALE = "event_not_on_sale", CONFLICT, "The event is not on sale",
        "It is over, cancelled or not announced yet.";
    NOT_ON_SALE = "not_on_sale", CONFLICT, "An item is not on sale",
        "It is switched off, deleted, or its sale has ended. Only staff is told so: for the public there is no such item.";
    NOT_YET_ON_SALE = "not_yet_on_sale", CONFLICT, "The sale of an item has not begun",
        "The item's `on_sale_from` says when it begins. Ask again then.";
    SOLD_OUT = "sold_out", CONFLICT, "There is not enough left",
        "Ask for less, or for something else. Stock may return when others give theirs back.";
    HELD = "held", CONFLICT, "Others hold what is left",
        "Their holds end when they pay or when their time is over. Try again after the seconds in `Retry-After`; `held_until` says when the next hold ends.";
    TOO_MANY_UNPAID = "too_many_unpaid", CONFLICT, "There are too many unpaid orders",
        "Pay for one of them, or try again after the seconds in `Retry-After`.";
    HOLD_STAYS = "hold_stays", CONFLICT, "The hold cannot be made longer",
        "A hold is made longer once, and only while it lasts. Pay before it ends, or place the order again.";
    COUPON_REFUSED = "coupon_refused", CONFLICT, "The coupon cannot be used",
        "Order without it, or with another one. Which of the reasons it is, is told to nobody: codes could be found by trying.";
    TERMS_NOT_ACCEPTED = "terms_not_accepted", CONFLICT, "The buyer has not accepted the terms in force",
        "Ask again what is on sale, show its `terms` to the buyer, and send their id as `terms` once the buyer accepts them.";
    TOO_MANY = "too_many", CONFLICT, "One order may not hold that many",
        "Ask for `max_per_order` at most.";
    TOO_FEW = "too_few", CONFLICT, "One order must have more of that",
        "Ask for `min_per_order` at least, or for none.";
    PROMOTER_REFUSED = "promoter_refused", CONFLICT, "This promoter may not give tickets away",
        "Send the promoter's token, which they were handed when they began or got a new link. Their id sells in their name and gives nothing away.";
    CONTINGENT_USED_UP = "contingent_used_up", CONFLICT, "The promoter may give away fewer tickets",
        "Ask for what is left, or ask the organiser. What is refunded or cancelled may be given away again.";
    ORDER_NOT_PENDING = "order_not_pending", CONFLICT, "The order has been decided",
        "Only a pending order can be approved or rejected.";
    ORDER_NOT_APPROVED = "order_not_approved", CONFLICT, "The order is not approved",
        "Only an approved order can be refunded.";
    ORDER_HAS_TICKETS = "order_has_tickets", CONFLICT, "The order has tickets already",
        "It was imported pending, with its tickets. Approving it would issue them again.";
    TICKET_VALID = "ticket_valid", CONFLICT, "The ticket is valid", "The ticket's status does not allow this.";
    TICKET_SCANNED = "ticket_scanned", CONFLICT, "The ticket has entered",
        "A ticket that has entered can be cancelled, but not passed on.";
    TICKET_TRANSFERRED = "ticket_transferred", CONFLICT, "The ticket was passed on",
        "Another ticket took its place.";
    TICKET_CANCELLED = "ticket_cancelled", CONFLICT, "The ticket was cancelled", "It no longer works.";
    TICKET_REFUNDED = "ticket_refunded", CONFLICT, "The ticket was refunded", "It no longer works.";
    LIMIT_BELOW_SOLD = "limit_below_sold", CONFLICT, "More are sold than that",
        "Set a limit of at least what is sold.";
    IDEMPOTENCY_MISMATCH = "idempotency_mismatch", UNPROCESSABLE_ENTITY, "The Idempotency-Key belongs to another order",
        "Use a new random key, such as a UUID, for a new order, and the same body for a repetition. Keys that others can guess can be taken by them.";
    PAYMENT_PAID_BACK = "payment_paid_back", CONFLICT, "The payment was paid back",
        "Staff have paid it back, so it pays for nothing. For tickets, the buyer pays anew.";
    PAYMENT_SETTLED = "payment_settled", CONFLICT, "The payment has paid for an order",
        "Refund the order first; then mark the payment as paid back.";
    ORDER_PAID = "order_paid", CONFLICT, "Another payment has paid for the order",
        "One payment settles one order. Pay this one back, or settle another order with it.";
    ID_TAKEN = "id_taken", CONFLICT, "The id is taken",
        "Choose another id, or leave it out to have one made.";
    FULL = "full", CONFLICT, "There are as many as there may be",
        "Remove one that is no longer needed; `detail` says of what.";
    PAYMENT_MISMATCH = "payment_mismatch", CONFLICT, "The payment is not what the order costs",
        "The order stays pending: its amount or currency is another one.";
}

codes! {
    /// Codes of the dashboard alone.
    DASHBOARD_CODES:
    FORBIDDEN = "forbidden", FORBIDDEN, "You may not do this",
        "Ask an administrator of the team for a role that may.";
    CROSS_ORIGIN = "cross_origin", FORBIDDEN, "The form came from another site",
        "Open the page itself and send its form from there.";
    FORM_USED = "form_used", CONFLICT, "The form was sent already",
        "Nothing was made again. A secret is shown once: if it was not kept, make a new one and revoke the other.";
    BEYOND_OWN_RIGHTS = "beyond_own_rights", CONFLICT, "That may do more than you may",
        "Nobody gives away rights that they do not have. Ask an administrator.";
    LAST_ADMINISTRATOR = "last_administrator", CONFLICT, "A team keeps one administrator",
        "Make somebody else an administrator first.";
    ALREADY_MEMBER = "already_member", CONFLICT, "This person is in the team already",
        "Give the member another role instead.";
    CHANGED_MEANWHILE = "changed_meanwhile", CONFLICT, "Somebody else changed it meanwhile",
        "Nothing was changed. Look at what it is now, and decide again.";
    ROLE_IN_USE = "role_in_use", CONFLICT, "Somebody has this role",
        "Give them another role first, then delete it.";
    EVENT_NOT_CANCELLED = "event_not_cancelled", CONFLICT, "The event is not cancelled",
        "Cancel the event first; then all its orders can be refunded.";
}

codes! {
    /// Codes of the door alone.
    DOOR_CODES:
    INVALID_DOOR_LINK = "invalid_door_link", UNAUTHORIZED, "The door link does not work",
        "It is mistyped, unknown, expired or revoked. Ask the organiser for a new one.";
    PIN_REQUIRED = "pin_required", FORBIDDEN, "The door link has a PIN",
        "Open the link with its PIN, and send the `pass` of the answer as `Door-Pass` with every other call.";
    WRONG_PIN = "wrong_pin", FORBIDDEN, "That is not the PIN",
        "Ask whoever sent the link. After ten wrong ones you must wait.";
    SCAN_ID_REUSED = "scan_id_reused", CONFLICT, "The scan's id was used for another code",
        "Make a new `scan_id` for each scan; the same one is for sending the same scan again.";
    NOT_ALLOWED_BY_LINK = "not_allowed_by_link", FORBIDDEN, "The door link does not allow this",
        "Whoever makes a door link says what it may do besides scanning. Ask for one that may; `detail` names the option.";
}

codes! {
    /// Codes of plain http on a server that speaks https.
    PLAIN_CODES:
    HTTPS_ONLY = "https_only", BAD_REQUEST, "This server speaks https only",
        "Nothing was done. Ask under https://. What you sent came unprotected: if there was a key in it, revoke the key and use a new one.";
}
