//! What strangers may send to the shop.

use std::time::Duration;

/// Requests a second that one address may make to the shop by default.
pub const SHOP_PER_SECOND: u32 = 20;
/// How many times [`SHOP_PER_SECOND`] may come at once.
pub const SHOP_BURST_FACTOR: u32 = 10;
/// Websites of one producer whose pages may ask the shop: more than an organiser has, and few enough to compare with each.
pub const SHOP_ORIGINS_MAX: usize = 20;
/// For how long a browser may remember that a website may ask the shop. One that was taken off the list is soon refused.
pub const SHOP_ORIGIN_REMEMBERED: Duration = Duration::from_secs(300);
/// Bytes of a request's body to the shop.
pub const SHOP_BODY_MAX: usize = 64 * 1024;
/// Characters of a buyer's or attendee's name that the shop takes. Anybody may place an order, so what the shop stores for
/// nothing is bounded more tightly than what staff write and import ([`NAME_MAX`](super::NAME_MAX)). The longest full names are shorter.
pub const SHOP_NAME_MAX: usize = 200;
/// Characters of an e-mail address that the shop takes: the longest that mail can be sent to.
pub const SHOP_EMAIL_MAX: usize = 254;
/// Characters of a phone number that the shop takes. A number has 15 digits at most; people add spaces and an extension.
pub const SHOP_PHONE_MAX: usize = 40;
/// Characters of an identity document that the shop takes: a number of about 20, and perhaps its kind and country.
pub const SHOP_DOCUMENT_MAX: usize = 64;
/// Bytes of the details of buyer and attendees together in one order of the shop: a group of 150 people with name, e-mail
/// address, phone number and document.
pub const SHOP_DETAILS_MAX: usize = 16 * 1024;
/// Attendees that a page asks the names of. With a field for each it stays light; a larger group is several orders.
pub const SHOP_ATTENDEES_MAX: usize = 50;
/// Ids that no new producer may have: `/shop/{producer_id}` is the page of its shop, and these lead elsewhere.
pub const SHOP_RESERVED: [&str; 2] = ["v1", "orders"];
/// Events on one page of a producer's shop: a season of a small hall, and still a light page.
pub const SHOP_EVENTS: usize = 24;
/// So many are few, of whatever there is: the page says so, and offers no more than these in one order.
pub const FEW_LEFT: i64 = 5;
/// The page also says that few are left when they are at most this part of all: a tenth. So a page tells how much there is
/// only at the very end, when one order could find it out anyway.
pub const FEW_LEFT_PART: i64 = 10;
/// Tickets on one page of an order, because each has a drawing of 5 kB.
pub const SHOP_TICKETS: usize = 10;
/// Characters of the line that is shown with a link to a page: about what search engines and messengers show.
pub const SHARED_TEXT_MAX: usize = 200;
/// Visits of one event's page in a second that are each answered from the database. In a larger crowd all are shown one copy,
/// so that a page with a million readers costs as much as one with fifty.
pub const SHOP_FEW: u32 = 50;
/// How old a copy may be before one visitor of a crowd reads it anew, while the others are still shown the old one.
pub const SHOP_COPY_FRESH: Duration = Duration::from_millis(500);
/// How old a copy may be that anybody is shown: few buyers notice a second, and what is left is decided when they order.
pub const SHOP_COPY_KEPT: Duration = Duration::from_secs(1);
/// Events whose visits one server counts at the same time. Only those of the last seconds are counted.
pub const SHOP_WATCHED_MAX: usize = 1_000;
/// Bytes of written pages that one server keeps: each language of a thousand events in high demand at once.
pub const SHOP_COPIES_BYTES: usize = 32 * 1024 * 1024;
/// Bytes of a picture that staff send: a large photo of a phone.
pub const SHOP_PICTURE_BYTES: usize = 10 * 1024 * 1024;
/// Points of such a picture, wide times high. Reading it takes four bytes for each.
pub const SHOP_PICTURE_POINTS: u64 = 40_000_000;
/// The least width and height of such a picture: messengers show nothing smaller in full width.
pub const SHOP_PICTURE_LEAST: (u32, u32) = (600, 315);
/// The most width and height of the picture that is kept: twice what messengers show, for sharp screens.
pub const SHOP_PICTURE_MOST: (u32, u32) = (2400, 1260);
/// How much of what a photo has is kept, in per cent: more is not seen.
pub const SHOP_PICTURE_QUALITY: u8 = 82;
/// How long a browser or a cache may keep the picture or the colour of a shop. Their address changes with them.
pub const SHOP_LOOK_KEPT: Duration = Duration::from_hours(24);
/// Pictures that one server draws or reads at the same time: each takes a processor for a moment, and memory.
pub const SHOP_PICTURES_AT_ONCE: usize = 1;
/// The width and height of a drawn picture: what messengers show.
pub const SHOP_DRAWN: (u32, u32) = (1200, 630);
