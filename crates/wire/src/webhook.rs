//! What receivers of webhooks get, and what staff see of it.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    names::{DeliveryStatus, EndpointState, MessageKind},
    time::Time,
};

/// The body of a request to a receiver of webhooks.
#[derive(Debug, Serialize)]
pub struct WebhookBody<'a> {
    /// What happened.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// When it happened.
    pub timestamp: Time,
    /// Its place in the endpoint's sequence. Places rise by one: a missing one is still to come, or has failed.
    pub sequence: i64,
    /// The resource as it was at that moment, as the API shows it; with personal data only if the endpoint asked for
    /// it.
    pub data: &'a RawValue,
}

/// What is told of a ticket that was hidden.
#[derive(Debug, Serialize)]
pub struct HiddenTicket<'a> {
    /// The ticket's id.
    pub id: &'a str,
    /// When the ticket last changed.
    pub updated_at: Time,
}

/// An endpoint, without its secret.
#[derive(Debug, Serialize)]
pub struct WebhookEndpoint<'a> {
    /// The endpoint's id.
    pub id: &'a str,
    /// Where messages are sent.
    pub url: &'a str,
    /// The kinds of messages it gets.
    pub kinds: Vec<MessageKind>,
    /// Whether its messages contain personal data.
    pub personal_data: bool,
    /// Whether messages are sent to it.
    pub state: EndpointState,
    /// Since when it is in this state.
    pub state_since: Time,
    /// When it was created.
    pub created_at: Time,
    /// When a delivery last succeeded.
    pub last_success_at: Option<Time>,
    /// Since when every attempt has failed, if the last one did.
    pub failing_since: Option<Time>,
    /// Until when nothing is sent, because the receiver asked for a rest.
    pub rests_until: Option<Time>,
}

/// A message for an endpoint and the state of its delivery.
#[derive(Debug, Serialize)]
pub struct WebhookMessage<'a> {
    /// Its place in the endpoint's sequence.
    pub sequence: i64,
    /// The message's id, the same in every attempt (`webhook-id`).
    pub id: &'a str,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// When it happened.
    pub timestamp: Time,
    /// Whether it is pending, delivered or failed.
    pub status: DeliveryStatus,
    /// How many attempts there were.
    pub attempts: i64,
    /// When it is sent next, if it is pending and the endpoint is active.
    pub next_attempt_at: Option<Time>,
    /// The body that is sent.
    pub body: &'a RawValue,
}

/// An attempt to deliver a message.
#[derive(Debug, Serialize)]
pub struct AttemptInfo<'a> {
    /// The message's place in the endpoint's sequence.
    pub sequence: i64,
    /// The first attempt at a message is 1.
    pub attempt: i64,
    /// When it began.
    pub attempted_at: Time,
    /// How long it took.
    pub duration_ms: i64,
    /// The answer's HTTP status; null if there was no answer.
    pub status: Option<i64>,
    /// Why there was no answer, or why it broke off.
    pub problem: Option<&'a str>,
    /// The beginning of the answer's body.
    pub response: &'a str,
}
