//! How an endpoint is, by the answers of its receiver: well, failing, stopped, or back after an outage.

use std::sync::Arc;

use taquilla_domain::{
    clock::Stamp,
    config::{WEBHOOK_FAILING_MAX, WEBHOOK_OUTAGE},
    webhook::{EndpointState, is_success},
};
use taquilla_store::webhooks::{deliveries::Attempt, endpoints::Endpoint};

/// The status with which a receiver says that it wants no more messages.
pub const GONE: u16 = 410;

/// A finished attempt, whether it came before its time, the endpoint as it was then, and until when the receiver asked
/// for a pause.
pub struct FinishedAttempt {
    pub attempt: Attempt,
    pub early: bool,
    pub endpoint: Arc<Endpoint>,
    pub rest: Option<Stamp>,
}

/// Updates the endpoint from an answer, unless it was moved or its state changed since the attempt began.
pub fn learn(endpoint: &mut Endpoint, sent: &FinishedAttempt) {
    let at = sent.attempt.at;
    if endpoint.url != sent.endpoint.url || at < endpoint.state_since {
        return;
    }
    if let Some(place) = endpoint.caught_up_to.filter(|_| sent.early) {
        endpoint.caught_up_to = Some(place.max(sent.attempt.sequence));
    }
    if is_success(sent.attempt.status) {
        if endpoint.failing_since.take().is_some_and(|since| is_outage(since, at)) {
            endpoint.catch_up();
        }
        endpoint.last_success_at = Some(at);
        return;
    }
    let since = *endpoint.failing_since.get_or_insert(at);
    if let Some(rest) = sent.rest {
        endpoint.rests_until = endpoint.rests_until.max(rest);
    }
    if endpoint.state != EndpointState::Active {
        return;
    }
    if sent.attempt.status == Some(GONE) {
        endpoint.set_state(EndpointState::Gone, at);
    } else if since.plus(WEBHOOK_FAILING_MAX) <= at {
        endpoint.set_state(EndpointState::Failing, at);
    }
}

/// Whether an endpoint that failed from one time to the other was out of order, and not only refused a message.
fn is_outage(failing_since: Stamp, at: Stamp) -> bool {
    failing_since.plus(WEBHOOK_OUTAGE) <= at
}

/// A change of an endpoint that somebody may wait for.
pub enum News {
    /// Nothing is sent to it any more.
    Stopped { state: EndpointState, failing_since: Option<Stamp> },
    /// It succeeded after an outage.
    Back { failing_since: Stamp },
}

impl News {
    /// What the answers of a turn changed, given the endpoint's state and `failing_since` before.
    pub fn of(before: (EndpointState, Option<Stamp>), endpoint: &Endpoint) -> Option<Self> {
        if before.0.is_sent_to() && !endpoint.state.is_sent_to() {
            return Some(Self::Stopped { state: endpoint.state, failing_since: endpoint.failing_since });
        }
        let failing_since = before.1.filter(|_| endpoint.failing_since.is_none())?;
        let was_outage = endpoint.last_success_at.is_some_and(|at| is_outage(failing_since, at));
        was_outage.then_some(Self::Back { failing_since })
    }

    /// Writes a line for the operator. The endpoint is named by its id: its URL may hold a secret.
    pub fn log(&self, endpoint: &str) {
        match self {
            Self::Stopped { state, failing_since } => tracing::error!(
                endpoint,
                state = state.as_str(),
                failing_since = failing_since.map(tracing::field::display),
                "webhooks are no longer sent to an endpoint"
            ),
            Self::Back { failing_since } => {
                tracing::info!(endpoint, %failing_since, "webhooks are taken by an endpoint again");
            }
        }
    }
}
