//! Everything that is counted beside requests.

use std::{sync::Arc, time::Duration};

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

use super::{
    labels::{Attempted, MoveKind, MoveOutcome, SignIn, SignedIn},
    open_stream::OpenStream,
    requests::Requests,
};

/// Upper bounds of how many requests a move decides together.
const TOGETHER: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
/// Upper bounds in seconds of what takes as long as a move does.
const MOVE_TOOK: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0, 10.0];
/// Upper bounds in seconds of an attempt to deliver a message, which is given up after 25.
const ATTEMPT_TOOK: [f64; 8] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 25.0];

/// Values of labels, each with its name.
type Labels<const N: usize> = [(&'static str, &'static str); N];

/// The counters of one server.
#[derive(Debug)]
pub struct Metrics {
    /// Requests.
    pub requests: Arc<Requests>,
    live_streams: Gauge,
    moves: Family<Labels<2>, Counter>,
    groups: Histogram,
    groups_took: Histogram,
    waited: Family<Labels<1>, Histogram, fn() -> Histogram>,
    sign_ins: Family<Labels<2>, Counter>,
    attempts: Family<Labels<2>, Counter>,
    attempts_took: Histogram,
    backups: Family<Labels<1>, Counter>,
    lists: Family<Labels<1>, Counter>,
}

impl Default for Metrics {
    fn default() -> Self {
        let metrics = Self {
            requests: Arc::default(),
            live_streams: Gauge::default(),
            moves: Family::default(),
            groups: Histogram::new(TOGETHER),
            groups_took: Histogram::new(MOVE_TOOK),
            waited: Family::new_with_constructor(|| Histogram::new(MOVE_TOOK)),
            sign_ins: Family::default(),
            attempts: Family::default(),
            attempts_took: Histogram::new(ATTEMPT_TOOK),
            backups: Family::default(),
            lists: Family::default(),
        };
        metrics.begin_with_zero();
        metrics
    }
}

impl Metrics {
    /// Counters that matter to alerts are there before the first event: Prometheus does not see the step from nothing to one.
    fn begin_with_zero(&self) {
        for kind in MoveKind::ALL {
            for outcome in [MoveOutcome::Done, MoveOutcome::Refused, MoveOutcome::Failed] {
                drop(self.moves.get_or_create(&move_labels(*kind, outcome)));
            }
        }
        for kind in SignIn::ALL {
            for outcome in SignedIn::ALL {
                drop(self.sign_ins.get_or_create(&sign_in_labels(*kind, *outcome)));
            }
        }
        for made in [true, false] {
            drop(self.backups.get_or_create(&backup_labels(made)));
        }
        for by_replica in [true, false] {
            drop(self.lists.get_or_create(&list_labels(by_replica)));
        }
    }

    /// Counts something that the box office decided.
    pub fn count_move(&self, kind: MoveKind, outcome: MoveOutcome) {
        self.moves.get_or_create(&move_labels(kind, outcome)).inc();
    }

    /// Counts a group: how many requests a move decided together, and how long that took.
    pub fn count_group(&self, requests: usize, took: Duration) {
        self.groups.observe(requests as f64);
        self.groups_took.observe(took.as_secs_f64());
    }

    /// Notes how long a request of some kind waited until a group took it.
    pub fn note_wait(&self, kind: &'static str, waited: Duration) {
        self.waited.get_or_create(&[("kind", kind)]).observe(waited.as_secs_f64());
    }

    /// Counts a password, a code or a PIN that was shown.
    pub fn count_sign_in(&self, kind: SignIn, outcome: SignedIn) {
        self.sign_ins.get_or_create(&sign_in_labels(kind, outcome)).inc();
    }

    /// Counts an attempt to deliver a message, by the kind of its answer.
    pub fn count_attempt(&self, outcome: Attempted, status: Option<u16>, took: Duration) {
        let status = match status {
            None => "none",
            Some(200..300) => "2xx",
            Some(300..400) => "3xx",
            Some(400..500) => "4xx",
            Some(500..600) => "5xx",
            Some(_) => "other",
        };
        self.attempts.get_or_create(&[("outcome", outcome.as_str()), ("status", status)]).inc();
        self.attempts_took.observe(took.as_secs_f64());
    }

    /// Counts a live page, until what this gives is dropped.
    pub fn open_stream(&self) -> OpenStream {
        OpenStream::begin(&self.live_streams)
    }

    /// Counts a backup that this server made, or could not make.
    pub fn count_backup(&self, made: bool) {
        self.backups.get_or_create(&backup_labels(made)).inc();
    }

    /// Counts a page of a list of the read API, which a replica has answered or the database itself.
    pub fn count_list(&self, by_replica: bool) {
        self.lists.get_or_create(&list_labels(by_replica)).inc();
    }

    /// Adds everything to what is told.
    pub fn register(&self, registry: &mut Registry) {
        registry.register_collector(Box::new(Arc::clone(&self.requests)));
        registry.register("live_streams", "Live pages of the dashboard that are open", self.live_streams.clone());
        let help = "What the box office of this server decided, by what was asked for and what became of it";
        registry.register("moves", help, self.moves.clone());
        registry.register("group_size", "How many requests a move decided together", self.groups.clone());
        let help = "Time that a move took to decide a group, from its beginning to its commit";
        registry.register("group_duration_seconds", help, self.groups_took.clone());
        let help = "How long requests to the box office waited until a group took them";
        registry.register("queue_wait_seconds", help, self.waited.clone());
        let help = "Passwords, codes of second factors and PINs of door links that were shown";
        registry.register("sign_ins", help, self.sign_ins.clone());
        let help = "Attempts to deliver a message, by what became of them and the kind of the answer's status";
        registry.register("webhook_attempts", help, self.attempts.clone());
        let help = "Time that attempts to deliver a message took";
        registry.register("webhook_attempt_duration_seconds", help, self.attempts_took.clone());
        let help = "Backups that this server made by itself, or could not make";
        registry.register("backups", help, self.backups.clone());
        let help = "Pages of lists of the read API, by who has answered them";
        registry.register("lists", help, self.lists.clone());
    }
}

fn move_labels(kind: MoveKind, outcome: MoveOutcome) -> Labels<2> {
    [("kind", kind.as_str()), ("outcome", outcome.as_str())]
}

fn sign_in_labels(kind: SignIn, outcome: SignedIn) -> Labels<2> {
    [("kind", kind.as_str()), ("outcome", outcome.as_str())]
}

fn backup_labels(made: bool) -> Labels<1> {
    [("outcome", if made { "made" } else { "failed" })]
}

fn list_labels(by_replica: bool) -> Labels<1> {
    [("by", if by_replica { "replica" } else { "database" })]
}
