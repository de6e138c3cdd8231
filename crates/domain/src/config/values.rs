//! Texts and numbers of the data itself.

/// Characters in an id, ours or imported.
pub const ID_MAX: usize = 128;
/// Characters in a name, a label, an address.
pub const NAME_MAX: usize = 500;
/// Characters in a description or a URL.
pub const TEXT_MAX: usize = 10_000;
/// Characters in a note about an order: some sentences, not a file.
pub const ORDER_NOTE_MAX: usize = 1_000;
/// Notes about one order, which are all on its page.
pub const ORDER_NOTES_MAX: i64 = 50;
/// The largest amount of money, in whole units. Sums over a whole order stay far from overflow.
pub const AMOUNT_MAX: i64 = 1_000_000_000_000;
/// The largest count (stock, quantity, position).
pub const COUNT_MAX: i64 = 1_000_000_000;
/// Tickets issued before `issued_at` existed have this date (2026-08-11T00:00:00Z).
pub const LEGACY_ISSUED_AT_MICROS: i64 = 1_786_406_400_000_000;
