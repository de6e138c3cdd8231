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

websites = Websites that sell with your shop
websites-about = Pages of these websites may show what is on sale and place orders through the shop's API, from their visitors' browsers. Your shop's own page needs nothing here.
websites-label = Websites, one a line
websites-hint = For example https://www.example.org, without a page behind it.
websites-change = Websites that sell with your shop
wrong-website = “{ $text }” is not a website. Write it as https://www.example.org, without a page behind it.
wrong-websites = Name { $count } websites at most.
