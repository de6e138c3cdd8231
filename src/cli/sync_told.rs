//! How far a sync has come: a bar with its rate and an estimate, on standard error, and only where a person is looking.

use std::{sync::Arc, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use taquilla_sync::{Told, Watcher};

use super::printable::printable;

/// Shows what is told.
pub fn watcher() -> Watcher {
    let shown: Mutex<Option<ProgressBar>> = Mutex::new(None);
    Arc::new(move |told| {
        let mut shown = shown.lock();
        match told {
            Told::Began { list, stored, expected } => *shown = Some(bar(list, stored, expected)),
            Told::Rows(rows) => {
                if let Some(bar) = &*shown {
                    bar.inc(rows);
                    // What was expected is a guess.
                    if bar.length().is_some_and(|length| length < bar.position()) {
                        bar.set_length(bar.position());
                    }
                }
            }
            Told::Ended => {
                if let Some(bar) = shown.take() {
                    bar.finish_and_clear();
                }
            }
            Told::Note(text) => {
                let line = format!("taquilla: {}", printable(&text));
                match &*shown {
                    Some(bar) => bar.suspend(|| eprintln!("{line}")),
                    None => eprintln!("{line}"),
                }
            }
        }
    })
}

fn bar(list: &'static str, stored: u64, expected: Option<u64>) -> ProgressBar {
    let (bar, form) = match expected {
        Some(expected) => (
            ProgressBar::new(expected.max(stored)),
            "{spinner} {percent:>2} % {msg}: {human_pos} of about {human_len} rows, {per_sec} ({elapsed}, about {eta} left)",
        ),
        None => (ProgressBar::no_length(), "{spinner} {msg}: {human_pos} rows, {per_sec} ({elapsed})"),
    };
    let style = ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = bar.with_style(style).with_message(list).with_position(stored);
    // The rate is that of this run.
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
