//! This program itself.

use super::finding::Finding;
use crate::cli::version::VERSION;

pub fn look() -> Finding {
    let found = format!("taquilla {VERSION}");
    if cfg!(debug_assertions) {
        return Finding::doubtful(
            "program",
            found,
            "This is a build for tests, which is slow: build one with `make release`",
        );
    }
    Finding::good("program", found)
}
