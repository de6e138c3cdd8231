# Tickets and search.

ticket = Ticket
ticket-hidden = hidden
ticket-attendee = Attendee
ticket-type = Ticket type
ticket-issued = Issued
ticket-code = Code
ticket-qr = QR code of the ticket
tickets-search = Search tickets
tickets-search-hint = Any word of a name or mail, a phone number, a document, the beginning of a code, or an order.
tickets-search-hint-masked = By a whole code or by an order. Your role does not see personal data, so names, mails and parts of codes are not searched.
tickets-empty = No tickets yet
tickets-empty-lead = Tickets are listed here once an order is paid or a file is imported.
sales-event = Event
sales-all-events = All events
sales-any-state = Any
sales-found = { $count ->
    [0] Nothing found
    [one] One found
   *[other] { $count } found
}
sales-cut = There is more than is shown. Write another word.
sales-nothing-found = Nothing found
sales-nothing-found-lead = Each word must be the beginning of a word of the name, the mail, the document, the phone number, the code or the order. What was just sold is found a second later.
sales-nameless = without a name
sales-masked = Your role does not see personal data and codes. They are covered on this page.
person-name = Name
person-email = E-mail address (not needed)
person-phone = Phone
person-document = Identity document
ticket-moments = What happened to it
ticket-holders = Who held it
moment-issued = issued
moment-passed-on = passed on
moment-cancelled = cancelled
moment-refunded = refunded
moment-hidden = hidden by staff
moment-noted = note for the door changed
moment-cancelled-by-staff = cancelled by staff
moment-passed-on-by-staff = passed on by staff
moment-station = at
moment-link = through
moment-phone = by the phone's clock
moment-by = by
ticket-cancel = Cancel the ticket
ticket-cancel-about = It no longer works at the door, and its stock is for sale again. This cannot be undone. The money is paid back by a refund of the order only.
ticket-hide = Hide the ticket
ticket-hide-about = It leaves all lists and counts and still works at the door. That is meant for tests and staff. This cannot be undone.
ticket-note = Note for the door
ticket-note-about = The scanner shows it when this ticket is scanned, besides the note of its ticket type, also on phones without signal. Leave it empty for none.
ticket-note-covered = There is a note that you may not see. What you save replaces it.
hint-ticket-door-note = Such as “VIP” or “under 18”: one short line. Write no more about a person than the door needs. It is deleted with the attendee’s data, and a ticket that is passed on loses it.
ticket-pass-on = Pass the ticket on
ticket-pass-on-about = The new holder gets a ticket with a new code. The old code stops working at once.
ticket-keep = Keep it as it is
done-ticket-cancelled = The ticket is cancelled.
done-ticket-hidden = The ticket is hidden.
done-ticket-noted = The note for the door is saved.
done-ticket-passed-on = The ticket is passed on. This is the new one.

tickets-of-type = Only { $name }.
tickets-of-all-types = Show all types
tickets-live = valid or entered
