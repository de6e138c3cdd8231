# Personal data.

people-lead = Somebody asks what you hold of them, or wants it erased: find them by one detail.
person-by = Find by
person-by-email = E-mail address
person-by-document = Identity document
person-detail = Address or number
person-detail-hint = Capitals do not matter, nor do spaces and dashes in a document.
person-find = Find
person-found = A person
person-other = Look for somebody else
person-nothing = Nothing is held of this person
person-nothing-lead = No order and no ticket has this detail. Names alone are found under Orders and Tickets.
wrong-detail = Write an e-mail address or the number of a document.
held-orders = Orders
held-tickets = Tickets
held-named = Named in orders that wait
held-emails = Other addresses on them
held-documents = Other documents on them
held-others = Other details may belong to the same person, or to somebody they bought for. Look for them one by one.
held-in-team = This person is in your team. The account is not erased: take it out of the team, or ask whoever runs this service to disable it. What staff did stays in the history.
person-export = Take it out
person-export-about = One JSON file with all orders, payments, tickets and scans of this person.
person-export-button = Download
person-export-masked = Your role does not show personal data, so you cannot take it out.
person-too-much = There is too much for this page. Use the command line: taquilla person export.
person-erase = Erase it
person-erase-about = The buyer or attendee of these orders and tickets is replaced by nobody. This cannot be undone.
person-erase-stays = Orders, tickets and all counts stay, and tickets still open the door.
person-erase-mirrors = Systems that follow your API or webhooks see the change. What they have copied is theirs to erase.
person-erase-backups = Backups from before have the person until they are deleted.
person-pending = { $count ->
    [one] 1 order waits to be paid. It can still be paid, but nobody can be written to about it.
   *[other] { $count } orders wait to be paid. They can still be paid, but nobody can be written to about them.
}
person-valid = { $count ->
    [one] 1 ticket can still enter. The door will not show a name for it.
   *[other] { $count } tickets can still enter. The door will not show a name for them.
}
person-sure = I have made sure that it is this person who asks
person-erase-button = Erase now
wrong-sure = Make sure who asks, and say so here.
erasures-before = Erased before
erasure-what = What
erasure-rows = Rows
erasure-kind-erasure = A person
erasure-kind-retention = People of old events
erased-orders = Orders
erased-tickets = Tickets
erased-named = Named in orders that wait
erased-answers = Copies of answers
erased-messages = Copies of messages
erased-files = Files that waited to be imported, given up
retention = How long people are kept
retention-about = What is known of buyers and attendees can be erased by itself, some time after their event. Orders, tickets and counts stay.
retention-days = Days after the end of an event
retention-days-hint = Empty: for ever. Leave time for refunds and disputes about payments.
retention-sure = Erase the people of events that have been over for longer; nobody brings them back
retention-is = { $count ->
    [one] Buyers and attendees are erased 1 day after the end of their event.
   *[other] Buyers and attendees are erased { $count } days after the end of their event.
}
retention-none = Buyers and attendees are kept for ever.
retention-change = Change this
wrong-retention-sure = This erases people, within the hour and for good. Say here that you mean it.
wrong-retention = Write a number of days from 1 to { $count }, or nothing.
