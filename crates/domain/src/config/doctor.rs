//! What `taquilla doctor` finds wrong.

use std::time::Duration;

use super::backups::CLOCKS_DIFFER_MAX;

/// How far the database's clock may be from this machine's. Holds are decided by the one, everything else by the other, and
/// clocks that follow a time server are closer than this.
pub const CLOCK_APART_MAX: Duration = Duration::from_secs(2);
/// How far this machine's clock may be behind the last change: a restored producer's clock begins ahead of the present.
pub const CLOCK_BEHIND_MAX: Duration = Duration::from_secs(CLOCKS_DIFFER_MAX.as_secs() + CLOCK_APART_MAX.as_secs());
/// Free bytes of a disk below which something is wrong: SQLite's log alone may take 64 MiB, and more during an import.
pub const DISK_FREE_MIN: u64 = 256 * 1024 * 1024;
/// Free bytes of a disk below which somebody should look.
pub const DISK_FREE_LOW: u64 = 1024 * 1024 * 1024;
/// Memory below which a server cannot do what it is made for: passwords that are hashed at once take 76 MiB, the rest 50.
pub const MEMORY_MIN: u64 = 128 * 1024 * 1024;
/// Memory below which somebody should look: twice that.
pub const MEMORY_LOW: u64 = 2 * MEMORY_MIN;
/// A certificate that ends within this should have been renewed: ACME does so with a third of its time left.
pub const CERTIFICATE_ENDS_SOON: Duration = Duration::from_hours(14 * 24);
/// How long the public URL may take to answer.
pub const REACHED_WITHIN: Duration = Duration::from_secs(10);
