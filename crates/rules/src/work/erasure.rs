//! Erasing what is held of a person.

use std::time::Duration;

use futures_util::FutureExt;
use serde_json::json;

use taquilla_domain::{
    audit::Action,
    config::{UPLOAD_LASTS, WORK_LEASE, WORK_POLL},
    refusal::Refusal,
    time_source::TimeSource,
    whom::{DigestKey, Whom, erased},
    work::{WorkKind, WorkState},
};
use taquilla_store as store;
use taquilla_store::{
    ChangeError, ChangeResult, Store,
    people::names_somebody,
    settings,
    staff::audit,
    transaction,
    work::{
        pieces::{self, Piece},
        uploads,
    },
};

use super::{
    alive::{PieceProgress, stay_alive},
    erasure_steps::{Erased, Eraser},
};
use crate::import::{Lines, Uploaded};

/// Erases a person, and says so at the end.
pub(super) async fn erase(store: &Store, time: &TimeSource, mut piece: Piece) -> ChangeResult<()> {
    let key = DigestKey::new(settings::cursor_key(store).await?);
    let whom = Whom::parse(&piece.subject, &key);
    let whom = whom.ok_or_else(|| store::Error::internal("an erasure of nobody"))?;
    let how_far = PieceProgress::of(&piece);
    let eraser = Eraser { store, time, tenant: piece.tenant, how_far: &how_far, erased: Erased::before(&piece) };
    let erased = tokio::select! {
        erased = erase_everywhere(eraser, &piece, &whom).boxed() => erased?,
        lost = stay_alive(store, time, piece.clone(), &how_far) => return lost,
    };
    piece.done = how_far.done();
    end(store, &piece, &whom.print_erased(&key), &erased, time).await?;
    store.leave_no_log().await;
    Ok(())
}

async fn erase_everywhere(mut eraser: Eraser<'_>, piece: &Piece, whom: &Whom) -> ChangeResult<Erased> {
    let until = eraser.first_look().boxed().await?;
    eraser.rows(whom, until).boxed().await?;
    eraser.copies(whom).boxed().await?;
    eraser.erased.files += give_up_files(eraser.store, eraser.time, piece, whom).await?;
    eraser.erased.until = None;
    Ok(eraser.erased)
}

/// Writes down that it is done, and forgets who it was.
async fn end(store: &Store, piece: &Piece, subject: &str, counts: &Erased, time: &TimeSource) -> ChangeResult<()> {
    let (by, outcome) = (piece.by(time.now()), json!(counts).to_string());
    let (orders, tickets) = (counts.orders.to_string(), counts.tickets.to_string());
    let digest = erased(subject).map_or("", |(_, digest)| digest);
    let details = [("digest", digest), ("orders", &orders), ("tickets", &tickets)];
    transaction!(store.begin_unstamped(), |tx| {
        if pieces::end_erasure(tx, piece, subject, &outcome, by.now).await? {
            audit::add(tx, Some(piece.tenant), &by, Action::PersonErased, &piece.id, &details).await?;
        }
        Ok::<_, ChangeError>(())
    })
}

/// Gives up files that wait to be imported and name the person. Whoever sent one has it still.
async fn give_up_files(store: &Store, time: &TimeSource, piece: &Piece, whom: &Whom) -> ChangeResult<i64> {
    let (tenant, now) = (piece.tenant, time.now());
    let mut conn = store.read().await?;
    let mut files = pieces::undecided(&mut conn, tenant).await?;
    // Nothing more comes of these, and what has come may end in the middle of a person.
    files.extend(pieces::broken_off(&mut conn, tenant, now.minus(UPLOAD_LASTS)).await?);
    drop(conn);
    let mut given_up = 0;
    for file in files {
        if file.state != WorkState::Uploading && !names(&mut Uploaded::new(store, tenant, &file.id), whom).await? {
            continue;
        }
        let outcome = json!({"erasure": piece.id}).to_string();
        given_up += transaction!(store.begin_unstamped(), |tx| {
            let from = [WorkState::Uploading, WorkState::Checking, WorkState::Checked];
            let is_over = pieces::turn(tx, tenant, &file.id, &from, WorkState::GivenUp, Some(now)).await?;
            if is_over {
                uploads::forget(tx, tenant, &file.id).await?;
                pieces::say(tx, tenant, &file.id, &outcome).await?;
            }
            Ok::<_, ChangeError>(i64::from(is_over))
        })?;
    }
    Ok(given_up)
}

async fn names(file: &mut Uploaded<'_>, whom: &Whom) -> ChangeResult<bool> {
    let mut line = Vec::new();
    while file.next(&mut line).await.map_err(store::Error::internal)? > 0 {
        if names_somebody(&String::from_utf8_lossy(&line), whom) {
            return Ok(true);
        }
        line.clear();
    }
    Ok(false)
}

/// Carries out an erasure here and now, or waits for the server that does. Returns it as it is at the end.
pub async fn erase_now(store: &Store, time: &TimeSource, piece: &Piece) -> ChangeResult<Piece> {
    if piece.leased_until > time.now() {
        erase(store, time, piece.clone()).boxed().await?;
    }
    loop {
        let now = time.now();
        let taken = transaction!(store.begin_unstamped(), |tx| {
            pieces::take_up(tx, piece, now, now.plus(WORK_LEASE)).await
        })?;
        if let Some(taken) = taken {
            erase(store, time, taken).boxed().await?;
        }
        let found = pieces::find(&mut store.read().await?, piece.tenant, WorkKind::Erasure, &piece.id).await?;
        let found = found.ok_or(Refusal::NotFound("piece of work"))?;
        if found.finished_at.is_some() {
            return Ok(found);
        }
        tokio::time::sleep(WAIT).await;
    }
}

/// How often a command looks whether a server has done the work.
const WAIT: Duration = WORK_POLL;
