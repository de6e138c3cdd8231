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
