# Signing in, links and second factors.

sign-in = Sign in
sign-out = Sign out
sign-in-wrong = The e-mail address or the password is wrong.
sign-in-ended-page = Your session has ended. Sign in to go on where you were.
sign-in-ended-form = Your session had ended before the form was sent, so nothing of it was saved. Sign in to go back to it.
form-kept = What you typed is kept in this tab for an hour, and comes back with the form. Passwords and files are not kept.
form-back = This form was not sent, because you had to sign in first. It has what you typed: look at it, then send it.
sign-in-too-many = { $minutes ->
    [one] Too many attempts. Wait a minute, then try again.
   *[other] Too many attempts. Wait { $minutes } minutes, then try again.
}
sign-in-forgotten = Forgotten the password? An administrator of your team can give you a link to choose a new one.
sign-in-unbegun = Nobody can sign in here yet. When this server started, it wrote a link for the first start to its log, or to the terminal it was started in. Open that link to begin; every start makes a new one.
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
join-has-account = Do you have an account already?
join-has-account-link = Sign in first, and you come back to this page.
join-only = This invitation is for { $email }. Sign in as that user.
join-button = Join
choose-password = Choose a password
choose-password-lead = For { $email }. All sessions that are open end.
choose-password-button = Set the password
demo-sign-in = The demo
demo-sign-in-lead = You sign in as the demo’s administrator. Nothing here is real.
