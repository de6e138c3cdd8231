//! The box office.

/// Tickets that one order may become, counting each item of its bundles.
pub const ORDER_TICKETS_MAX: i64 = 1_000;
/// How many of an item one order may hold, unless its organiser says otherwise: enough for friends, too few for resale.
pub const MAX_PER_ORDER: i64 = 10;
/// How many of an item one order must have, unless its organiser says otherwise.
pub const MIN_PER_ORDER: i64 = 1;
/// Items that share one pool, pools that one item is in, and pools of one event. A sale looks at every item of its pools, and
/// the page of an event shows all of them; a venue has a handful.
pub const POOL_ITEMS_MAX: usize = 50;
/// See [`POOL_ITEMS_MAX`].
pub const POOLS_OF_ITEM_MAX: usize = 10;
/// See [`POOL_ITEMS_MAX`].
pub const POOLS_OF_EVENT_MAX: usize = 50;
/// New orders that one group decides. With more, an order hardly costs less, and everybody else waits longer.
pub const ORDERS_TOGETHER: usize = 128;
/// Payments that one group settles.
pub const PAYMENTS_TOGETHER: usize = 128;
/// Decisions of staff, such as refunds, that one group makes.
pub const STAFF_TOGETHER: usize = 32;
/// A group that has issued or changed this many tickets decides no further sale; the next group does. So a group can
/// exceed this by the tickets of one sale.
pub const TICKETS_TOGETHER: usize = 1_000;
/// Requests of one kind (orders, payments, scans, decisions of staff) and one producer that may wait on one server before
/// further ones get 503.
pub const WAITING_MAX: usize = 10_000;
/// Seqs that one move takes from the producer's counter: far more than the rows it writes. There are 10^18.
pub const SEQS_PER_MOVE: i64 = 1_000_000;
