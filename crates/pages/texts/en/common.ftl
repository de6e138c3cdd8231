# What several faces say: buttons, labels, errors as pages, what is wrong or refused, and how things stand.

# What the language calls itself.
language-name = English

skip = Skip to the content
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

refused-changed_meanwhile = Somebody else changed it meanwhile, so nothing was done. Look at it as it is now, and decide again.

order-pending = to be paid
order-approved = paid
order-rejected = rejected
order-refunded = refunded
refused-event_not_on_sale = The event is not on sale.
refused-sold_out = There is not enough left.
refused-held = Others hold too much of it right now. Wait, or take what they hold.
refused-order_not_pending = Somebody has decided this order already.
refused-order_not_approved = Only a paid order can be refunded.
refused-order_has_tickets = The order has tickets already; they were imported with it.
refused-idempotency_mismatch = This form has sold something already. Begin a new sale.

ticket-valid = valid
ticket-scanned = entered
ticket-transferred = passed on
ticket-cancelled = cancelled
ticket-refunded = refunded
attempt-admitted = entered
attempt-already-scanned = refused: had entered before
attempt-transferred = refused: was passed on
attempt-cancelled = refused: was cancelled
attempt-refunded = refused: was refunded
attempt-unknown = refused: not known
attempt-wrong-event = refused: another event
attempt-not-here = refused: not at this door
attempt-turned-away = turned away while offline
refused-ticket_valid = The ticket is valid, which does not allow this.
refused-ticket_scanned = The ticket has entered already, which does not allow this.
refused-ticket_transferred = The ticket was passed on already.
refused-ticket_cancelled = The ticket is cancelled already.
refused-ticket_refunded = The ticket is refunded already.

refused-event_not_cancelled = The event is not cancelled. Cancel it first; then its orders can be refunded.
