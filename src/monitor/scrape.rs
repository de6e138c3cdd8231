//! Gathering everything that is told.

use std::{fmt, sync::Arc, time::SystemTime};

use prometheus_client::{encoding::text::encode, registry::Registry};

use taquilla_domain::{clock::Stamp, config::Backups, time_source::TimeSource};
use taquilla_http::connections::Connections;
use taquilla_metrics::Metrics;
use taquilla_rules::boxoffice::Queue;
use taquilla_store::{ReplicaState, Store, Usage, vitals::Vitals};

use super::{
    backlogs,
    gathered::Gathered,
    health::{Health, LastHealth},
    process,
};
use crate::tls::Certificates;

/// What a server is watched by.
pub struct Monitor {
    metrics: Arc<Metrics>,
    store: Store,
    queue: Queue,
    connections: Arc<Connections>,
    backups: Option<Backups>,
    certificates: Option<Arc<Certificates>>,
    time: TimeSource,
    health: LastHealth,
    started: SystemTime,
}

impl Monitor {
    /// Watches a server that begins now.
    pub fn new(
        metrics: Arc<Metrics>,
        store: Store,
        queue: Queue,
        connections: Arc<Connections>,
        backups: Option<Backups>,
        certificates: Option<Arc<Certificates>>,
        time: TimeSource,
    ) -> Self {
        let (health, started) = (LastHealth::default(), SystemTime::now());
        Self { metrics, store, queue, connections, backups, certificates, time, health, started }
    }

    /// All metrics, as OpenMetrics. It needs no database: without one, what only the database knows is left out.
    pub async fn open_metrics(&self) -> Result<String, fmt::Error> {
        let health = self.health.get(&self.store, &self.time).await;
        let mut registry = Registry::default();
        process::gather(&mut Gathered(&mut registry), self.started);
        let own = registry.sub_registry_with_prefix("taquilla");
        self.metrics.register(own);
        let usage = self.store.usage();
        usage.waits.register(own);
        let mut gathered = Gathered(own);
        about(&mut gathered, usage.engine);
        self.connections(&mut gathered);
        self.queue(&mut gathered);
        engine(&mut gathered, &usage);
        self.replicas(&mut gathered);
        self.database(&mut gathered, health.as_ref());
        let file = usage.file.as_ref().and_then(|file| file.path.parent());
        let folder = self.backups.as_ref().map(|backups| backups.folder.as_path());
        backlogs::disks(&mut gathered, &[("data", file), ("backups", folder)]);
        if let Some(certificates) = &self.certificates {
            backlogs::certificate(&mut gathered, certificates);
        }
        let mut text = String::new();
        encode(&mut text, &registry)?;
        Ok(text)
    }

    fn connections(&self, gathered: &mut Gathered<'_>) {
        let used = self.connections.used();
        let by_turn = [("client", used.clients as f64), ("server", used.servers as f64)];
        let help = "Open connections, by whose turn it is: the server's while it has a whole request to answer";
        gathered.gauges("connections", help, "turn", &by_turn);
        gathered.gauge("connections_max", "How many connections there may be", used.max as f64);
        gathered.counter("connections_accepted", "Connections that got a place", used.accepted);
        let help = "Connections that were closed at once, because their address has as many as it may";
        gathered.counter("connections_refused", help, used.refused);
        gathered.counter("connections_displaced", "Connections that were closed for others", used.displaced);
    }

    fn queue(&self, gathered: &mut Gathered<'_>) {
        let waiting = self.queue.waiting();
        let by_kind: Vec<(&str, f64)> =
            waiting.iter().map(|(kind, waiting)| (kind.as_str(), *waiting as f64)).collect();
        gathered.gauges("queue_waiting", "Requests that wait for the box office, scans one by one", "kind", &by_kind);
    }

    fn replicas(&self, gathered: &mut Gathered<'_>) {
        let states = self.store.replica_states();
        let count = |state: ReplicaState| states.iter().filter(|found| **found == state).count() as f64;
        let by_state: Vec<(&str, f64)> =
            ReplicaState::ALL.iter().map(|state| (state.as_str(), count(*state))).collect();
        gathered.gauges("replicas", "Replicas, by how each was when it was last asked", "state", &by_state);
    }

    fn database(&self, gathered: &mut Gathered<'_>, health: Option<&Health>) {
        let is_up = f64::from(u8::from(health.is_some()));
        gathered.gauge("database_up", "Whether the database answers this server", is_up);
        let is_writable = health.is_some_and(|health| health.is_writable);
        let help = "Whether the database can be written to by this server: not if its disk is full, if it is a standby, or if its schema is newer than the server";
        gathered.gauge("database_writable", help, f64::from(u8::from(is_writable)));
        if let Some(backups) = &self.backups {
            let help = "How often servers make a backup by themselves";
            gathered.gauge("backup_interval_seconds", help, backups.every.as_secs_f64());
        }
        let Some(Health { vitals, backlogs: waiting, clock_ahead_s, .. }) = health else { return };
        backlogs::database(gathered, waiting, self.time.now());
        backlogs::producers(gathered, vitals);
        let help = "How far this server's clock is ahead of the database's, behind it if negative";
        gathered.gauge("clock_ahead_seconds", help, *clock_ahead_s);
        let help = "Units that unpaid orders hold, of all items of all producers";
        gathered.known("held_units", help, vitals.held_units.map(|units| units as f64));
        let help = "The moment of the last backup that a server made by itself, in seconds since 1970";
        gathered.known("backup_last_timestamp_seconds", help, waiting.last_backup.map(seconds));
        endpoints(gathered, vitals, self.time.now());
    }
}

fn about(gathered: &mut Gathered<'_>, engine: &'static str) {
    let facts = vec![("version", env!("CARGO_PKG_VERSION")), ("build", env!("TAQUILLA_BUILD"))];
    gathered.info("build", "What this server was built from", facts);
    gathered.info("database", "What runs the database", vec![("engine", engine)]);
}

fn endpoints(gathered: &mut Gathered<'_>, found: &Vitals, now: Stamp) {
    let by_state: Vec<(&str, f64)> = found.endpoints.iter().map(|(state, count)| (*state, *count as f64)).collect();
    gathered.gauges("webhook_endpoints", "Endpoints of webhooks", "state", &by_state);
    let help = "Endpoints that are sent to and whose last attempt failed";
    gathered.gauge("webhook_endpoints_failing", help, found.failing as f64);
    let age = |since: Option<Stamp>| since.map_or(0.0, |since| (seconds(now) - seconds(since)).max(0.0));
    let help = "How long the endpoint fails that fails longest, of those that are sent to";
    gathered.gauge("webhook_failing_seconds", help, age(found.failing_since));
    let help = "How late the message is that should have been sent first, of all that should have been by now";
    gathered.gauge("webhook_lag_seconds", help, age(found.overdue_since));
}

/// What an engine has of its own.
fn engine(gathered: &mut Gathered<'_>, usage: &Usage<'_>) {
    if let Some(file) = &usage.file {
        gathered.counter("sqlite_commits", "Commits of SQLite, each with one wait for the disk", file.writes.commits);
        let help = "Transactions that these commits made durable";
        gathered.counter("sqlite_transactions", help, file.writes.transactions);
        gathered.counter("sqlite_statements", "Statements of these transactions", file.writes.statements);
        gathered.known("sqlite_wal_bytes", "Size of SQLite's write-ahead log", file.log_bytes.map(|size| size as f64));
        gathered.known("sqlite_file_bytes", "Size of the SQLite file", file.bytes.map(|size| size as f64));
    }
    if let Some(pool) = &usage.pool {
        let by_state = [("idle", pool.idle as f64), ("used", pool.used as f64)];
        gathered.gauges("pool_connections", "Connections to PostgreSQL that are open", "state", &by_state);
        gathered.gauge("pool_connections_max", "How many connections there may be", pool.max as f64);
        gathered.gauge("pool_waiting", "Requests that wait for a connection", pool.waiting as f64);
        gathered.gauge("pool_writers", "Connections that have a permit to write", pool.writers as f64);
        gathered.gauge("pool_writers_max", "How many may write at the same time", pool.writers_max as f64);
    }
}

fn seconds(stamp: Stamp) -> f64 {
    stamp.micros() as f64 / 1e6
}
