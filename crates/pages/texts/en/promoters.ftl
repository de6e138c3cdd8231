# Promoters: their pages in the dashboard, and the page that their own link opens.

promoter = Promoter
promoters = Promoters
promoters-lead = People who sell this event for you. Each has a link to the shop that says who sold, and a page of their own with what they sold.
promoters-empty = No promoters yet
promoters-empty-lead = Make one for each person who spreads the word. You see what each sells, and each may give some tickets away.
promoters-about = Sold and net are without what was refunded. Tickets that were given away cost nothing and are counted by themselves.
promoter-new = New promoter
promoter-make = Make the promoter
promoter-hint-name = As reports show it. Buyers see it on their order.
promoter-complimentary = Tickets to give away
promoter-hint-complimentary = How many entrances they may give away for nothing, out of what is on sale or exclusive. 0 is none.
promoter-wrong-complimentary = Write a whole number from 0 to { $most }.
promoter-given = Given away
promoter-given-of = { $given } of { $all }
promoter-sells = sells
promoter-ended = ended
promoter-shop-link = Shop link
promoter-shop-link-show = Show the link
promoter-shop-link-about = They spread this one. It leads to the shop, and what is bought there is counted as theirs. It opens nothing else, and you find it again in the list.
promoter-shop-qr = QR code of the shop link
promoter-links = Links of a promoter
promoter-links-of = The links of { $name }
promoter-once = Hand out the first link now: it is not shown again. If it is lost, make a new one.
promoter-own-link = Their own page
promoter-own-link-about = Whoever has this link sees what the promoter sold, and gives away the tickets that they may. It shows nobody who bought. Send it to the promoter alone.
promoter-own-qr = QR code of their own page
promoter-kept = I have handed it out
promoter-renew = New link
promoter-renew-title = A new link for { $name }
promoter-renew-lead = The link to their page that they have stops working at once, and you get a new one. The shop link stays the same.
promoter-renew-button = Make a new link
promoter-end = End
promoter-end-title = End { $name }
promoter-end-lead = Their page is closed, they give nothing away any more, and what is bought through their shop link is counted as nobody’s. The shop link goes on selling. What they sold and gave away stays as it is. This cannot be undone.
promoter-end-button = End the promoter
done-promoter-ended = The promoter has ended. Their page is closed.

report-promoters = Promoters
report-promoters-about = What was sold through each promoter’s link and refunded, and what they gave away. Tickets that were given away cost nothing and do not count as sold here.
report-channel-promoter = Given away by promoters
channel-promoter = given away by a promoter

promoter-page-sold = Tickets sold
promoter-page-net = Net
promoter-page-left = Left to give away
promoter-page-link = Your link to the shop
promoter-page-link-about = Spread this one. Whatever is bought through it is counted as yours. It shows nobody this page.
promoter-page-qr = QR code of your link to the shop
promoter-page-give = Give tickets away
promoter-page-given-of = { $given } of { $all } are given away.
promoter-page-give-about = They cost nothing. One that the organiser cancels or refunds comes back to you.
promoter-page-none-left = You have given away all of them.
promoter-page-nothing-offered = There is nothing to give away just now.
promoter-page-item = Which ticket
promoter-page-quantity = How many
promoter-page-guest = The guest’s name
promoter-page-email-hint = The tickets are made out to this person.
promoter-page-give-button = Give them away
promoter-page-by-item = By ticket
promoter-page-by-day = { $days ->
    [one] The last day
   *[other] The last { $days } days
}
promoter-page-nothing = Nothing was sold yet.
promoter-page-what = Ticket
promoter-page-day = Day
promoter-page-sold-gross = Sold
promoter-page-refunded = Refunded
promoter-page-given = Given away
promoter-page-about = An order counts when it is paid. Net is what was paid less what was refunded. This page is yours alone: whoever has its address can open it.
promoter-page-days-in = Days are those of { $zone }.
promoter-wrong-guest = Write the guest’s name, with 200 characters at most.
promoter-wrong-item = Choose a ticket.
promoter-wrong-quantity = Write a whole number of at least 1.
promoter-left-only = { $count ->
    [0] You have none left to give away.
    [one] You have one left to give away.
   *[other] You have { $count } left to give away.
}
promoter-too-many = One guest may get { $most } at most.
promoter-held = Buyers hold all that is left right now. Try again in a while.
promoter-given-title = Given away
promoter-given-for = Tickets for { $name }
promoter-given-once = Copy this link now: this page is not shown again.
promoter-given-about = It opens the tickets with their codes. Send it to your guest alone: whoever has it can enter.
promoter-given-back = Back to your page

refused-promoter_refused = This promoter may not give tickets away.
refused-contingent_used_up = The promoter may give away fewer tickets than that.

action-promoter-created = Promoter made
action-promoter-link-renewed = New link for a promoter
action-promoter-ended = Promoter ended
