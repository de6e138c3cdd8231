//! How the database is. It is asked at most once in a while, however many ask for metrics.

use std::time::Duration;

use tokio::{sync::Mutex, time::timeout};

use taquilla_domain::{
    config::{METRICS_DATABASE_TIME, METRICS_KEPT, METRICS_PRODUCERS},
    time_source::TimeSource,
};
use taquilla_rules::rounds::remembered::Remembered;
use taquilla_store as store;
use taquilla_store::{
    Store,
    backlogs::{self, Backlogs},
    pulse,
    vitals::Vitals,
};

/// How the database is.
#[derive(Clone, Debug)]
pub struct Health {
    /// Whether it can be written to.
    pub is_writable: bool,
    /// How many seconds this server's clock is ahead of its clock.
    pub clock_ahead_s: f64,
    /// What all producers told together.
    pub vitals: Vitals,
    /// What waits in it.
    pub backlogs: Backlogs,
}

/// The last answer, and when it came.
#[derive(Default)]
pub struct LastHealth(Mutex<Last>);

#[derive(Default)]
struct Last {
    answer: Option<(Duration, Option<Health>)>,
    /// What each producer told. Some are asked each time.
    vitals: Remembered<Vitals>,
}

impl LastHealth {
    /// How the database is, or was a moment ago. `None` if it does not answer. Whoever comes while it is asked waits, and
    /// does not ask too.
    pub async fn get(&self, store: &Store, time: &TimeSource) -> Option<Health> {
        let mut last = self.0.lock().await;
        if let Some((at, health)) = &last.answer
            && time.passed().saturating_sub(*at) < METRICS_KEPT
        {
            return health.clone();
        }
        let health = match timeout(METRICS_DATABASE_TIME, ask(&mut last.vitals, store, time)).await {
            Ok(Ok(health)) => Some(health),
            Ok(Err(cause)) => {
                tracing::debug!(%cause, "the database does not tell how it is");
                None
            }
            Err(_) => None,
        };
        last.answer = Some((time.passed(), health.clone()));
        health
    }
}

async fn ask(vitals: &mut Remembered<Vitals>, store: &Store, time: &TimeSource) -> store::Result<Health> {
    let backlogs = backlogs::read(&mut store.read().await?).await?;
    let pulse = pulse::feel(store, time).await?;
    vitals.ask_some(store, METRICS_PRODUCERS, time.now()).await?;
    let vitals = vitals.all().fold(Vitals::none(), Vitals::and);
    let is_writable = pulse.is_known && store.check_writable().await.is_ok();
    Ok(Health { is_writable, clock_ahead_s: pulse.clock_ahead as f64 / 1e6, vitals, backlogs })
}
