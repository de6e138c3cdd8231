# What buyers read: the front page.

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
