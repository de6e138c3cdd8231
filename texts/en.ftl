# Every word of the pages in English. Another language is a file like this one.

# Everywhere.
skip = Skip to the content
sections = Sections
crumbs = Where you are
pages = Pages
actions = Actions
copy = Copy
copied = Copied
save = Save
cancel = Cancel
change = Change
delete = Delete
search = Search
older = Older
more = More
yes = Yes
no = No
you = you
never = Never
not-yet = Not yet
since = since
state = State
created = Created
expires = Expires
disabled = Disabled
go-on = Go on
go-home = Go to the home page
start-over = Start over
look-again = Refresh
times-in = Times are those of { $zone }.
error-summary = Something needs correcting
shown-once = Copy it now and keep it safe: it is not shown again.

section-overview = Overview
section-events = Events
section-orders = Orders
section-tickets = Tickets
section-door = Door
section-reports = Reports
section-data = Export and import
section-keys = API keys
section-webhooks = Webhooks
section-payments = Payment account
section-team = Team
section-history = History
section-settings = Settings
section-account = Your account
section-service = This service

label-name = Name
label-your-name = Your name
label-email = E-mail address
label-password = Password
label-new-password = New password
label-current-password = Current password
label-code = Code
label-code-now = The code that the app shows now
label-role = Role
label-producer-name = Name of the organisation
label-time-zone = Time zone
label-currency = Currency
hint-password = 8 to 128 characters. A short sentence is easy to remember and hard to guess.
hint-producer-name = As people who buy know it.
hint-time-zone = Pages show times by its clocks, and a new event begins with it.
hint-currency = Three letters, such as EUR. The currency that your organisation reckons in.

wrong-name = Write a name of one line, with 500 characters at most.
wrong-email = Write an e-mail address, such as ana@example.com.
wrong-password-length = Choose a password of 8 to 128 characters.
wrong-password-common = Many people use this password, so it is guessed first. Choose another.
wrong-password-own-name = A password that is in your e-mail address is guessed first. Choose another.
wrong-time_zone = Choose a time zone from the list.
wrong-currency = Write three letters, such as EUR.
wrong-permission = Choose at least one permission.
wrong-expires = Choose how long the key works.
wrong-expires_at = This time is in the past.
wrong-url = Write an https address that everybody on the internet can reach, such as https://example.com/hooks.
wrong-kind = Choose at least one kind of message.
wrong-range = Write when to begin. An end, if you write one, must be later.
wrong-code = This code is not right, or it was used already. Wait for the next one.
wrong-role = There is no such role.

refused-full = The limit is reached. Remove one that is no longer needed.
refused-beyond_own_rights = That allows more than your own role does.
refused-last_administrator = A team keeps one administrator who can sign in. Give somebody else that role first.
refused-already_member = This person is in the team already.
refused-role_in_use = Somebody has this role. Give them another one first.
refused-id_taken = This e-mail address has a user already. Sign in first, then open the link again.
refused-not_found = This does not exist.

done-begun = Welcome. Your organisation is ready.
done-joined = Welcome to the team.
done-saved = Saved.
done-password = The password was changed. All other sessions have ended.
done-key-revoked = The key was revoked. Calls with it fail from now on.
done-endpoint-changed = The endpoint was changed.
done-endpoint-paused = Nothing is sent until you resume. Messages wait for up to 30 days.
done-endpoint-resumed = Messages are sent again, the oldest first.
done-endpoint-deleted = The endpoint was deleted.
done-test-sent = The test message was sent. Below is what came of it.
done-replayed = The messages are sent again.
done-withdrawn = The invitation was withdrawn. Its link no longer works.
done-role-changed = The member has another role now.
done-role-saved = Saved. It counts from now on.
done-removed = The member was taken out of the team.
done-second-factor-set = The team’s rule was saved.
done-second-factor-required = This team asks for a second factor. Set it up to go on.
done-second-factor-off = The second factor was removed.
done-session-ended = The session has ended.
done-producer-made = The organisation was made. You are its administrator.
done-user-disabled = The user was disabled. All sessions have ended.
done-user-enabled = The user can sign in again.

# Errors as pages.
error-reference = reference
error-not-found = This page does not exist
error-not-found-advice = Check the address, or open the link that you were sent once more.
error-busy = There is a lot going on
error-busy-advice = Wait a moment and load the page again.
error-forbidden = You may not do this
error-forbidden-advice = Ask an administrator of your team for a role that may.
error-cross-origin = This form came from another site
error-cross-origin-advice = Nothing was changed. Open the page itself and send its form from there.
error-other = That did not work
error-other-advice = Go back and try it once more. If it happens again, tell the organiser the reference below.

# The front page.
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
front-from = from { $price } { $currency }
front-free = free

# Signing in.
sign-in = Sign in
sign-out = Sign out
sign-in-wrong = The e-mail address or the password is wrong.
sign-in-too-many = { $minutes ->
    [one] Too many attempts. Wait a minute, then try again.
   *[other] Too many attempts. Wait { $minutes } minutes, then try again.
}
sign-in-forgotten = Forgotten the password? An administrator of your team can give you a link to choose a new one.
second-factor = Second factor
second-factor-lead = Write the code that your authenticator app shows.
second-factor-lost = No phone at hand? Write one of your recovery codes instead. Each works once.
confirm-title = Your password, please
confirm-lead = What comes next can do damage in the wrong hands, so show once more that it is you.
confirm-wrong = That is not your password.
dead-link = This link no longer works
dead-link-lead = It was used already, has expired or was withdrawn. Ask whoever gave it to you for a new one.
begin-title = Begin
begin-lead = Make yourself the first administrator, and the organisation that sells. This link works once.
begin-you = You
begin-producer = Your organisation
begin-button = Begin
join-page = Join a team
join-title = Join the team of { $producer }
join-lead = You were invited as { $email }. Choose a password to sign in with.
join-as = You are signed in as { $email }.
join-other = Sign out, and join as somebody else
join-sign-in-first = { $email } has an account here. Sign in first, and you come back to this page.
join-button = Join
choose-password = Choose a password
choose-password-lead = For { $email }. All sessions that are open end.
choose-password-button = Set the password
demo-sign-in = The demo
demo-sign-in-lead = You sign in as the demo’s administrator. Nothing here is real.

# The way to a producer.
choose-producer = Choose an organisation
no-producer = You belong to no organisation
no-producer-lead = Ask an administrator of yours for an invitation.
forbidden-title = You may not do this
forbidden-lead = Your role lacks the right “{ $right }”.
forbidden-advice = The attempt is noted in the history. An administrator of the team can give you a role that may.

# The overview.
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

# API keys.
keys-lead = A key is a password for a program: with it, the program reads what you allow, and it can change nothing. Give every program a key of its own, so that you can revoke one without stopping the others.
keys-empty = No keys yet
keys-empty-lead = Does your accounting, your newsletter or your own website need your tickets and orders? Make a key for it. It is shown once, with a line to try it with.
key-new = New key
key-make = Make the key
key-ends-in = Ends in
key-permissions = May read
key-last-used = Last used
key-expires = Expires
key-works = works
key-expired = expired
key-revoked = revoked
key-year = In a year
key-days = In { $days } days
key-never-about = Only for what nobody looks after for years. A key that is forgotten stays open.
hint-key-name = What the key is for, such as “Accounting”. Only your team sees it.
permission-events = Events and what they sell.
permission-orders = Orders, with names, e-mail addresses, phone numbers and identity documents of those who bought.
permission-tickets = Tickets, with names, e-mail addresses, phone numbers and identity documents of those who come.
key-made = The key
key-made-title = The key “{ $name }” is ready
key-your-key = The key
key-try = Try it
key-try-about = Paste this line into a terminal. It asks the API with the new key.
key-kept = I have kept the key
revoke = Revoke
revoke-title = Revoke the key “{ $name }”?
revoke-lead = Every program that uses this key stops working at once: its next call is refused. A revoked key cannot be brought back; you would make a new one.
revoke-button = Revoke the key

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
kind-ticket-transferred = A ticket was passed on
kind-ticket-cancelled = A ticket was cancelled
kind-ticket-refunded = A ticket was refunded
kind-ticket-hidden = A ticket was hidden
kind-order-created = An order was placed
kind-order-approved = An order was paid
kind-order-rejected = An order will not be paid
kind-order-refunded = An order was refunded
kind-event-updated = An event is new or was changed
kind-ticket-type-updated = A ticket type is new or was changed

# The payment account.
payments-lead = A payment processor takes the money and tells us of it. Both sides share a secret, so that nobody else can say that an order was paid.
payments-connected = connected
payments-not-connected = not connected
payments-secrets = Secrets accepted now
payments-callback = Address for its notices
payments-connect = Connect
payments-connect-about = We make a secret and show it once. Enter it, and the address above, at your payment processor.
payments-rotate = New secret
payments-rotate-about = Make a new secret, enter it at the processor, and payments go on without a break.
payments-old = The previous secret
payments-at-once = End it at once
payments-at-once-about = If somebody else may have seen it. Payments that are signed with it are refused from now on. Otherwise it is accepted for 24 more hours.
payments-made = The payment account is connected
payments-secret = The secret
payments-old-until = The previous secret is accepted until { $time }.

# The team.
team-lead = Who works for this organisation, and what each may do.
members = Members
invite = Invite somebody
invite-button = Make the invitation
invitations = Open invitations
withdraw = Withdraw
hint-invite = You get a link and hand it over yourself. It works once, for 7 days.
invited-title = { $email } is invited
invited-explanation = Hand this link to { $email }. Whoever has it can join the team, once, within 7 days.
link-once = Copy the link now: it is not shown again.
link-kept = I have handed it over
reset-title = A new password for { $email }
reset-explanation = Hand this link to { $email }. Whoever has it can choose a new password, once, within 24 hours.
reset-password = New password
reset-password-about = For somebody who has forgotten it. You get a link and hand it over yourself.
reset-password-button = Make the link
reset-both = New password, without the second factor
reset-second-factor = Remove the second factor, too
reset-second-factor-about = For somebody who has lost the phone and the recovery codes.
remove-title = Take out of the team
remove-about = { $name } no longer sees anything of this organisation, from the next click on.
remove-button = Take out of the team
require-title = Second factor
require-label = Everybody in the team must use one
require-about = Whoever has none is asked to set it up before anything else.
own-second-factor-first = Set up a second factor of your own first, or you would lock yourself out.
roles = Roles
roles-lead = A role is a set of rights. Five are there for every team; make others as you need them.
roles-what = What roles may do
role-new = New role
role-change = Change the role
role-delete = Delete the role
role-nothing = Sees the overview, and nothing else.
role-gone = (a deleted role)
hint-role-name = Such as “Accounting”.
rights = Rights
role-administrator = Administrator
role-editor = Editor
role-box-office = Box office
role-door-manager = Door manager
role-viewer = Viewer
right-producer-administer = Administer the organisation
right-producer-administer-about = Make and revoke API keys; change the name, the time zone and the currency.
right-keys-see = See API keys
right-keys-see-about = Which there are, when they were used and when they expire; never the keys themselves.
right-webhooks-see = See webhooks
right-webhooks-see-about = Endpoints, how they are, and what was sent to them.
right-webhooks-manage = Manage webhooks
right-webhooks-manage-about = Make, change, test, pause and delete endpoints, and send messages again.
right-payments-manage = Manage the payment account
right-payments-manage-about = Connect it, and replace its secret.
right-events-see = See events
right-events-see-about = What they sell, and how much of it is sold.
right-events-manage = Manage events
right-events-manage-about = Make, change, publish, finish and cancel events, and what they sell.
right-orders-see = See orders and tickets
right-orders-see-about = Lists, search, and the history of each.
right-orders-sell = Sell
right-orders-sell-about = Sell at the box office; approve and reject orders.
right-orders-refund = Refund
right-orders-refund-about = Refund one order, or all orders of an event.
right-tickets-manage = Manage tickets
right-tickets-manage-about = Cancel, pass on and hide tickets.
right-door-see = See the door
right-door-see-about = Who has entered and who is still to come, live.
right-door-manage = Manage the door
right-door-manage-about = Make and revoke the links that door staff scan with.
right-reports-see = See reports
right-reports-see-about = Sales in units and money, entries and no-shows.
right-data-export = Export
right-data-export-about = Take orders, tickets, scans and payments out as files.
right-data-import = Import
right-data-import-about = Bring events, orders and tickets in from files.
right-team-see = See the team
right-team-see-about = Who is in it, and with which role.
right-team-manage = Manage the team
right-team-manage-about = Invite people, give them roles, take them out.
right-history-see = See the history
right-history-see-about = What everybody in the team did, and when.
right-personal-data-see = See personal data
right-personal-data-see-about = Names, e-mail addresses, phone numbers and identity documents of those who buy and come. Without it they are hidden.

# The history.
history-lead = What staff did, here and at the command line. Nothing in it can be changed or deleted.
history-when = When
history-who = Who
history-what = What
history-subject = About what
history-from = From where
history-anything = Anything
history-empty = Nothing found
history-empty-lead = Use fewer filters, or search for something else.
action-producer-created = Organisation created
action-producer-changed = Organisation changed
action-key-created = API key made
action-key-revoked = API key revoked
action-endpoint-created = Endpoint made
action-endpoint-changed = Endpoint changed
action-endpoint-paused = Endpoint paused
action-endpoint-resumed = Endpoint resumed
action-endpoint-rotated = Endpoint got a new secret
action-endpoint-tested = Test sent to an endpoint
action-endpoint-replayed = Messages sent again
action-endpoint-deleted = Endpoint deleted
action-payments-connected = Payment account connected
action-payment-paid-back = Payment marked as paid back
action-door-link-created = Door link made
action-door-link-revoked = Door link revoked
action-event-created = Event created
action-event-changed = Event changed
action-ticket-type-created = Ticket type created
action-ticket-type-changed = Ticket type changed
action-order-placed = Order placed
action-order-approved = Order approved
action-order-rejected = Order rejected
action-order-refunded = Order refunded
action-ticket-cancelled = Ticket cancelled
action-ticket-transferred = Ticket passed on
action-ticket-scanned = Ticket let in
action-ticket-hidden = Ticket hidden
action-import-done = Data imported
action-user-created = User created
action-user-disabled = User disabled
action-user-enabled = User enabled
action-user-reset-link = Link for a new password made
action-user-password-changed = Password changed
action-user-second-factor-on = Second factor set up
action-user-second-factor-off = Second factor removed
action-user-recovery-codes = New recovery codes made
action-user-signed-in = Signed in
action-user-sign-in-failed = Failed to sign in
action-session-ended = Session ended
action-member-invited = Invited to the team
action-member-invitation-withdrawn = Invitation withdrawn
action-member-joined = Joined the team
action-member-role-changed = Got another role
action-member-removed = Taken out of the team
action-role-created = Role made
action-role-changed = Role changed
action-role-deleted = Role deleted
action-team-second-factor = Second-factor rule changed
action-refused = Tried without permission

# Settings and the service.
settings-lead = The details of your organisation. Existing events keep their own time zone and currency.
producer-id = Id
service-lead = What concerns all organisations on this server. Only operators see this page.
service-history = What concerns no organisation
service-history-lead = Who signed in and failed to, and what was done to users. The newest are shown.
producers = Organisations
producer-new = New organisation
producer-make = Make the organisation
users = Users
user-active = active
enable = Enable
disable = Disable

# The account.
change-password = Change the password
change-password-about = All other sessions of yours end.
second-factor-on = on
second-factor-about = With a second factor, signing in takes your password and a code from your phone. A stolen password alone opens nothing.
second-factor-set-up = Set up a second factor
second-factor-step-app = Install an authenticator app on your phone, or use the one of your password manager.
second-factor-step-scan = Let the app scan this code.
second-factor-step-type = If it cannot, type this into it:
second-factor-qr = QR code for the authenticator app
second-factor-remove = Remove the second factor
second-factor-remove-about = From then on the password alone is enough.
codes-left = { $count ->
    [0] No recovery code is left. Make new ones.
    [one] One recovery code is left.
   *[other] { $count } recovery codes are left.
}
codes-renew = Make new recovery codes
codes-renew-about = Those from before no longer work.
codes-title = Your recovery codes
codes-once = Write them down or print them now: they are not shown again.
codes-about = Each of them replaces the code of the app once, if you do not have your phone.
codes-kept = I have kept the codes
sessions = Where you are signed in
sessions-about = End those that you do not know, and change your password.
sessions-end = End all others
session-device = Browser
session-address = Address
session-began = Signed in
session-seen = Last used
session-end = End
session-this = this one

# Events and what they sell.

# Orders and the box office.

# Tickets and search.

# The door, live.

# Reports.

# Exports.

# Imports and long work.

# The overview, running.
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
    [one] payment settles nothing: pay it back
   *[other] payments settle nothing: pay them back
}
waiting-messages = { $count ->
    [one] webhook message was given up
   *[other] webhook messages were given up
}
waiting-holds = { $count ->
    [one] unit is held for less than 10 more minutes
   *[other] units are held for less than 10 more minutes
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
payments-open = Payments to deal with
payments-open-lead = This money came in and pays for nothing. Approve the order if it waits still, or pay the money back and say so here.
payments-none-open = No payment waits
payments-none-open-lead = Every payment has paid for an order, or was paid back.
payments-later = Later ones
payment-id = Payment
payment-received = Received
payment-amount = Amount
payment-for = Meant for
payment-why = Why it pays for nothing
payment-no-order = No order has this reference:
payment-mark = Mark as paid back
payment-mark-title = Was this payment paid back?
payment-mark-lead = Taquilla moves no money. Pay it back at your payment processor first, then write down here that you did. From then on it pays for no order.
payment-note = Note
payment-note-hint = How it was paid back, for whoever asks later. It is kept in the history.
wrong-note = Write a few words on one line.
done-paid-back = The payment is marked as paid back.
done-payment-settled = That payment has paid for an order meanwhile. Nothing was marked.
unsettled-not-found = No order has the reference that it names.
unsettled-payment-mismatch = The amount or the currency is not that of the order.
unsettled-order-not-pending = The order was decided before the payment came.
unsettled-sold-out = What was ordered was sold out when the payment came.
unsettled-held = What was ordered was held for somebody else when the payment came.
unsettled-event-not-on-sale = The event was no longer on sale when the payment came.
unsettled-not-on-sale = What was ordered was no longer on sale when the payment came.
unsettled-payment-paid-back = This payment was paid back before.
unsettled-order-has-tickets = The order has its tickets already.
unsettled-invalid-body = The notice of the payment was not as it should be.
