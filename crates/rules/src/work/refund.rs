//! Refunding all orders of a cancelled event, and rejecting those that nobody has paid.
//!
//! Each order is decided by a move that looks whether the event is still cancelled. If somebody has published it again, the
//! work stops itself, and what was sold since stays sold.
//!
//! Orders are gone through newest first, a few at a time. Each gets a row before anything is done about it, so a
//! crash loses none: whoever goes on begins with the rows that are not decided, and an order that was refunded in the
//! moment of the crash is found to be so. Passes are repeated until one refunds nothing, because an order may be approved
//! while the work runs.

use std::collections::{HashMap, HashSet};

use futures_util::future::join_all;

use taquilla_domain::{
    audit::{Action, BY_ITSELF, By},
    clock::Stamp,
    config::{STAFF_TOGETHER, WORK_FAILED_MAX, WORK_LEASE, WORK_TRIES},
    order::Order,
    refusal::Refusal,
    status::OrderStatus,
    work::WorkState,
};
use taquilla_store::{
    ChangeError, ChangeResult, Unstamped,
    lists::{End, Position},
    sales,
    staff::audit,
    transaction,
    work::{
        orders::{self, Planned, REFUNDED, REJECTED},
        pieces::{self, Piece},
    },
};

use super::tools::Tools;
use crate::boxoffice::Request;

/// Refunds until there is nothing left, or staff stop it.
pub(super) async fn refund_all(tools: &Tools, mut piece: Piece) -> ChangeResult<()> {
    if piece.total.is_none() {
        let count = orders::count_open(&mut tools.store.read().await?, piece.tenant, &piece.subject).await?;
        piece.total = Some(count);
    }
    let mut tries = HashMap::new();
    loop {
        let open = orders::open(&mut tools.store.read().await?, &piece).await?;
        let goes_on = match open.is_empty() {
            false => decide(tools, &mut piece, &open, &mut tries).await?,
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
        statuses: vec![OrderStatus::Approved, OrderStatus::Pending],
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

/// Refunds or rejects what is planned. `false` if staff stopped the work, or published the event again.
async fn decide(
    tools: &Tools,
    piece: &mut Piece,
    open: &[Planned],
    tries: &mut HashMap<i64, u32>,
) -> ChangeResult<bool> {
    let by = By { work: Some(piece.id.clone()), ..piece.by(tools.time.now()) };
    let ask = |planned: &Planned| tools.queue.ask(piece.tenant, Request::call_off(&planned.order_id).by(&by));
    let answers = join_all(open.iter().map(ask)).await;
    let mut results = Vec::with_capacity(open.len());
    let mut is_on_again = false;
    for (planned, answer) in open.iter().zip(answers) {
        match result(answer) {
            // They stay planned, for when the event is cancelled again and the work goes on.
            Err(ChangeError::Refused(Refusal::EventNotCancelled)) => is_on_again = true,
            // One that cannot be decided must not keep all others from it. If the database is away, nothing can be written
            // down below either, and the work is taken up again later.
            Err(cause) => {
                tracing::warn!(work = piece.id, number = planned.number, ?cause, "an order could not be refunded");
                let tried = tries.entry(planned.number).or_insert(0);
                *tried += 1;
                if *tried >= WORK_TRIES {
                    results.push((planned.number, UNDECIDED));
                }
            }
            Ok(result) => results.push((planned.number, result)),
        }
    }
    let refunded = results.iter().filter(|(_, result)| [REFUNDED, REJECTED].contains(result)).count() as i64;
    piece.done += refunded;
    piece.failed += results.len() as i64 - refunded;
    piece.pass_refunded += refunded;
    let (decided, until) = (&*piece, tools.time.now().plus(WORK_LEASE));
    let goes_on = transaction!(tools.store.begin_unstamped(), |tx| {
        if is_on_again {
            stop(tx, decided, &by).await?;
        }
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

/// The result of an order that could not be decided, again and again.
const UNDECIDED: &str = "unavailable";

/// Stops the work, because its event is on again.
async fn stop(tx: &mut Unstamped, piece: &Piece, by: &By) -> ChangeResult<()> {
    if pieces::turn(tx, piece.tenant, &piece.id, &[WorkState::Running], WorkState::Stopped, None).await? {
        let by = By::unasked(BY_ITSELF.to_owned(), String::new(), by.now);
        let details = [("work", piece.id.as_str()), ("reason", "event_not_cancelled")];
        audit::add(tx, Some(piece.tenant), &by, Action::RefundStopped, &piece.subject, &details).await?;
    }
    Ok(())
}

/// What became of an order. One that is refunded or rejected already became so by the step that a crash interrupted, or by
/// staff in the same moment.
fn result(answer: ChangeResult<Order>) -> ChangeResult<&'static str> {
    let status = match answer {
        Ok(order) => order.status,
        Err(ChangeError::Refused(Refusal::OrderNotApproved(status))) => status,
        Err(ChangeError::Refused(refusal)) if !matches!(refusal, Refusal::EventNotCancelled) => {
            return Ok(refusal.code());
        }
        Err(cause) => return Err(cause),
    };
    Ok(if status == OrderStatus::Rejected { REJECTED } else { REFUNDED })
}

async fn finish(tools: &Tools, piece: &Piece) -> ChangeResult<()> {
    let now = tools.time.now();
    transaction!(tools.store.begin_unstamped(), |tx| {
        pieces::turn(tx, piece.tenant, &piece.id, &[WorkState::Running], WorkState::Done, Some(now)).await
    })?;
    Ok(())
}
