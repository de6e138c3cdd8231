//! The loop that takes connections.

use std::{
    convert::Infallible,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::sync::watch;

use taquilla_domain::{
    config::{Config, Https, LAST_USED_AT_STOP},
    time_source::TimeSource,
};
use taquilla_http::{
    app::{App, Shared},
    connections::Connections,
    cursor::Sealer,
    export_places::ExportPlaces,
    known::Known,
    last_used::LastUsed,
    lost_marks::LostMarks,
    rate::Limits,
};
use taquilla_metrics::Metrics;
use taquilla_outside::Lookup;
use taquilla_rules::{
    admin::staff::passwords::Passwords,
    backup,
    boxoffice::Queue,
    housekeeping, indexing,
    on_sale::Everywhere,
    paying::{self, Cashier},
    task::{Rounds, Task},
    waiting_lines::WaitingLines,
    watching,
    webhooks::Webhooks,
    work,
};
use taquilla_store as store;
use taquilla_store::{Store, WriteCounts, tickets::type_names::TypeNames};

use super::{compression::compressed, connection::Serving, listeners::Listeners, taking::Taking};
use crate::{
    monitor::{self, Monitor},
    routes::{plain_router, router},
};

/// How often the counts of idle callers are forgotten. They are small, and each is soon of no use.
const FORGET_EVERY: Duration = Duration::from_mins(1);

/// Serves `listeners` until `shutdown` completes, then finishes the requests and webhooks under way. If it gives a future,
/// connections are taken until that completes, too, while the server says that it is not ready. Metrics are told on a
/// listener of their own, if there is one. The names in strangers' URLs are looked up by `lookup`.
pub async fn run(
    listeners: Listeners,
    store: Store,
    config: Config,
    time: TimeSource,
    lookup: Lookup,
    shutdown: impl Future<Output = Option<impl Future<Output = ()>>>,
) -> Result<(), store::Error> {
    let sealer = Sealer::new(&store::settings::cursor_key(&store).await?);
    let lost_marks = LostMarks::read(&store).await?;
    let (last_used, writing_last_used) = LastUsed::start(store.clone());
    let limits = Limits::new(&config, &time);
    let writes = store.clone();
    let Listeners { main, stays, certificates, http, metrics: metrics_listener } = listeners;
    let metrics = Arc::<Metrics>::default();
    let queue = Queue::new(store.clone(), time.clone(), config.timeouts.request, Arc::clone(&metrics));
    let webhooks = Webhooks::start(store.clone(), &config, time.clone(), Arc::clone(&metrics), lookup)?;
    let cashier = Cashier::new(store.clone(), queue.clone(), time.clone(), &config);
    let reconciling = paying::start(cashier.clone());
    let housekeeping = housekeeping::start(store.clone(), &config, time.clone());
    let work = work::start(store.clone(), queue.clone(), time.clone());
    let watching = watching::start(store.clone(), time.clone());
    let indexing = indexing::start(store.clone(), time.clone());
    let backups = config.backups.clone();
    let backups = backups.map(|backups| backup::start(store.clone(), backups, time.clone(), Arc::clone(&metrics)));
    let connections = Connections::new(&config);
    let counted = metrics_listener.as_ref().map(|_| Arc::clone(&metrics.requests));
    let telling = metrics_listener.map(|listener| {
        let connections = Arc::clone(&connections);
        let (backups, certificates, time) = (config.backups.clone(), certificates.clone(), time.clone());
        let (metrics, store, queue) = (Arc::clone(&metrics), store.clone(), queue.clone());
        let monitor = Monitor::new(metrics, store, queue, connections, backups, certificates, time);
        monitor::start(listener, monitor)
    });
    let lines = WaitingLines::new(store.clone(), queue.clone(), time.clone());
    let app = App::new(Shared {
        config: config.clone(),
        store,
        queue,
        cashier,
        sealer,
        lost_marks,
        time,
        limits,
        known_keys: Known::default(),
        known_door_links: Known::default(),
        known_processors: Known::default(),
        type_names: TypeNames::default(),
        on_sale: Everywhere::default(),
        lines,
        passwords: Passwords::default(),
        exports: ExportPlaces::default(),
        last_used,
        metrics,
        leaving: Arc::default(),
        stopping: watch::Sender::new(false),
    });
    let (leaving, stopping) = (Arc::clone(&app.leaving), app.stopping.clone());
    let forgetting = Task::every(FORGET_EVERY, Forgetting(app.clone()));
    let port = main.local_addr().map_or(443, |address| address.port());
    let counted = counted.as_deref();
    let serving = Arc::new(Serving {
        app: compressed(router(app, config.clone(), counted)),
        plain: plain_router(&config, config.https.unwrap_or(Https::Trusted), port, counted),
        certificates,
        leaving: Arc::clone(&leaving),
        config: config.clone(),
    });

    let stop = watch::Sender::new(false);
    let taking = Taking { main, http, stays, connections, serving, stop };
    let drain = taking.until(shutdown).await;
    leaving.store(true, Ordering::Relaxed);
    if let Some(drain) = drain {
        tracing::info!("stopping: not ready any more, and connections are still taken for a while");
        taking.until(drain).await;
        taking.turn_newcomers_away().await;
    }
    let (stop, serving) = taking.close().await;
    tracing::info!("stopping: finishing what is in flight");
    stopping.send_replace(true);
    stop.send_replace(true);
    // Each connection has a receiver, so this waits for the last of them.
    let finishing = async { tokio::join!(stop.closed(), webhooks.stop()) };
    if tokio::time::timeout(config.timeouts.stop, finishing).await.is_err() {
        tracing::warn!("some requests or webhooks were still running and were cut off");
    }
    drop((housekeeping, indexing, watching, work, reconciling, backups, telling, forgetting));
    drop(serving);
    // The notes of last uses are complete once all requests have dropped the shared state. A request that was cut off
    // may hold it for ever, hence the timeout.
    let noted = tokio::time::timeout(LAST_USED_AT_STOP, writing_last_used).await;
    if noted.is_err() {
        tracing::warn!("the last use of some keys was not noted");
    }
    writes.leave_no_log().await;
    if let Some(WriteCounts { commits, transactions, statements }) = writes.write_counts() {
        tracing::info!(commits, transactions, statements, "stopped");
    }
    Ok(())
}

/// Forgets the counts of callers who have not come for a while.
struct Forgetting(App);

impl Rounds for Forgetting {
    type Error = Infallible;

    const TROUBLE: &'static str = "the counts of idle callers cannot be forgotten";

    async fn round(&mut self) -> Result<(), Infallible> {
        self.0.limits.forget_idle();
        Ok(())
    }
}
