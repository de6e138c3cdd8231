//! How a command ends that went wrong: what it says, and its exit code.

use std::{fmt, process::ExitCode};

use super::printable::printable;

/// The command itself is wrong, whatever is in the database: exit code 2, as for the mistakes that clap finds.
#[derive(Debug)]
pub struct Mistake(String);

impl Mistake {
    pub fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
    }

    /// A value that this flag cannot have.
    pub fn in_flag(flag: &str, message: impl fmt::Display) -> Self {
        Self(format!("{flag}: {message}"))
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mistake {}

/// What went wrong stands in the log, and is not said again beside it.
#[derive(Debug)]
pub struct Logged(ExitCode);

impl Logged {
    /// Logs why a server does not start, as every line of its log.
    pub fn cannot_start(error: anyhow::Error) -> anyhow::Error {
        tracing::error!(cause = shown(&error), "cannot start");
        Self(code(&error)).into()
    }
}

impl fmt::Display for Logged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the log says what went wrong")
    }
}

impl std::error::Error for Logged {}

/// Says what went wrong, and gives the exit code.
pub fn failed(error: &anyhow::Error) -> ExitCode {
    if let Some(Logged(code)) = error.downcast_ref() {
        return *code;
    }
    eprintln!("taquilla: {}", shown(error));
    code(error)
}

fn shown(error: &anyhow::Error) -> String {
    printable(&without_numbers(format!("{error:#}")))
}

fn code(error: &anyhow::Error) -> ExitCode {
    if error.is::<Mistake>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// The text without the system's numbers of its errors, such as " (os error 21)": the words beside them say it.
fn without_numbers(mut text: String) -> String {
    while let Some(at) = text.find(" (os error ") {
        let end = text[at..].find(')').map_or(text.len(), |length| at + length + 1);
        text.replace_range(at..end, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_numbers_are_left_out() {
        let text = "cannot open a: Is a directory (os error 21); or b: No such file (os error 2)".to_owned();
        assert_eq!(without_numbers(text), "cannot open a: Is a directory; or b: No such file");
    }
}
