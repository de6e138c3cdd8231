# A user's own account.

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
hint-code-or-recovery = Or one of your recovery codes. It is needed for what follows.
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
browser-on = { $browser } on { $system }
browser-unknown = a browser that did not say
session-address = Address
session-began = Signed in
session-seen = Last used
session-end = End
session-this = this one
