# Reports, and the rows behind figures.

reports-lead = Figures that are kept as things happen, so that they are up to date and quick however much is sold.
report-sales = Sales
report-sales-about = What was sold and refunded, by day, item and channel. An order counts when it is paid, and its refund when it is refunded: what was sold is gross, and net of refunds where it says so.
report-entries = Entry curve
report-entries-about = When people entered. Tickets that were cancelled, refunded or hidden after they entered are not counted.
report-no-shows = No-shows
report-no-shows-about = Valid tickets that nobody has entered with.
report-stock = Sold and listed
report-stock-about = What counts as sold beside the tickets that are live, and what is left.
report-event = Event
report-all-events = All events
report-choose-event = Choose an event
report-from = From
report-to = To
report-show = Show
report-file = Take out as CSV
report-table = The figures
report-total = In all
report-units = Sold, gross
report-gross = Gross
report-refunded-units = Refunded units
report-refunded = Refunded
report-net = Net
report-by-day = By day
report-by-week = By week
report-by-item = By item
report-by-kind = Entrances, bar and bundles
report-kind = Kind
report-kind-ticket = Entrances
report-kind-merchandise = Bar and shop
report-kind-bundle = Bundles
report-by-event = By event
report-by-channel = By channel
report-day = Day
report-item = Item
report-channel = Channel
report-time = Time
report-channel-shop = Shop
report-channel-box-office = Box office
report-channel-import = Import
report-channel-unknown = Not known
report-more-lines = { $count ->
    [one] One more is in the file.
   *[other] { $count } more are in the file.
}
report-nothing-sold = Nothing was sold in these days
report-nothing-sold-about = Choose other days or another event.
report-days-in = Days and times are those of { $zone }.
report-days-of-events = The days of each event are those of its own time zone.
report-wrong-day = This is no day. Choose one from 1980 to 2200.
report-wrong-order = The last day is before the first one.
report-too-long = { $days ->
    [one] A report covers one day at most.
   *[other] A report covers { $days } days at most.
}
report-too-much = This is too much for one report. Choose fewer days, or one event.
report-nobody-entered = Nobody has entered in these days
report-entered = Entered
report-peak = Most came at
report-per-step = { $minutes ->
    [one] In one minute
    [1440] In a day
   *[other] In { $minutes } minutes
}
report-entered-per-step = Entries
report-entered-in-all = Entered so far
report-tickets = Tickets
report-ticket-type = Ticket type
report-missing = Did not enter
report-not-over = The event is not over. Who has not entered may still come.
report-not-over-short = not over
report-no-tickets = There are no ticket types yet
report-no-items = There is nothing to sell yet
report-limit = Limit
report-sold = Sold
report-held = Held
report-left = Left
report-live = Live tickets
report-from-bundles = Out of bundles
report-agrees = Agrees
report-yes = yes
report-no = no
report-bundle = bundle
report-stock-note = Live tickets are valid or have entered. Those that were not sold directly came out of bundles: live tickets less what was sold. If a line does not agree, ask whoever runs this service for taquilla check.

report-orders-sold = Sold, gross
report-orders-refunded = Refunded
report-orders-none = No orders
report-orders-single = These are orders that were refunded as a whole. The figure also counts single tickets of orders that stay paid: such tickets are cancelled.
report-orders-single-open = Show the cancelled tickets
list-further = Nothing among those that were looked through so far. There are older ones.
list-file-lines = Take out as JSON Lines
