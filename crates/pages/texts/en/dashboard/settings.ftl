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

shop-look = How your shop looks
shop-look-about = Your colour is that of the bar and the buttons of your shop's pages. What is written on it is black or white, whichever can be read better.
shop-look-see = See your shop
shop-colour = Colour
shop-colour-hint = As #1a2b3c. Leave it empty for the colour of all pages.
shop-picture = Picture
shop-picture-about = Messengers and social networks show it with a link to your shop, and with an event that has no picture of its own. Without one, a picture with the name is drawn.
shop-picture-file = File
shop-picture-hint = A JPEG or PNG of { $mb } MB at most, and at least { $least } points. What else is in the file, such as where a photo was taken, is not kept.
shop-picture-send = Send the picture
shop-picture-remove = Remove the picture
wrong-colour = Write the colour as #1a2b3c.
wrong-picture = This is no JPEG or PNG that can be read. Send another file.
wrong-picture-too-large = The file is larger than { $mb } MB. Send a smaller one.
wrong-picture-points = The picture has more than { $millions } million points. Send a smaller one.
wrong-picture-too-small = The picture is too small. Send a larger one.
