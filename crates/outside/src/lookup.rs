//! Who is asked for the addresses of a name.

use std::{fmt, net::IpAddr, sync::Arc};

/// Who is asked for the addresses of a name.
#[derive(Clone, Default)]
pub enum Lookup {
    /// The system's resolver.
    #[default]
    System,
    /// A test's own function, which may change its answers.
    Scripted(Arc<Script>),
}

/// A test's function from a name to its addresses.
pub type Script = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

impl fmt::Debug for Lookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Scripted(_) => "Scripted(…)",
        })
    }
}
