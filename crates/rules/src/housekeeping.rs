//! Deletes what is old: messages and their deliveries, scans, answers to orders, sums of ended holds, sessions and links
//! of staff, files that nobody imported, what imports staged that never ended, a few rows at a time. Rejects orders that nobody has paid, and begins to erase the
//! people of old events.
//!
//! Orders, tickets, payments and the audit are never deleted. Rows go 100 at a time. Orders that nobody has paid are
//! rejected by moves of 20 (`boxoffice/unpaid.rs`), and the attendees that they named are deleted.

use taquilla_domain::{
    audit::{BY_ITSELF, By},
    clock::Stamp,
    config::{
        Config, IMPORT_LASTS, PRUNE_EVERY, PRUNE_FIRST, PRUNE_PAUSE, PRUNE_POLL, PRUNED_TOGETHER, QUESTION_MAX,
        UPLOAD_KEPT, days,
    },
    id,
    time_source::TimeSource,
    work::{WorkKind, WorkState},
};
use taquilla_store::{
    ChangeError, Error, Result, Store, Tenant,
    door::{links, scans},
    import::remove::{left_behind, remove},
    lists::Position,
    people::due,
    producers,
    sales::{holds, idempotency},
    staff::{links as staff_links, sessions},
    transaction,
    webhooks::prune::prune as prune_webhooks,
    work::{
        pieces::{self, Piece},
        uploads,
    },
};

use crate::{
    boxoffice,
    rounds::in_time::in_time,
    task::{Due, Rounds, Task},
    waiting_lines,
};

/// Starts a server's housekeeping, which works once an hour.
pub fn start(store: Store, config: &Config, time: TimeSource) -> Task {
    let due = Due::first_after(time.clone(), PRUNE_FIRST, PRUNE_EVERY);
    Task::every(PRUNE_POLL, Housekeeping { store, config: config.clone(), time, due })
}

struct Housekeeping {
    store: Store,
    config: Config,
    time: TimeSource,
    due: Due,
}

impl Rounds for Housekeeping {
    type Error = Error;

    const TROUBLE: &'static str = "some of what is old cannot be forgotten; the next attempt is in an hour";

    async fn round(&mut self) -> Result<()> {
        if !self.due.has_come() {
            return Ok(());
        }
        prune(&self.store, &self.config, &self.time).await
    }
}

/// Deletes what is old, of every producer. A failure for one producer does not stop the others.
async fn prune(store: &Store, config: &Config, time: &TimeSource) -> Result<()> {
    let tenants = producers::all(&mut store.read().await?).await?;
    let mut outcome = forget_sessions(store, time.now()).await;
    for (tenant, _) in tenants {
        outcome = outcome.and(prune_producer(store, tenant, config, time).await);
        // However many producers there are, not all are looked after at once.
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
    outcome
}

/// Sessions that ended by themselves, and links that nobody used in time.
async fn forget_sessions(store: &Store, now: Stamp) -> Result<()> {
    while sessions::has_old(&mut store.read().await?, now).await? {
        transaction!(store.begin_unstamped(), |tx| sessions::prune(tx, now, PRUNED_TOGETHER).await)?;
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
    while staff_links::has_old(&mut store.read().await?, now).await? {
        transaction!(store.begin_unstamped(), |tx| staff_links::prune(tx, now, PRUNED_TOGETHER).await)?;
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
    Ok(())
}

/// Each kind of row by itself: what cannot be forgotten of one does not keep the others. A producer that cannot be asked at
/// all is left to the next time, because each of these would wait for it.
async fn prune_producer(store: &Store, tenant: Tenant, config: &Config, time: &TimeSource) -> Result<()> {
    let now = time.now();
    in_time(store, QUESTION_MAX, async { holds::has_old(&mut store.read().await?, tenant).await }).await?;
    let webhooks = prune_webhooks(store, tenant, now).await;
    let answers = forget_answers(store, tenant, now.minus(config.kept.order_answers)).await;
    let scans = forget_scans(store, tenant, now.minus(config.kept.scans)).await;
    let holds = forget_holds(store, tenant).await;
    let unpaid = match config.holds.rejected_after {
        Some(after) => reject_unpaid(store, tenant, now.minus(after), time).await,
        None => Ok(()),
    };
    let lines = waiting_lines::end_over(store, tenant).await;
    let files = give_up_files(store, tenant, now).await;
    let staged = forget_staged(store, tenant, now).await;
    let people = begin_retention(store, tenant, now).await;
    webhooks.and(answers).and(scans).and(holds).and(unpaid).and(lines).and(files).and(staged).and(people)
}

/// Begins to erase the people of events that ended longer ago than the producer keeps them. It is long work, which goes on
/// beside this (`crates/rules/src/work/retention.rs`).
async fn begin_retention(store: &Store, tenant: Tenant, now: Stamp) -> Result<()> {
    let mut conn = store.read().await?;
    let Some(kept) = due::retention_days(&mut conn, tenant).await? else { return Ok(()) };
    if due::next_event(&mut conn, tenant, now.minus(days(kept.unsigned_abs())), "").await?.is_none() {
        return Ok(());
    }
    drop(conn);
    let by = By::unasked(BY_ITSELF.to_owned(), String::new(), now);
    let piece = Piece::new(tenant, id::new_id("wk", now), WorkKind::Retention, "", WorkState::Running, &by);
    // If another server was faster, there is such a piece already.
    transaction!(store.begin_unstamped(), |tx| pieces::insert(tx, &piece).await)?;
    Ok(())
}

/// Files that arrived in part only, or that nobody imported.
async fn give_up_files(store: &Store, tenant: Tenant, now: Stamp) -> Result<()> {
    loop {
        let before = now.minus(UPLOAD_KEPT);
        let old = pieces::forgotten(&mut store.read().await?, tenant, before, 1).await?;
        let Some(piece) = old.into_iter().next() else { return Ok(()) };
        transaction!(store.begin_unstamped(), |tx| {
            uploads::forget(tx, tenant, &piece.id).await?;
            pieces::turn(tx, tenant, &piece.id, &[piece.state], WorkState::GivenUp, Some(now)).await
        })?;
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
}

/// What imports staged whose server or command ended before they did.
async fn forget_staged(store: &Store, tenant: Tenant, now: Stamp) -> Result<()> {
    loop {
        let left = left_behind(&mut store.read().await?, tenant, now.minus(IMPORT_LASTS)).await?;
        let Some(import) = left else { return Ok(()) };
        remove(store, &import).await?;
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
}

async fn forget_answers(store: &Store, tenant: Tenant, before: Stamp) -> Result<()> {
    while !idempotency::old(&mut store.read().await?, tenant, before, 1).await?.is_empty() {
        transaction!(store.begin_unstamped(), |tx| idempotency::forget(tx, tenant, before, PRUNED_TOGETHER).await)?;
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
    Ok(())
}

async fn forget_holds(store: &Store, tenant: Tenant) -> Result<()> {
    while holds::has_old(&mut store.read().await?, tenant).await? {
        transaction!(store.begin_unstamped(), |tx| holds::forget(tx, tenant, PRUNED_TOGETHER).await)?;
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
    Ok(())
}

async fn reject_unpaid(store: &Store, tenant: Tenant, before: Stamp, time: &TimeSource) -> Result<()> {
    let mut after = Position::BEGINNING;
    loop {
        // Each move has its own time, because mirrors see it as the time of the change.
        match boxoffice::reject_unpaid(store, tenant, before, after, time.now()).await {
            Ok(Some(last)) => after = last,
            Ok(None) => return Ok(()),
            Err(ChangeError::Store(cause)) => return Err(cause),
            Err(ChangeError::Refused(refusal)) => return Err(Error::internal(refusal.to_string())),
        }
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
}

async fn forget_scans(store: &Store, tenant: Tenant, before: Stamp) -> Result<()> {
    let known = links::list(&mut store.read().await?, tenant).await?;
    for link_id in known.iter().map(|link| Some(link.id.as_str())).chain([None]) {
        while !scans::old(&mut store.read().await?, tenant, link_id, before, 1).await?.is_empty() {
            transaction!(store.begin_unstamped(), |tx| {
                scans::forget(tx, tenant, link_id, before, PRUNED_TOGETHER).await
            })?;
            tokio::time::sleep(PRUNE_PAUSE).await;
        }
    }
    Ok(())
}
