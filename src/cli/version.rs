//! Which version this is.

/// The version, and in a release build the commit, such as `0.1.0 (c2d2e39 2026-11-16)`. `build.rs` finds it out.
pub const VERSION: &str = env!("TAQUILLA_VERSION");
