//! Promoters.

/// Promoters of one event, those that have ended included: more than an organiser knows by name, and all of them are on one page.
pub const PROMOTERS_MAX: i64 = 500;
/// Days that a promoter's page shows one by one, the last ones. Its other sums are of all days.
pub const PROMOTER_DAYS: i64 = 31;
