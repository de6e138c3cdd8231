//! Counting what was decided, for metrics.

use taquilla_metrics::{Metrics, MoveKind, MoveOutcome};

use super::{
    admit::Admission,
    placed::Placed,
    request::{OrderStep, QueuedRequest, What},
    ticket_change::TicketStep,
    verdict::Verdict,
};

/// Counts what became of a request, each scan of a device by itself.
pub(super) fn count(metrics: &Metrics, asked: &QueuedRequest, verdict: &Verdict) {
    let kind = kind_of(asked);
    let outcome = match verdict {
        Verdict::Admitted(_, answers) => {
            return answers.iter().for_each(|answer| metrics.count_move(kind, outcome_of(answer)));
        }
        Verdict::Placed(_, Ok(Placed::Before(_))) => MoveOutcome::Repeated,
        Verdict::Placed(_, decided) => done(decided),
        Verdict::Order(_, decided) => done(decided),
        Verdict::Attempted(_, decided) => done(decided),
        Verdict::Ticket(_, decided) => done(decided),
        Verdict::Undone(_, decided) => done(decided),
    };
    metrics.count_move(kind, outcome);
}

/// Counts a request that could not be decided.
pub(super) fn count_failure(metrics: &Metrics, asked: &QueuedRequest) {
    for _ in 0..asked.size() {
        metrics.count_move(kind_of(asked), MoveOutcome::Failed);
    }
}

fn done<A, R>(decided: &Result<A, R>) -> MoveOutcome {
    match decided {
        Ok(_) => MoveOutcome::Done,
        Err(_) => MoveOutcome::Refused,
    }
}

fn outcome_of(answer: &Admission) -> MoveOutcome {
    match answer {
        Admission::Decided(outcome, _) if outcome.lets_pass() => MoveOutcome::Done,
        _ => MoveOutcome::Refused,
    }
}

fn kind_of(asked: &QueuedRequest) -> MoveKind {
    match &asked.what {
        What::Order(OrderStep::Approve(..), _) => MoveKind::Approve,
        What::Order(OrderStep::Reject(_), _) => MoveKind::Reject,
        What::Order(OrderStep::Refund(..) | OrderStep::RefundTickets { .. } | OrderStep::CallOff(_), _) => {
            MoveKind::Refund
        }
        What::Order(OrderStep::Settle(_) | OrderStep::SettleWith { .. }, _) => MoveKind::Payment,
        What::Order(OrderStep::ExtendHold(..), _) => MoveKind::ExtendHold,
        What::Attempt(..) => MoveKind::Attempt,
        What::Place(..) => MoveKind::Order,
        What::Ticket(change, _) => match change.step {
            TicketStep::Cancel => MoveKind::Cancel,
            TicketStep::Hide => MoveKind::Hide,
            TicketStep::Transfer(_) => MoveKind::PassOn,
            TicketStep::Note(_) => MoveKind::Note,
        },
        What::Admit(..) => MoveKind::Scan,
        What::Undo(..) => MoveKind::UndoEntry,
    }
}
