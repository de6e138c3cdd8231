# The overview, and what waits there.

overview-second-factor = Your account has no second factor. With one, a stolen password opens nothing.
first-steps = Your first event
first-step-done = done
first-step-event = Make the event
first-step-event-about = Its name, where it is and when it begins. Nobody outside your team sees it before you publish it.
first-step-event-button = Make your first event
first-step-items = Say what it sells
first-step-items-about = Entrances such as “General”, things from the bar, and bundles of them, each with its price and how many there are.
first-step-items-button = Add the first ticket type
first-step-publish = Publish it
first-step-publish-about = Look at everything once more. From then on it is on sale.
first-step-publish-button = Look at it and publish
first-step-tell = Let people know
first-step-tell-about = It is on sale. People buy at the address below: put it where they look. You can also sell at the box office.
first-step-tell-button = Sell at the box office
overview-keys = { $count ->
    [one] key works
   *[other] keys work
}
overview-webhooks = endpoints working
overview-open-keys = See the keys
overview-open-webhooks = See the endpoints
overview-docs = The API
overview-docs-about = Every call with its fields, to read and to try.
keys-short = With a key, a program of yours reads tickets, orders and events.
webhooks-short = With a webhook, a program of yours is told when something happens.

overview-waiting = Waiting for you
overview-nothing-waits = Nothing waits for you.
overview-tonight = Tonight
overview-nothing-tonight = Nothing is on tonight.
overview-next = Next
overview-entered = entered
sold-ticket = entrances sold
sold-merchandise = bar and shop sold
sold-bundle = bundles sold
sold-left = { $count } left
sold-no-limit = no limit
sold-revenue = revenue, net of refunds
overview-revenue-today = Today, net of refunds
overview-revenue-days = In these 14 days, net of refunds
overview-sales = Sales of the last 14 days
overview-units = Units sold by day, gross
overview-as-table = As a table
overview-day = Day
overview-refunded = refunded
overview-open-sales = See the sales
waiting-payments = { $count ->
    [one] payment settles nothing: deal with it
   *[other] payments settle nothing: deal with them
}
waiting-pay-backs = { $count ->
    [one] refund is to be paid back
   *[other] refunds are to be paid back
}
waiting-messages = { $count ->
    [one] webhook message was given up
   *[other] webhook messages were given up
}
waiting-holds = { $count ->
    [one] unit is held for less than 10 more minutes
   *[other] units are held for less than 10 more minutes
}
waiting-conflicts = { $count ->
    [one] person was let in without signal whom the server would have refused
   *[other] people were let in without signal whom the server would have refused
}
waiting-orders = { $count ->
    [one] order waits for its payment for more than 3 days
   *[other] orders wait for their payment for more than 3 days
}
waiting-door-links = { $count ->
    [one] door link ends within a week
   *[other] door links end within a week
}
waiting-invitations = { $count ->
    [one] invitation ends within a day
   *[other] invitations end within a day
}
waiting-keys = { $count ->
    [one] API key ends within a week
   *[other] API keys end within a week
}
