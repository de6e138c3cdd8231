//! How much a list or a search shows, and what it says while it looks and about the rest.

use clap::{Args, builder::NonEmptyStringValueParser};
use indicatif::{ProgressBar, ProgressStyle};

use taquilla_domain::{
    config::{FOUND_DEFAULT, FOUND_MAX},
    invalid::Invalid,
    words::Words,
};
use taquilla_rules::admin::lists::NewestRows;

use super::{flags, mistake::Mistake};

#[derive(Args)]
pub struct Limit {
    /// The most to show, newest first
    #[arg(long, value_name = "N", default_value_t = FOUND_DEFAULT, value_parser = limit)]
    limit: usize,
}

fn limit(text: &str) -> Result<usize, Invalid> {
    flags::number(text, 1..=FOUND_MAX as u64).map(|limit| limit as usize)
}

impl Limit {
    pub fn get(&self) -> usize {
        self.limit
    }

    /// Says where there is nothing, and where the limit left something out: on standard error, where no script takes
    /// it for a row.
    pub fn mention<T>(&self, found: &NewestRows<T>) {
        if found.has_more {
            eprintln!("Only the newest {} are shown. See more with --limit N, at most {FOUND_MAX}.", self.limit);
        } else if found.rows.is_empty() {
            eprintln!("There is none.");
        }
    }
}

/// What a search looks for, and where.
#[derive(Args)]
pub struct Wanted {
    /// The words to look for; all of them must match. Case and accents do not matter
    #[arg(required = true, value_name = "WORDS", value_parser = NonEmptyStringValueParser::new())]
    words: Vec<String>,
    /// Only at this event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    pub event: Option<String>,
    #[command(flatten)]
    pub limit: Limit,
}

impl Wanted {
    /// The text that was given, and its words.
    pub fn parse(&self) -> Result<(String, Words), Mistake> {
        let text = self.words.join(" ");
        let words = Words::parse(&text).map_err(Mistake::new)?;
        Ok((text, words))
    }
}

/// Says how many were looked at: on standard error, and only where a person is looking.
pub fn looking_at(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {human_pos} {msg} looked at ({elapsed})");
    ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner())).with_message(what)
}
