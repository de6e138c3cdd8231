# The frame: sections, the way to a producer, and what was just done.

sections = Sections
crumbs = Where you are

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

choose-producer = Choose an organisation
no-producer = You belong to no organisation
no-producer-lead = Ask an administrator of yours for an invitation.
forbidden-title = You may not do this
forbidden-lead = Your role lacks the right “{ $right }”.
forbidden-advice = The attempt is noted in the history. An administrator of the team can give you a role that may.
