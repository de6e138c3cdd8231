//! Erasing the people of events that ended longer ago than their producer wants to keep them.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use serde_json::json;

use taquilla_domain::{config::days, time_source::TimeSource, whom::Whom};
use taquilla_store::{
    ChangeError, ChangeResult, Store,
    people::{due, find::Look},
    transaction,
    work::pieces::{self, Piece},
};

use super::{
    alive::{PieceProgress, stay_alive},
    erasure_steps::{Erased, Eraser},
};

/// Goes through the events that are due, one after the other, and then through the copies.
pub(super) async fn erase_old(store: &Store, time: &TimeSource, mut piece: Piece) -> ChangeResult<()> {
    let how_far = PieceProgress::of(&piece);
    let eraser = Eraser { store, time, tenant: piece.tenant, how_far: &how_far, erased: Erased::before(&piece) };
    let erased = tokio::select! {
        erased = erase_events(eraser).boxed() => erased?,
        lost = stay_alive(store, time, piece.clone(), &how_far) => return lost,
    };
    piece.done = how_far.done();
    let (outcome, now) = (json!(erased).to_string(), time.now());
    transaction!(store.begin_unstamped(), |tx| pieces::end_erasure(tx, &piece, "", &outcome, now).await)?;
    Ok(())
}

async fn erase_events(mut eraser: Eraser<'_>) -> ChangeResult<Erased> {
    let (store, tenant) = (eraser.store, eraser.tenant);
    let (mut erased, mut last) = (Vec::new(), String::new());
    loop {
        let mut conn = store.read().await?;
        // Staff may have changed their minds meanwhile.
        let Some(kept) = due::retention_days(&mut conn, tenant).await? else { break };
        let before = eraser.time.now().minus(days(kept.unsigned_abs()));
        let Some(event_id) = due::next_event(&mut conn, tenant, before, &last).await? else { break };
        drop(conn);
        let whom = Whom::Events(BTreeSet::from([event_id.clone()]));
        loop {
            let clock = Look::begin(store, tenant).await?.clock().await?;
            if eraser.rows(&whom, clock).boxed().await? == 0 {
                erased.push((event_id.clone(), clock));
                break;
            }
        }
        last = event_id;
    }
    if !erased.is_empty() {
        let events = erased.iter().map(|(event_id, _)| event_id.clone()).collect();
        eraser.copies(&Whom::Events(events)).boxed().await?;
        // It is noted at the very end, so that work which is interrupted is done again.
        transaction!(store.begin_unstamped(), |tx| {
            for (event_id, clock) in &erased {
                due::note_erased(tx, tenant, event_id, *clock).await?;
            }
            Ok::<_, ChangeError>(())
        })?;
    }
    Ok(eraser.erased)
}
