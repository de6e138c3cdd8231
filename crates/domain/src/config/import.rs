//! Imports.

/// Bytes in one line of an import.
pub const IMPORT_LINE_MAX: usize = 1024 * 1024;
/// Lines sent to the database together: enough to keep PostgreSQL busy, few enough to keep memory flat.
pub const IMPORT_BATCH: usize = 1_000;
/// Items of one order, and different items in one bundle.
pub const ITEMS_MAX: usize = 500;
