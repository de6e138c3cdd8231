//! The programs in documents compile.

/// The receiver of webhooks.
#[doc = include_str!("../docs/webhooks.md")]
struct _Webhooks;
