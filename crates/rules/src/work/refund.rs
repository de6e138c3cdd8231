//! Refunding all orders of an event.
//!
//! Approved orders are gone through newest first, a few at a time. Each gets a row before anything is done about it, so a
//! crash loses none: whoever goes on begins with the rows that are not decided, and an order that was refunded in the
//! moment of the crash is found to be so. Passes are repeated until one refunds nothing, because an order may be approved
//! while the work runs.

use std::collections::HashSet;

use futures_util::future::join_all;

use taquilla_domain::{
    clock::Stamp,
    config::{STAFF_TOGETHER, WORK_FAILED_MAX, WORK_LEASE},
    order::Order,
    refusal::Refusal,
    status::OrderStatus,
    work::WorkState,
};
use taquilla_store::{
    ChangeError, ChangeResult,
    lists::{End, Position},
    sales, transaction,
    work::{
        orders::{self, Planned, REFUNDED},
        pieces::{self, Piece},
    },
};

use super::tools::Tools;
use crate::boxoffice::Request;

/// Refunds until there is nothing left, or staff stop it.
pub(super) async fn refund_all(tools: &Tools, mut piece: Piece) -> ChangeResult<()> {
    if piece.total.is_none() {
        let count = orders::count_approved(&mut tools.store.read().await?, piece.tenant, &piece.subject).await?;
        piece.total = Some(count);
    }
    loop {
        let open = orders::open(&mut tools.store.read().await?, &piece).await?;
        let goes_on = match open.is_empty() {
            false => decide(tools, &mut piece, &open).await?,
            true => match plan(tools, &mut piece).await? {
                Some(goes_on) => goes_on,
                None if piece.pass_refunded > 0 => {
                    (piece.pass_refunded, piece.at) = (0, Position::above(Stamp::END));
                    true
                }
                None => return finish(tools, &piece).await,
            },
        };
        if !goes_on {
            return Ok(());
        }
    }
}

/// Plans the next orders of this pass. `None` if the pass is over, `Some(false)` if staff stopped the work.
async fn plan(tools: &Tools, piece: &mut Piece) -> ChangeResult<Option<bool>> {
    let query = sales::orders::Query {
        event_id: Some(piece.subject.clone()),
        statuses: vec![OrderStatus::Approved],
        ..sales::orders::Query::default()
    };
    let mut conn = tools.store.read().await?;
    let (found, end) = sales::orders::page(&mut conn, piece.tenant, &query, Some(piece.at), STAFF_TOGETHER).await?;
    let failed = orders::failed(&mut conn, piece.tenant, &piece.id, i64::MAX, WORK_FAILED_MAX).await?;
    drop(conn);
    let failed: HashSet<&str> = failed.iter().map(|planned| planned.order_id.as_str()).collect();
    let ids: Vec<&str> =
        found.iter().map(|order| order.uncovered().id.as_str()).filter(|id| !failed.contains(id)).collect();
    if ids.is_empty() && end == End::Complete {
        return Ok(None);
    }
    piece.at = match end {
        End::More(position) => position,
        End::Complete => Position::BEGINNING,
    };
    let (planned, until) = (&*piece, tools.time.now().plus(WORK_LEASE));
    let goes_on = transaction!(tools.store.begin_unstamped(), |tx| {
        let goes_on = pieces::advance(tx, planned, until).await?;
        if goes_on.is_some() {
            orders::plan(tx, planned, &ids).await?;
        }
        Ok::<_, ChangeError>(goes_on)
    })?;
    piece.leased_until = until;
    Ok(Some(goes_on.unwrap_or(false)))
}

/// Refunds what is planned. `false` if staff stopped the work.
async fn decide(tools: &Tools, piece: &mut Piece, open: &[Planned]) -> ChangeResult<bool> {
    let by = piece.by(tools.time.now());
    let ask = |planned: &Planned| tools.queue.ask(piece.tenant, Request::refund(&planned.order_id).by(&by));
    let answers = join_all(open.iter().map(ask)).await;
    let mut results = Vec::with_capacity(open.len());
    for (planned, answer) in open.iter().zip(answers) {
        results.push((planned.number, result(answer)?));
    }
    let refunded = results.iter().filter(|(_, result)| *result == REFUNDED).count() as i64;
    piece.done += refunded;
    piece.failed += results.len() as i64 - refunded;
    piece.pass_refunded += refunded;
    let (decided, until) = (&*piece, tools.time.now().plus(WORK_LEASE));
    let goes_on = transaction!(tools.store.begin_unstamped(), |tx| {
        let goes_on = pieces::advance(tx, decided, until).await?;
        // What was decided is written down also if staff stopped the work meanwhile.
        if goes_on.is_some() {
            orders::decide(tx, decided, &results).await?;
        }
        Ok::<_, ChangeError>(goes_on)
    })?;
    piece.leased_until = until;
    Ok(goes_on.unwrap_or(false))
}

/// What became of an order. An order that is refunded already was refunded by the step that a crash interrupted, or by
/// staff in the same moment.
fn result(answer: ChangeResult<Order>) -> ChangeResult<&'static str> {
    match answer {
        Ok(_) | Err(ChangeError::Refused(Refusal::OrderNotApproved(OrderStatus::Refunded))) => Ok(REFUNDED),
        Err(ChangeError::Refused(refusal)) => Ok(refusal.code()),
        Err(cause) => Err(cause),
    }
}

async fn finish(tools: &Tools, piece: &Piece) -> ChangeResult<()> {
    let now = tools.time.now();
    transaction!(tools.store.begin_unstamped(), |tx| {
        pieces::turn(tx, piece.tenant, &piece.id, &[WorkState::Running], WorkState::Done, Some(now)).await
    })?;
    Ok(())
}
