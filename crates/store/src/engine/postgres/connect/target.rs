//! Which of its servers an address asks for (`target_session_attrs`), with libpq's names.

use std::fmt;

use tokio_postgres::config::TargetSessionAttrs;

use super::{
    super::super::error::{Error, Result},
    lineage::Identity,
};

/// What a server must be for a connection to stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Any,
    ReadWrite,
    ReadOnly,
    Primary,
    Standby,
    PreferStandby,
}

impl Target {
    const ALL: [(&'static str, Self); 6] = [
        ("any", Self::Any),
        ("read-write", Self::ReadWrite),
        ("read-only", Self::ReadOnly),
        ("primary", Self::Primary),
        ("standby", Self::Standby),
        ("prefer-standby", Self::PreferStandby),
    ];

    pub fn parse(text: &str) -> Result<Self> {
        Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, target)| *target).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            Error::Address(format!("target_session_attrs of the PostgreSQL address is one of {}", names.join(", ")))
        })
    }

    /// Whether every server that it finds may be one that writes.
    pub fn may_write(self) -> bool {
        matches!(self, Self::Any | Self::ReadWrite | Self::Primary)
    }

    /// What the driver itself looks at while it connects. It knows three of the six.
    pub fn of_the_driver(self) -> TargetSessionAttrs {
        match self {
            Self::ReadWrite => TargetSessionAttrs::ReadWrite,
            Self::ReadOnly => TargetSessionAttrs::ReadOnly,
            Self::Any | Self::Primary | Self::Standby | Self::PreferStandby => TargetSessionAttrs::Any,
        }
    }

    /// What is looked for first, and then. Only `prefer-standby` looks twice.
    pub fn rounds(self) -> &'static [Self] {
        match self {
            Self::Any => &[Self::Any],
            Self::ReadWrite => &[Self::ReadWrite],
            Self::ReadOnly => &[Self::ReadOnly],
            Self::Primary => &[Self::Primary],
            Self::Standby => &[Self::Standby],
            Self::PreferStandby => &[Self::Standby, Self::Any],
        }
    }

    /// Whether a server is what is looked for. `None` is one that does not say what it is.
    pub fn takes(self, server: Option<&Identity>) -> bool {
        match self {
            Self::Primary => server.is_some_and(|server| !server.is_standby),
            Self::Standby => server.is_some_and(|server| server.is_standby),
            // The driver has looked.
            Self::Any | Self::ReadWrite | Self::ReadOnly | Self::PreferStandby => true,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(_, target)| target == self).map_or("", |(name, _)| name);
        write!(to, "target_session_attrs={name}")
    }
}
