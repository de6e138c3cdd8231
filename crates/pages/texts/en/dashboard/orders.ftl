# Orders and the box office.

order = Order
order-number = No. { $number }
orders-search = Search orders
orders-search-hint = Of the buyer or an attendee any word of a name or mail, a phone number, a document; a ticket's code, the order's number, id or reference.
orders-search-hint-masked = By the order's number, id or reference. Your role does not see personal data, so names and mails are not searched.
orders-empty = No orders yet
orders-empty-lead = Orders of the shop and of the box office are listed here.
order-what = What
order-total = Total
order-placed = Placed
order-id = Id
order-channel = Sold
order-coupon = Coupon
order-discount = Taken off
order-surcharge = Surcharges in it
sell-coupon = Coupon
sell-coupon-hint = The buyer’s code, if there is one. “Show the total” tells what it makes of the total.
order-promoter = Promoter
channel-shop = in the shop
channel-box-office = at the box office
channel-import = elsewhere, and imported
order-paid-at = Paid
order-method = Paid by
method-cash = Cash
method-card = Card
method-other = Other
method-unsaid = Not said
order-refunded-at = Refunded
order-hold = Held until
order-hold-ended = the hold has ended
order-past-holds = Sold although others held it
order-reference = Reference of the buyer
order-quantity = Number
order-price = Price
order-payments = Payments
order-no-payments = No payment of a processor came for this order.
payment = Payment
payment-amount = Amount
payment-received = Received
payment-settled = settled
payment-failed = failed
payment-open = to be dealt with
payment-paid-back = paid back
payment-elsewhere = settled another order
order-no-tickets = It has no tickets yet. They are issued when it is paid.
order-more-tickets = All tickets of the order
order-no-history = Staff have done nothing about it yet.
order-too-large = The order would become too many tickets at once.
order-approve = Paid: approve
order-reject = Reject
order-refund = Refund
order-print = Tickets with QR codes
order-open = Open the order
order-next-tickets = The next tickets
order-reject-title = Reject this order?
order-reject-lead = It cannot be paid any more, and what it holds is for sale again. Money that still arrives for it is listed under payments to pay back. This cannot be undone.
order-reject-button = Reject the order
order-called-off = The event is cancelled, so this order cannot be approved. Refunding all orders of the event rejects it too.
order-refund-title = Refund this order?
order-refund-lead = { $count ->
    [0] None of its tickets works any more. The order counts as refunded.
    [one] Its ticket stops working at once, and its stock is for sale again.
   *[other] Its { $count } tickets stop working at once, and their stock is for sale again.
}
order-refund-money = No money moves by this. Pay it back yourself, at your payment processor or in cash. It is listed under payments, “To be paid back”, until somebody says there that it was.
order-refund-entered = { $count ->
    [one] One ticket of this order has entered already.
   *[other] { $count } tickets of this order have entered already.
}
order-open-payment = Money came for this order that pays for nothing yet. Whoever deals with payments can settle the order with it, or pay it back.
order-pay-back = To be paid back
owed-open = not paid back yet
order-refund-button = Refund the order
order-refund-how = How the money goes back
order-refund-later = Later
order-refund-later-about = It is listed as to be paid back until somebody says that it was.
order-refund-now = Paid back now: { $method }
order-refund-now-about = Only if you hand the money back yourself. What is paid back in cash counts in your shift.
attendees-list = List of attendees
attendees-tick = Here
attendees-none = No ticket of this event works.
attendees-cut = The event has more tickets than fit here. These are the { $count } that were issued last; the export of its tickets has all of them.
sales-any-type = All items
sales-any-channel = Everywhere
order-notes = Notes
order-notes-none = Nobody has written anything about this order.
order-note-new = New note
order-note-hint = For your team. Buyers and integrations never see it, and it is deleted with the buyer's data.
order-note-write = Write the note
order-note-wrong = A note has 1 to { $most } characters.
order-notes-full = This order has as many notes as an order can have.
done-order-noted = The note is written.
refund-tickets = Refund single tickets
refund-tickets-title = Which tickets are refunded?
refund-tickets-lead = They stop working and read “cancelled”, and their places are for sale again. The order stays approved. A bundle is refunded as it was sold, with all its tickets. This cannot be undone.
refund-tickets-which = Tickets, and what is to be paid back for each
refund-tickets-entered = has entered
refund-tickets-all = All of them refund the whole order, and what is left of its payment is to be paid back:
refund-tickets-none = Choose at least one ticket.
refund-tickets-nothing = No ticket of this order can be refunded
refund-tickets-nothing-lead = Only tickets of a paid order that still work are refunded one by one. Nothing was changed, and no money moves.
refund-tickets-button = Refund these tickets
done-tickets-refunded = The tickets are refunded and no longer work. What is to be paid back is listed under payments.
order-tickets-count = { $count ->
    [one] One ticket
   *[other] { $count } tickets
}
done-sold = Sold. Here are the tickets.
done-order-placed = The order is placed and waits for its payment.
done-order-approved = The order is approved, and its tickets are issued.
done-order-rejected = The order is rejected.
done-order-refunded = The order is refunded, and its tickets no longer work.
sell = Sell
sell-choose = Choose
sell-items = What is sold
sell-left = { $count ->
    [0] none left
    [one] one left
   *[other] { $count } left
}
sell-for-team = for the team
sell-hidden = hidden
sell-pay = Payment
sell-pay-now = Paid now
sell-pay-now-about = The tickets are issued at once.
sell-pay-later = To be paid later
sell-pay-later-about = The order waits, and its stock is held for { $time }.
sell-free = Complimentary
sell-free-about = Every price is 0.
sell-past-holds = Take what others hold
sell-past-holds-about = Whoever holds it may pay in vain.
sell-buyer = Name and contact (not needed)
sell-button = Sell
sell-next = Sell again
sold-already = This sale was made already
sold-already-lead = Nothing was sold just now. This form has sold already, and its tickets may be in somebody’s hands. For another customer, sell once more.
sold-already-again = Sell the same once more
sold-already-new = Begin a new sale
sell-no-events = No event to sell for
sell-no-events-lead = Events that are drafts or published can be sold for.
sell-no-items = This event sells nothing yet
sell-no-items-lead = Give it a ticket type first.
sell-nothing = Write how many of what are sold.
sell-sold-out = There are not enough left of { $item }.
sell-not-on-sale = { $item } is not on sale.
sell-too-many = More than { $most } of { $item } in one order: confirm below to sell them anyway.
sell-too-few = Fewer than { $fewest } of { $item } in one order: confirm below to sell them anyway.
sell-past-most = Sell another number than one order usually has
sell-past-most-about = The shop keeps to what one order may and must have. What is left is the limit here.
sell-held = Others hold too many of { $item } right now. The next hold ends at { $time }. Wait, or take what they hold.
sell-method = How it is paid
sell-given = Given in cash
sell-given-hint = If you write what the buyer gives, you see the change. Only for cash.
sell-wrong-given = Write a whole amount, such as 50.
sell-given-short = That is less than the total of { $total }.
sell-change = Change
sell-missing = Still missing
sell-show-total = Show total
sell-shift = Your shift has been open since { $time }.
sell-no-shift = You have no open shift: your sales are summed by day.
span-minutes = { $count ->
    [one] one minute
   *[other] { $count } minutes
}
span-hours = { $count ->
    [one] one hour
   *[other] { $count } hours
}
sale-wrong-quantity = Write whole numbers, such as 2.
wrong-person = Names and contacts have at most 500 characters and no control characters.
print = Print
