# What buyers read: the front page, and the pages of a shop.

front-title = Tickets, from the first sale to the door
front-lead = This is where organisers sell tickets and let people in.
front-staff = You work here
front-staff-about = Keys, webhooks, payments and your team.
front-open-dashboard = Open the dashboard
front-buyers = You want to go out
front-buyers-about = See what is on sale.
front-see-sale = See what is on
front-integrators = You connect a program
front-integrators-about = Read tickets, orders and events through the API, and be told of every change.
front-docs = Read the documentation
front-on-sale = On sale
front-nothing = Nothing is on sale just now.
front-from = from { $price }
front-free = free

shop-title = Events of { $producer }
shop-nothing = Nothing is on sale just now. Look again soon.
shop-no-more = There are no more events.
shop-more = More events
shop-from-the-first = Back to the next events
shop-no-date = The date is not known yet
shop-tickets = Tickets
shop-no-items = No tickets are on sale just now.
shop-free = Free
shop-includes = It includes
shop-saves = { $amount } less than one by one.
shop-few-left = Few left
shop-most = { $count ->
    [one] One in an order.
   *[other] Up to { $count } in an order.
}
shop-until = On sale until { $time }.
shop-sold-out = Sold out
shop-held = Reserved by others
shop-held-about = Others have reserved the last ones and may not pay for them. Look again at { $time }.
shop-ended = No longer on sale
shop-ended-about = Its sale ended on { $time }.
shop-cancelled = This event is cancelled
shop-cancelled-about = Nothing can be bought for it. Whoever has bought tickets hears from the organiser about their money.
shop-over = This event is over. Nothing can be bought for it.
shop-how-many = How many
shop-steps = Steps
shop-step-choose = Choose
shop-step-details = Your details
shop-step-review = Check and confirm
shop-chosen = What you chose
shop-choose-else = Choose something else
shop-buyer = Who buys
shop-name-hint = As it is to be on the tickets.
shop-email-hint = The organiser writes to it if something changes.
shop-phone = Phone number (optional)
shop-phone-short = Phone number
shop-nothing-yet = Nothing is bought or reserved yet. On the next page you see all of it once more.
shop-total = Total
shop-free-about = It costs nothing. When you confirm, the tickets are yours at once.
shop-hold-about = When you confirm, it is reserved for you for { $count } minutes, so that you can pay. Nothing is charged by confirming.
shop-confirm-free = Get the tickets
shop-confirm = Reserve and pay
shop-wrong-quantity = Write how many as a whole number, such as 2.
shop-choose-something = Choose how many you want of at least one thing.
shop-gone = One of the things that you chose is not on sale any more. Look at what is left, and go on.
shop-too-many = { $count ->
    [one] One order may have one of these.
   *[other] One order may have { $count } of these at most.
}
shop-too-many-kinds = These are too many different things for one order. Make it two.
shop-now-sold-out = There is not enough left of this any more. Choose fewer, or none.
shop-now-ended = The sale of this has ended.
shop-too-many-unpaid = There are too many unpaid orders of yours. Pay for one, or try again at { $time }.
shop-wrong-order = This is too much for one order. Choose less.
shop-no-name = Write your name.
shop-wrong-name = Write a name of one line, with 200 characters at most.
shop-wrong-phone = Write a phone number of 40 characters at most, or none.
bought-held = Reserved for you
bought-held-until = { $count ->
    [0] It is held until { $time }: less than a minute is left.
    [one] It is held until { $time }: one minute is left.
   *[other] It is held until { $time }: { $count } minutes are left.
}
bought-not-charged = Nothing has been charged yet.
bought-pay = How to pay
bought-pay-about = Pay { $total } to { $producer }, and name the number of this order.
bought-pay-then = Once the payment is noted, your tickets are on this page. Keep its address, and load it again.
bought-unpaid = The time to pay is over
bought-unpaid-about = Nothing was charged. What was reserved is on sale for everybody again.
bought-unpaid-late = If you have paid all the same, { $producer } will give you the tickets, or the money back.
bought-paid = Paid
bought-paid-about = { $total } was paid. The tickets are yours.
bought-paid-at = It was noted on { $time }.
bought-free = The tickets are yours
bought-free-about = They cost nothing, and nothing was charged.
bought-rejected = This order was not accepted
bought-rejected-about = It has no tickets, and nothing is reserved for it.
bought-rejected-paid = If you have paid for it, { $producer } pays it back.
bought-refunded = Refunded
bought-refunded-about = Its tickets do not work any more.
bought-goes-back = { $amount } go back to you. { $producer } has not noted yet that they were paid back.
bought-went-back = { $amount } were paid back on { $time }.
bought-cancelled = { $producer } says what happens to your money.
bought-again = Order it again
bought-again-about = Everything that you wrote is filled in.
bought-tickets = Your tickets
bought-tickets-about = Show a code at the door, on your phone or on paper. Whoever shows it first enters, so give it to nobody.
bought-more-tickets = More tickets
bought-placed = Ordered
bought-keep = Keep the address of this page. It is the way back to your order, and whoever has it sees what you see.
bought-title = Your order no. { $number }
bought-extend = Keep it { $count } minutes longer
bought-extend-once = You can do this once, before the time is over.
shop-about = What is coming at { $producer }, and tickets for it.
shop-not-yet = Not on sale yet
shop-not-yet-about = Its sale begins on { $time }.
shop-too-few = { $count ->
    [one] One order has one of these at least.
   *[other] One order has { $count } of these at least.
}
shop-least = At least { $count }.
shop-coupon = Coupon code (if you have one)
shop-coupon-refused = This coupon cannot be used for what you chose. Take it out, or write another.
shop-coupon-used = Coupon { $code }
shop-attendees = Who comes
shop-attendees-about = The tickets are in these names.
shop-mine = This one is for me
shop-too-many-attendees = Choose { $count } tickets at most, so that you can name everybody. Make a larger group several orders.
shop-no-attendee = Write the name of person { $number }.
shop-no-attendee-email = Write an e-mail address of person { $number }, such as ana@example.com.
shop-terms = Terms
shop-terms-read = Read the terms (opens in a new tab)
shop-terms-accept = I accept the terms of { $producer }
shop-terms-accepted = You have accepted the terms of { $producer }.
shop-no-terms = Read the terms, and tick the box to accept them.
bought-pay-now = Pay { $total }
bought-pay-there = You pay on the page of a payment processor, which leads you back here. What is reserved for you stays so meanwhile.
bought-pay-open = A payment was begun, and nothing has been paid in it yet.
bought-pay-failed = The payment did not work, and nothing was charged. Try again, or pay in another way.
bought-pay-closed = The payment was left before its end, and nothing was charged.
bought-pay-waits = Your payment is on its way. Your tickets are on this page as soon as it has arrived, and are reserved until then.
bought-pay-look = Look again
bought-in-vain = { $amount } came for this order and paid for nothing: it was paid before, or nothing was left. { $producer } gives them back, or gives you the tickets.
made-up-title = Made-up payment
made-up-warning = This is a demo. No money moves here: choose what becomes of the payment.
made-up-pay = Pay
made-up-pay-about = The money is there at once, and the order has its tickets.
made-up-refuse = Be refused
made-up-refuse-about = The bank says no. The order can be paid again.
made-up-late = Pay late
made-up-late-about = Nothing is paid now. The money arrives a minute after the reservation has ended, and takes the tickets if they are still there.
made-up-twice = Pay twice
made-up-twice-about = The first payment buys the tickets. The second is listed for staff as money to give back.
made-up-over = This payment is over.
made-up-back = Back to the order

# The line of an event that many want to buy.
line-title = You are in line
line-before = { $count ->
    [0] You are next.
    [one] One is before you.
   *[other] { $count } are before you.
}
line-lasts = { $minutes ->
    [1] It takes less than a minute.
   *[other] It takes about { $minutes } minutes.
}
line-about = Very many want to buy just now. Everybody's turn comes in the order in which they came. This page looks again by itself and goes on when it is your turn. Loading it again and opening it twice change nothing; your place is in this browser, so leave cookies on.
line-look = Look again now
line-nothing-yet = Nothing is reserved yet. If all of it is sold before it is your turn, this page says so.
line-form = Very many want to buy just now, and you are in line. Nothing that you typed is lost: go on from here when it is your turn.
