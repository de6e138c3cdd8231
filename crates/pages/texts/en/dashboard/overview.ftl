# The overview, and what waits there.

overview-second-factor = Your account has no second factor. With one, a stolen password opens nothing.
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
overview-sold = sold
overview-left = left
overview-sales = Sales of the last 14 days
overview-units = Units sold, by day
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
    [one] invitation ends within a week
   *[other] invitations end within a week
}
waiting-keys = { $count ->
    [one] API key ends within a week
   *[other] API keys end within a week
}
