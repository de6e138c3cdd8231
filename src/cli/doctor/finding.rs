//! What was found about one thing.

use serde::Serialize;

/// How a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it should be.
    Good,
    /// A server works, but not in the best way, or not for long.
    Doubtful,
    /// A server does not work with it, or not for the world.
    Wrong,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Doubtful => "doubtful",
            Self::Wrong => "wrong",
        }
    }
}

/// What was found, and what to do about it.
#[derive(Debug, Serialize)]
pub struct Finding {
    pub about: &'static str,
    pub state: State,
    pub found: String,
    /// A sentence without a full stop. Nothing has to be done about what is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl Finding {
    pub fn good(about: &'static str, found: impl Into<String>) -> Self {
        Self { about, state: State::Good, found: found.into(), mend: None }
    }

    pub fn doubtful(about: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { about, state: State::Doubtful, found: found.into(), mend: Some(mend.into()) }
    }

    pub fn wrong(about: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { about, state: State::Wrong, found: found.into(), mend: Some(mend.into()) }
    }

    /// For people.
    pub fn shown(&self) -> String {
        let mend = self.mend.as_ref().map(|mend| format!(". {mend}")).unwrap_or_default();
        format!("{}: {}{mend}", self.state.as_str(), self.found)
    }
}
