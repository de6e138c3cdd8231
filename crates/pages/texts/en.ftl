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
section-people = Personal data
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
refused-limit_below_sold = More are sold than that.
refused-payment_mismatch = The payment's amount or currency is not the order's.
refused-payment_paid_back = This payment was paid back, so it pays for nothing.
refused-payment_settled = This payment has paid for an order. Refund that order first.
refused-too_many_unpaid = There are too many unpaid orders. One of them has to be paid, or its time to end.

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

# The page over http before a try with a certificate that was made here.
local-title = Your phone will warn you
local-lead = This is a try in your own network. Browsers open the camera over https only, and the certificate for that was made by the computer that runs Taquilla. Nobody else vouches for it, so the next page is a warning.
local-what = What you will see, and what to press
local-safari = Safari on iPhone and iPad
local-safari-do = “This Connection Is Not Private”: press Show Details, then “visit this website”, then Visit Website.
local-chrome = Chrome, Edge and Samsung Internet
local-chrome-do = “Your connection is not private”: press Advanced, then “Proceed to { $host }”.
local-firefox = Firefox
local-firefox-do = “Warning: Potential Security Risk Ahead”: press Advanced, then “Accept the Risk and Continue”.
local-go-on = Go on to the warning
local-only-here = Go past a warning only in your own network, and only if the address is { $host }, as the computer printed it.
local-real-night = For a real night give Taquilla a domain: then no phone warns, and the scanner opens without signal too.

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
kind-ticket-person-erased = The attendee of a ticket was erased
kind-order-created = An order was placed
kind-order-approved = An order was paid
kind-order-rejected = An order will not be paid
kind-order-refunded = An order was refunded
kind-order-person-erased = The buyer of an order was erased
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
right-personal-data-manage = Answer requests about personal data
right-personal-data-manage-about = Look up what is held of a person, take it out, and erase it.

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
events-lead = What you sell tickets for. An event begins as a draft that only your team sees; once it is published, it is on sale.
events-all = All
events-filter = Show
events-empty = No events yet
events-empty-lead = Make one, add what it sells, and publish it when all is right.
events-none = None of these
events-none-yet = There are older ones to look through.
event-new = New event
event-make = Make the event
event-change = Change the event
event-starts = Begins
event-ends = Ends
event-no-time = Not set
event-venue = Place
event-description = Description
event-image = Picture
event-id = Id
event-orders = Orders
event-tickets = Tickets
event-door = The door
event-report = Sales report
event-status-draft = draft
event-status-published = on sale
event-status-finished = over
event-status-cancelled = cancelled
event-publish = Publish
event-publish-again = Publish again
event-draft-about = Nobody outside your team sees a draft. Your team can sell at the box office already.
event-duplicate = Duplicate
event-duplicate-lead = Makes a draft with the same texts and the same things to sell, at the same prices and with the same limits. Nothing is sold of it. Hidden items get new links.
event-duplicate-button = Make the draft
event-finish = Finish
event-finish-title = Finish “{ $name }”?
event-finish-lead = For an event that is over.
event-finish-sales = The shop and the box office sell nothing more.
event-finish-orders = Orders that wait for their payment can still be paid.
event-finish-tickets = Tickets stay as they are.
event-finish-door = The door goes on as before: links work until they expire or are revoked.
event-finish-back = You can publish it again.
event-finish-button = Finish the event
event-cancel = Cancel the event
event-cancel-title = Cancel “{ $name }”?
event-cancel-lead = { $count ->
    [0] Nothing is sold of it yet.
    [one] One unit is sold of what it offers. Whoever bought it is not told by us: that is up to you.
   *[other] { $count } units are sold of what it offers. Whoever bought them is not told by us: that is up to you.
}
event-end-sales = Sales
event-end-orders = Orders
event-end-tickets = Tickets
event-end-door = The door
event-end-back = The way back
event-cancel-sales = The shop and the box office stop selling at once.
event-cancel-orders = Orders that wait for their payment can no longer be paid. Money that still arrives for one is kept as a payment to pay back. Orders that were paid stay as they are until you refund them: nothing is paid back by itself.
event-cancel-refund = After this you can refund all of them together.
event-cancel-tickets = Tickets stay valid until their orders are refunded.
event-cancel-door = Door links go on working, and valid tickets still enter. Revoke the links if nobody is to come in.
event-cancel-back = You can publish it again. Orders that were refunded meanwhile stay refunded.
event-cancel-button = Cancel the event
event-cancel-keep = Keep it
event-cancelled-title = This event is cancelled
event-cancelled-lead = Nothing is sold. Orders that were paid stay paid until they are refunded.
event-refund-all = Refund all orders
hint-event-name = As buyers read it.
hint-event-venue = Where it is. It may be left empty.
hint-event-zone = The clocks of the place. Type part of a name, such as “madrid” or “new_york”, and choose.
hint-event-starts = By the clocks of the place, in the time zone above. A time that does not exist because clocks are set forward is refused; if clocks are set back and it comes twice, you are asked which one you mean.
hint-event-ends = It may be left empty.
hint-event-currency = What all prices of the event are in. It stays.
hint-event-description = What buyers read. It may be left empty.
hint-image = The web address of a picture, such as https://example.com/poster.jpg. It may be left empty.
hint-copy-starts = By the clocks of { $zone }. The end, and when sales end, move along with it. Left empty, none of them has a time.
moment-which = Which of the two?
moment-first = The first, before the clocks are set back
moment-second = The second, after the clocks were set back
meanwhile-title = Somebody else changed this while you had the form open
meanwhile-lead = Nothing of yours is saved yet. Where what is saved now differs from what you wrote, it stands below the field. Saving again replaces it with yours.
meanwhile-saved = Saved now:
meanwhile-empty = (nothing)
meanwhile-save = Save mine all the same
items-title = What it sells
items-empty = Nothing to sell yet
items-empty-lead = Add ticket types, such as “General” or “Balcony”, and things from the bar. Several of them together make a bundle.
items-about = Held is what unpaid orders keep for a while. Free is what is neither sold nor held.
items-deleted = Deleted
item-new = New ticket type
item-make = Make the ticket type
item-change = Change
bundle-new = New bundle
bundle-make = Make the bundle
bundle-lead = Several things sold as one, at one price. Each becomes a ticket of its own. What a bundle includes stays as it is, because people have bought it; for something else make another bundle.
bundle-no-parts = There is nothing to put together yet
bundle-no-parts-lead = Make the ticket types first that the bundle is to include.
item-price = Price
item-price-in = Price in { $currency }
item-sold = Sold
item-held = Held
item-free = Free
item-unlimited = no limit
item-order = Order
item-up = Move { $name } up
item-down = Move { $name } down
item-restore = Bring back
item-deleted = deleted
item-ended = sale has ended
item-delete-about = Deleting takes it off sale and out of the lists. Tickets that are sold still enter, and you can bring it back.
item-deleted-about = It is off sale and out of the lists. Tickets that are sold still enter.
item-category = Category
item-category-ticket = Entrance
item-category-merchandise = Something from the bar or the shop
item-category-bundle = Bundle
item-includes = Includes
item-who = Who may buy it
item-status-active = on sale
item-status-active-about = Everybody, in the shop and at the box office.
item-status-hidden = hidden
item-status-hidden-about = Whoever has its link, and your team at the box office. The shop does not list it.
item-status-exclusive = for the team
item-status-exclusive-about = Only your team at the box office, for guests and promoters for instance.
item-status-sold_out = sold out
item-status-sold_out-about = Nobody. The shop lists it as sold out.
item-status-inactive = switched off
item-status-inactive-about = Nobody. The shop does not list it.
item-limit = Limit
item-most = Most in one order
item-expires = Sale ends
item-place = Place in the list
item-past-holds = Lower it all the same
item-past-holds-about = Whoever has an unpaid order may then find nothing left for it.
item-link-title = The link that opens it
item-link-lead = Whoever has this link can buy it. Give it only to those it is for.
item-link-unseen = It is opened by a link that members who may change events can hand out.
hint-item-name = As buyers read it, such as “General”.
hint-item-price = In whole units, without decimals; 0 is free. A new price counts for orders from now on.
hint-item-limit = How many may be sold. Left empty, any number.
hint-item-expires = By the clocks of { $zone }. Left empty, it is on sale as long as the event is.
hint-item-place = Lower numbers come first.
wrong-text = Write 10,000 characters at most, without control characters.
wrong-image_url = Write a web address, such as https://example.com/poster.jpg.
wrong-time_zone-name = There is no such time zone. Type part of its name and choose one from the list, such as Europe/Madrid.
wrong-ends_at = The end is before the start.
wrong-moment = Write a date and a time.
wrong-moment-skipped = This time does not exist in { $zone }: the clocks are set forward past it. Choose another.
wrong-moment-twice = This time comes twice in { $zone }, because the clocks are set back. Choose which one you mean.
wrong-price = Write a whole number without decimals; 0 is free.
wrong-item-status = Choose who may buy it.
wrong-category = Choose a category.
wrong-limit = Write a whole number, or leave it empty.
wrong-limit-below-sold = { $count ->
    [one] One is sold already. The limit cannot be lower.
   *[other] { $count } are sold already. The limit cannot be lower.
}
wrong-limit-held = Unpaid orders hold more than that would leave. The next hold ends at { $time }.
wrong-max_per_order = Write a whole number from 1 up.
wrong-sort_order = Write a whole number.
wrong-quantity = Write whole numbers; 0 or nothing leaves something out.
wrong-includes = Say how many of at least one thing the bundle includes.
refused-changed_meanwhile = Somebody else changed it meanwhile, so nothing was done. Look at it as it is now, and decide again.
done-event-made = The event is made, as a draft. Now add what it sells.
done-event-changed = The event was changed.
done-event-published = The event is on sale.
done-event-finished = The event is over. Nothing more is sold.
done-event-cancelled = The event is cancelled. Nothing more is sold.
done-event-copied = This is the new draft.
done-item-made = It is made.
done-item-changed = It was changed.
done-item-deleted = It was deleted. You can bring it back below.
done-item-restored = It is back.
done-item-moved = The order was changed.

# Orders and the box office.
order = Order
order-pending = to be paid
order-approved = paid
order-rejected = rejected
order-refunded = refunded
orders-search = Search orders
orders-search-hint = Any word of a name or mail, a phone number, a document, the order's id or its reference.
orders-search-hint-masked = By the order's id or reference. Your role does not see personal data, so names and mails are not searched.
orders-empty = No orders yet
orders-empty-lead = Orders of the shop and of the box office are listed here.
order-buyer = Buyer
order-what = What
order-total = Total
order-placed = Placed
order-id = Order
order-channel = Sold
channel-shop = in the shop
channel-box-office = at the box office
channel-import = elsewhere, and imported
order-paid-at = Paid
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
order-refund-title = Refund this order?
order-refund-lead = { $count ->
    [0] None of its tickets works any more. The order counts as refunded.
    [one] Its ticket stops working at once, and its stock is for sale again.
   *[other] Its { $count } tickets stop working at once, and their stock is for sale again.
}
order-pay-back = To be paid back
order-refund-button = Refund the order
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
sell-pay-later-about = The order waits, and its stock is held for a while.
sell-free = Complimentary
sell-free-about = Every price is 0.
sell-past-holds = Take what others hold
sell-past-holds-about = Whoever holds it may pay in vain.
sell-buyer = Name and contact (not needed)
sell-button = Sell
sell-next = Sell again
sell-no-events = No event to sell for
sell-no-events-lead = Events that are drafts or published can be sold for.
sell-no-items = This event sells nothing yet
sell-no-items-lead = Give it a ticket type first.
sell-nothing = Write how many of what are sold.
sell-sold-out = There are not enough left of { $item }.
sell-not-on-sale = { $item } is not on sale.
sell-too-many = One order can have { $most } of { $item } at most.
sell-held = Others hold too many of { $item } right now. Wait, or take what they hold.
sale-wrong-quantity = Write whole numbers, such as 2.
wrong-person = Names and contacts have at most 500 characters and no control characters.
print = Print
refused-event_not_on_sale = The event is not on sale.
refused-sold_out = There is not enough left.
refused-not_on_sale = One of the items is not on sale.
refused-too_many = One order may not have that many.
refused-held = Others hold too much of it right now. Wait, or take what they hold.
refused-order_not_pending = Somebody has decided this order already.
refused-order_not_approved = Only a paid order can be refunded.
refused-order_has_tickets = The order has tickets already; they were imported with it.
refused-idempotency_mismatch = This form has sold something already. Begin a new sale.

# Tickets and search.
ticket = Ticket
ticket-valid = valid
ticket-scanned = entered
ticket-transferred = passed on
ticket-cancelled = cancelled
ticket-refunded = refunded
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
moment-cancelled-by-staff = cancelled by staff
moment-passed-on-by-staff = passed on by staff
moment-station = at
moment-link = through
moment-phone = by the phone's clock
moment-by = by
attempt-admitted = entered
attempt-already-scanned = refused: had entered before
attempt-transferred = refused: was passed on
attempt-cancelled = refused: was cancelled
attempt-refunded = refused: was refunded
attempt-unknown = refused: not known
attempt-wrong-event = refused: another event
attempt-not-here = refused: not at this door
attempt-turned-away = turned away while offline
ticket-cancel = Cancel the ticket
ticket-cancel-about = It no longer works at the door, and its stock is for sale again. This cannot be undone. The money is paid back by a refund of the order only.
ticket-hide = Hide the ticket
ticket-hide-about = It leaves all lists and counts and still works at the door. That is meant for tests and staff. This cannot be undone.
ticket-pass-on = Pass the ticket on
ticket-pass-on-about = The new holder gets a ticket with a new code. The old code stops working at once.
ticket-keep = Keep it as it is
done-ticket-cancelled = The ticket is cancelled.
done-ticket-hidden = The ticket is hidden.
done-ticket-passed-on = The ticket is passed on. This is the new one.
refused-ticket_valid = The ticket is valid, which does not allow this.
refused-ticket_scanned = The ticket has entered already, which does not allow this.
refused-ticket_transferred = The ticket was passed on already.
refused-ticket_cancelled = The ticket is cancelled already.
refused-ticket_refunded = The ticket is refunded already.

# The door, live.
doors-lead = Who has entered and who is still to come, live. Choose an event.
doors-empty = No events yet
doors-empty-lead = Each event has a door. Make an event first.
doors-tonight = Tonight
doors-next = Next
doors-before = Before, and without a date
doors-times = Times are those of the place of each event.
door-open = Open the door
door-event = Event
door-starts = Begins
door-venue = Place
door-draft = draft
door-finished = finished
door-cancelled = cancelled
door-entered = Entered
door-to-come = Still to come
door-expected = Expected
door-entered-of-expected = entered, of those expected
door-lately = In the last 5 minutes
door-refused = Refused
door-conflicts = Conflicts
door-all = All together
door-category-ticket = Admission
door-category-merchandise = Bar and shop
door-category-bundle = Bundle
door-by-minute = Entries per minute
door-as-table = As a table
door-minute = Minute
door-by-type = By ticket type
door-type = Ticket type
door-by-station = By station
door-station = Station
door-elsewhere = Others, and not known
door-by-link = By door link
door-link = Link
door-let-in = Let in
door-latest = Latest entries
door-when = When
door-why = Why
door-made = scanned
door-before = entered before:
door-refused-latest = Latest refusals
door-conflicts-about = A phone without signal let somebody in, and the server does not admit that ticket. They are inside.
door-nobody-yet = Nobody has entered yet.
door-no-tickets = There are no tickets yet.
door-no-links = There is no door link for this event yet.
door-none-refused = Nobody was refused.
door-no-conflicts = no conflicts
door-said = { $entered } entered, { $to_come } still to come
door-outcome-admitted = Let in
door-outcome-already-scanned = Entered already
door-outcome-transferred = Passed on to somebody else
door-outcome-cancelled = Cancelled
door-outcome-refunded = Refunded
door-outcome-unknown = No ticket of ours
door-outcome-wrong-event = For another event
door-outcome-not-here = Not at this door
door-outcome-turned-away = Refused by a phone without signal
door-screen = Big screen
door-screen-leave = Leave
live-now = Live
live-polling = Refreshed every 5 seconds
live-lost = No connection. Trying again…
door-links = Door links
door-links-lead = Whoever opens a door link on a phone can scan the tickets of this event, and nothing else. No account is needed.
door-links-empty = No door links yet
door-links-empty-lead = Make one for each door or each group of people who scan. It is shown once, as a link and as a QR code.
door-link-new = New door link
door-link-make = Make the link
door-link-made = Door link
door-link-made-title = The link “{ $name }” is ready
door-link-once = Hand it out now, or copy it: it is not shown again.
door-link-hand-out = Let the people at the door scan this code with their phones, or send them the link. It opens the scanner.
door-link-qr = QR code that opens the scanner
door-link-kept = I have handed it out
door-link-works = works
door-link-ended = ended
door-link-expired = expired
door-link-revoked = revoked
door-admits = Admits
door-everything = Everything
door-whole-category = Everything of this kind
door-stations = Stations
door-any-station = Any; staff name theirs
door-pin = PIN
door-pin-told = Tell it by another way than the link.
door-hint-label = What it is for, such as “Main gate”.
door-hint-admits = Choose kinds, single ticket types, or both. Nothing chosen is everything.
door-hint-stations = One on each line, such as “Gate 1”. Without any, staff write where they stand.
door-hint-pin = 4 to 12 digits that the phone asks for once. Leave it empty for none.
door-hint-expires = When it stops working by itself. Leave it empty for never.
door-wrong-stations = Write one name on each line, 200 lines at most.
door-wrong-pin = Write 4 to 12 digits, or nothing.
door-wrong-moment = Choose a date and a time, or nothing.
door-wrong-moment-past = This time is in the past.
door-wrong-ticket-type = One of these ticket types is no longer there. Choose again.
door-revoke-title = Revoke the link “{ $name }”?
door-revoke-lead = Phones that use it can scan no more, at once. Scans that a phone has kept without signal need another link.
door-revoke-button = Revoke the link
done-door-link-revoked = The link was revoked. The next scan with it is refused.

# Reports.
reports-lead = Figures that are kept as things happen, so that they are up to date and quick however much is sold.
report-sales = Sales
report-sales-about = What was sold and refunded, by day, item and channel. An order counts when it is paid, and its refund when it is refunded.
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
report-units = Sold
report-gross = Gross
report-refunded-units = Refunded units
report-refunded = Refunded
report-net = Net
report-by-day = By day
report-by-week = By week
report-by-item = By item
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

# Exports.
action-data-exported = Data taken out
action-database-restored = Restored from a backup
export-lead = Take out what you have, as a table for a spreadsheet or as JSON Lines for a program. However much it is, the file begins at once.
export-masked = Your role does not show personal data: names, addresses, documents, and the codes of tickets are masked in these files.
export-note = CSV files are for spreadsheets: they are marked as UTF-8 for Excel, and a text that a spreadsheet would take for a formula gets an apostrophe before it. JSON Lines have the rows as the API shows them, with times in UTC. A file that breaks off is incomplete: the browser says so.
export-tickets = Tickets
export-tickets-about = Every listed ticket, newest first. The days are those of issue.
export-orders = Orders
export-orders-about = Every order with its buyer and items, newest first. The days are those on which they were placed.
export-scans = Scans
export-scans-about = Every attempt to enter that is still kept, door link by door link, oldest first.
export-payments = Payments
export-payments-about = Every payment that was reported, whatever became of it, oldest first.
export-status = State
export-any-status = Any
export-zone = Times in the table
export-zone-event = By the clocks of the event
export-tickets-valid = Valid
export-tickets-scanned = Entered
export-tickets-transferred = Passed on
export-tickets-refunded = Refunded
export-tickets-cancelled = Cancelled
export-orders-pending = Pending
export-orders-approved = Approved
export-orders-rejected = Rejected
export-orders-refunded = Refunded
export-scans-admitted = Admitted
export-scans-already_scanned = Had entered before
export-scans-transferred = Passed on
export-scans-cancelled = Cancelled
export-scans-refunded = Refunded
export-scans-unknown = Unknown code
export-scans-wrong_event = Another event
export-scans-not_here = Not at this door
export-scans-turned_away = Turned away offline

# Imports and long work.
back-to-event = Back to the event
refund-all = Refund all orders
refund-all-lead = Every approved order of this event is refunded, one after the other. This cannot be undone.
refund-all-tickets = All tickets of these orders stop working, also those that were passed on.
refund-all-money = Taquilla writes the refunds down and tells your systems by webhook. The money itself goes back through your payment processor.
refund-all-pending = Pending orders cannot be paid any more, because the event is cancelled. What arrives for them all the same is listed under payments to pay back.
refund-all-stop = You can stop at any time and go on later. Sales of your other events go on meanwhile.
refund-all-button = Refund all orders now
refund-all-before = Begun before
refund-done = Refunded
refund-failed = Not refunded
refund-orders = Orders
refund-orders-none = No orders yet.
refund-show-all = Show all orders
refund-number = No.
refund-order = Order
refund-result = Result
refund-order-open = being refunded
refund-order-refunded = refunded
refused-event_not_cancelled = The event is not cancelled. Cancel it first; then its orders can be refunded.
action-event-refund-begun = Refund of all orders begun
action-event-refund-stopped = Refund of all orders stopped
done-refund-stopped = Stopped. What is refunded stays refunded.
work-progress = Progress
work-begun = Begun
work-by = By
work-finished = Finished
work-stop = Stop
work-go-on = Go on
work-state-uploading = arriving
work-state-checking = being checked
work-state-checked = checked, not imported yet
work-state-running = running
work-state-stopped = stopped
work-state-done = done
work-state-faulty = has a mistake
work-state-given_up = given up
imports = Imports
imports-lead = Bring in events, ticket types, orders and tickets as JSON Lines. The file is checked first; nothing is imported until you say so, and then all of it or nothing.
imports-open = Import a file
imports-before = Files before
import-file = File
import-file-hint = JSON Lines, up to { $mb } MB. Larger files are for the command line.
import-check = Upload and check
import-no-file = Choose a file that is not empty.
import-not-text = This is no text file in UTF-8.
import-too-large = The file is too large for this page. Use the command line: taquilla import.
import-size = Size
import-kilobytes = { $count } kB
import-fault = Nothing was imported. This has to be put right first:
import-line = Line
import-field = Field
import-message = What is wrong
import-again = Upload the file again
import-before = The same file was imported at { $at }. Importing it again changes nothing.
import-preview = What it brings
import-brings = What it brings
import-what-happens = While the rows are saved, sales and scans wait for a moment.
import-now = Import now
import-give-up = Do not import
import-events = Events
import-ticket-types = Ticket types
import-bundles = Bundles
import-orders = Orders
import-tickets = Tickets
done-import-given-up = The file was given up. Nothing was imported.

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
payments-open = Payments to deal with
payments-open-lead = This money came in and pays for nothing. Approve the order if it waits still, or pay the money back and say so here.
payments-none-open = No payment waits
payments-none-open-lead = Every payment has paid for an order, or was paid back.
payments-later = Later ones
payment-id = Payment
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

# The rows behind figures.
report-orders-sold = Sold
report-orders-refunded = Refunded
report-orders-none = No orders
list-further = Nothing among those that were looked through so far. There are older ones.
list-file-lines = Take out as JSON Lines
tickets-of-type = Only { $name }.
tickets-of-all-types = Show all types
tickets-live = valid or entered
item-sold-by-day = Sold by day

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
wrong-person = Write an e-mail address or the number of a document.
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
retention-is = { $count ->
    [one] Buyers and attendees are erased 1 day after the end of their event.
   *[other] Buyers and attendees are erased { $count } days after the end of their event.
}
retention-none = Buyers and attendees are kept for ever.
retention-change = Change this
wrong-retention = Write a number of days from 1 to { $count }, or nothing.
action-person-erasure-begun = Erasure of a person begun
action-person-erased = Person erased
action-person-exported = What is held of a person taken out
action-producer-retention-changed = How long people are kept changed
