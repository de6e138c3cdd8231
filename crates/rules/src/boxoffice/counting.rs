//! Counting what was decided, for metrics.

use taquilla_domain::{admit::Outcome, refusal::Refusal};
use taquilla_metrics::{Metrics, MoveKind, MoveOutcome};

use super::{
    admit::Admission,
    request::{Answer, Request},
    sell::Placed,
};

/// Counts what became of a request, each scan of a device by itself.
pub(super) fn count(metrics: &Metrics, request: &Request, decided: &Result<Answer, Refusal>) {
    let outcome = match decided {
        Ok(Answer::Admitted(answers)) => {
            return answers.iter().for_each(|answer| metrics.count_move(MoveKind::Scan, outcome_of(answer)));
        }
        Ok(Answer::Placed(Placed::Before(_))) => MoveOutcome::Repeated,
        Ok(_) => MoveOutcome::Done,
        Err(_) => MoveOutcome::Refused,
    };
    metrics.count_move(kind_of(request), outcome);
}

/// Counts a request that could not be decided.
pub(super) fn count_failure(metrics: &Metrics, request: &Request) {
    for _ in 0..request.size() {
        metrics.count_move(kind_of(request), MoveOutcome::Failed);
    }
}

fn outcome_of(answer: &Admission) -> MoveOutcome {
    match answer {
        Admission::Decided(Outcome::Admitted, _) => MoveOutcome::Done,
        _ => MoveOutcome::Refused,
    }
}

fn kind_of(request: &Request) -> MoveKind {
    match request.asked().0 {
        Request::Approve(..) => MoveKind::Approve,
        Request::Reject(_) => MoveKind::Reject,
        Request::Refund(_) => MoveKind::Refund,
        Request::Settle(_) => MoveKind::Payment,
        Request::Place(..) => MoveKind::Order,
        Request::Admit(_) | Request::ByStaff(..) => MoveKind::Scan,
    }
}
