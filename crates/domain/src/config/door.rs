//! The door.

use std::time::Duration;

/// Calls a second that one door link may make, and that one address may make, by default. A gate with a hundred phones
/// behind one address stays below this.
pub const DOOR_PER_SECOND: u32 = 200;
/// How many times [`DOOR_PER_SECOND`] may come at once, such as the scans that a phone kept while it was offline.
pub const DOOR_BURST_FACTOR: u32 = 20;
/// Wrong PINs that may be tried for one door link, and from one address, before further tries must wait.
pub const WRONG_PINS_MAX: u32 = 10;
/// After [`WRONG_PINS_MAX`], one more PIN may be tried each time this has passed. Trying ten thousand PINs takes days.
pub const WRONG_PIN_EVERY: Duration = Duration::from_secs(30);
/// The shortest and the longest PIN, in digits.
pub const PIN_DIGITS: std::ops::RangeInclusive<usize> = 4..=12;
/// The most ticket types, and the most stations, that one door link may name.
pub const DOOR_LIST_MAX: usize = 200;
/// Bytes of a code shown at a door: the most that a QR code holds. A code longer than an id belongs to no ticket.
pub const CODE_MAX: usize = 4_296;
/// Scans in one upload of a phone that was offline.
pub const SCANS_MAX: usize = 100;
/// Bytes of a request's body to the door: room for a full upload of the longest codes.
pub const DOOR_BODY_MAX: usize = 1024 * 1024;
/// Scans of all phones that one group decides: enough that the wait for the disk does not matter, few enough that
/// nobody else waits long.
pub const SCANS_TOGETHER: usize = 256;
/// Tickets of an order that are counted for the answer to a scan ("2 of 4"). An order from an import may have any number,
/// and every scan of its tickets would read them all; nobody at a door counts a larger group by heart.
pub const GROUP_TICKETS_MAX: usize = 200;
/// Codes on a page of the offline list.
pub const CODES_PAGE: usize = 2_000;
/// Bytes of a code's hash on the offline list. Among a million codes, two hashes are equal at one door in 10^17.
pub const CODE_HASH_BYTES: usize = 12;
/// Lines of the scan log that are shown by default.
pub const LOG_DEFAULT: i64 = 50;
/// Letters of a name that must be typed at a door to find somebody. Fewer would bring a part of everybody.
pub const GUEST_LETTERS_MIN: usize = 3;
/// Bytes of what is looked for at a door: a long name, or an e-mail address.
pub const GUEST_TEXT_MAX: usize = 200;
/// Guests that a search at a door finds at most. Who wants another writes more of the name.
pub const GUESTS_FOUND: usize = 20;
/// Searches through one door link at once, and then one more each time [`GUEST_SEARCH_EVERY`] has passed: 30 a minute. A busy
/// desk makes fewer; somebody who reads out a guest list needs more.
pub const GUEST_SEARCHES: u32 = 30;
/// See [`GUEST_SEARCHES`].
pub const GUEST_SEARCH_EVERY: Duration = Duration::from_secs(2);
/// Characters of a note that the scanner shows with a ticket: what somebody reads at a glance, two lines of large letters on a
/// phone. It travels with each ticket of the offline list.
pub const DOOR_NOTE_MAX: usize = 60;
/// Events that one door link may be for: a night with more of them has several doors. Each is one more range of an index for
/// every page of the offline list.
pub const LINK_EVENTS_MAX: usize = 8;
/// Others of an order whom a door offers to let in at once: as many as somebody can count through a gate.
pub const PARTY_MAX: usize = 50;

/// How many of those who are outside are on the offline list, the last to go: a phone fetches them all every 15 s, about 40 kB.
/// Of those who went before them a phone without signal does not know.
pub const OUTSIDE_LISTED: usize = 2_000;
/// From how many of a hundred that may be inside on pages and phones warn, so that somebody can act before it is full.
pub const INSIDE_NEAR_PERCENT: i64 = 90;
/// How many zones of an event may have limits: more than a place has, and as many as a page can list.
pub const ZONES_MAX: usize = 50;
