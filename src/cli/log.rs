//! The log: one JSON object a line, on standard error.
//!
//! Lines wait a moment and are then written together, because a system call for each costs more than the line itself. A
//! warning or an error is written at once, and so is all that waited before it. Nothing is lost when the server stops or
//! panics. If it is killed, the lines of its last moment are.

use std::{
    fmt::{self, Write as _},
    io::{self, Write as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use parking_lot::{Condvar, Mutex};
use serde_json::Value;
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    Layer,
    filter::{LevelFilter, Targets},
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

use taquilla_domain::{
    config::{LOG_WAIT, LOG_WAITING_MAX},
    time_source::TimeSource,
};

/// Logs from now on. Panics say where, not what: their message could hold a secret. So could what libraries log of their
/// work (the PostgreSQL driver logs every parameter), so of theirs only warnings are shown, at any level. What HTTP/2's warns
/// of is up to strangers, as often as they like, so of that only errors are.
///
/// Once the returned value is dropped, every line is written at once.
pub fn start(level: LevelFilter) -> io::Result<Stopping> {
    let log = Arc::new(Log::default());
    let writing = Arc::clone(&log);
    std::thread::Builder::new().name("log".into()).spawn(move || writing.write_for_ever())?;
    let filter = Targets::new()
        .with_default(LevelFilter::WARN)
        .with_target("taquilla", level)
        .with_target("h2", LevelFilter::ERROR);
    tracing_subscriber::registry().with(Lines(Arc::clone(&log))).with(filter).init();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panicked");
    }));
    Ok(Stopping(log))
}

/// Writes the lines that still wait, and lets no later one wait.
pub struct Stopping(Arc<Log>);

impl Drop for Stopping {
    fn drop(&mut self) {
        self.0.at_once.store(true, Ordering::Release);
        self.0.write();
    }
}

#[derive(Default)]
struct Log {
    waiting: Mutex<Vec<u8>>,
    first_came: Condvar,
    /// Held while lines are written, so that they keep their order.
    output: Mutex<()>,
    at_once: AtomicBool,
}

impl Log {
    fn add(&self, line: &str, level: Level) {
        let mut waiting = self.waiting.lock();
        waiting.extend_from_slice(line.as_bytes());
        if level <= Level::WARN || waiting.len() > LOG_WAITING_MAX || self.at_once.load(Ordering::Acquire) {
            drop(waiting);
            self.write();
        } else if waiting.len() == line.len() {
            self.first_came.notify_one();
        }
    }

    fn write(&self) {
        let _one_at_a_time = self.output.lock();
        let lines = std::mem::take(&mut *self.waiting.lock());
        // There is nobody to tell that standard error is closed.
        let _closed = io::stderr().write_all(&lines);
    }

    fn write_for_ever(&self) {
        loop {
            self.first_came.wait_while(&mut self.waiting.lock(), |waiting| waiting.is_empty());
            std::thread::sleep(LOG_WAIT);
            self.write();
        }
    }
}

/// Makes a line of each event.
struct Lines(Arc<Log>);

impl<S: Subscriber> Layer<S> for Lines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let mut line = LogLine(String::with_capacity(512));
        line.0.push('{');
        line.add("timestamp", format_args!("\"{}\"", TimeSource::System.now()));
        line.add("level", format_args!("\"{}\"", metadata.level()));
        event.record(&mut line);
        line.add_text("target", metadata.target());
        line.0.push_str("}\n");
        self.0.add(&line.0, *metadata.level());
    }
}

/// A JSON object while its fields are added.
struct LogLine(String);

impl LogLine {
    fn add(&mut self, name: &str, json: impl fmt::Display) {
        let comma = if self.0.len() > 1 { "," } else { "" };
        // Writing to a string cannot fail.
        let _always_ok = write!(self.0, "{comma}\"{name}\":{json}");
    }

    fn add_text(&mut self, name: &str, text: &str) {
        match text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            true => self.add(name, Value::from(text)),
            false => self.add(name, format_args!("\"{text}\"")),
        }
    }
}

impl Visit for LogLine {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add_text(field.name(), &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add_text(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field.name(), value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field.name(), Value::from(value));
    }
}
