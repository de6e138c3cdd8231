//! What a receiver of webhooks is sent, and what staff are shown of it.

use serde::Serialize;
use serde_json::value::RawValue;

use super::time::Time;
use crate::domain::webhook::{DeliveryStatus, EndpointState, MessageKind};

/// What a receiver of webhooks is sent: the body of the request.
#[derive(Debug, Serialize)]
pub struct WebhookBody<'a> {
    /// What happened.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// When it happened.
    pub timestamp: Time,
    /// Its place among the messages for this endpoint. They rise by one: a missing one is still to come, or has failed.
    pub sequence: i64,
    /// The resource as it was at that moment, as the API shows it; personal data only where the endpoint asked for it.
    pub data: &'a RawValue,
}

/// An endpoint, without its secret.
#[derive(Debug, Serialize)]
pub struct WebhookEndpoint<'a> {
    /// The endpoint's id.
    pub id: &'a str,
    /// Where messages are sent.
    pub url: &'a str,
    /// Which kinds are sent.
    pub kinds: &'a [MessageKind],
    /// Whether they carry personal data.
    pub personal_data: bool,
    /// Whether they are sent at all.
    pub state: EndpointState,
    /// Since when.
    pub state_since: Time,
    /// When it was created.
    pub created_at: Time,
    /// When it last took a message.
    pub last_success_at: Option<Time>,
    /// Since then nothing but failure was seen.
    pub failing_since: Option<Time>,
}

/// A message for an endpoint, and how far it came.
#[derive(Debug, Serialize)]
pub struct WebhookMessage<'a> {
    /// Its place among the endpoint's messages.
    pub sequence: i64,
    /// The message's id, the same in every attempt (`webhook-id`).
    pub id: &'a str,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// When it happened.
    pub timestamp: Time,
    /// What became of it.
    pub status: DeliveryStatus,
    /// How many attempts there were.
    pub attempts: i64,
    /// When it is sent next, if it is.
    pub next_attempt_at: Option<Time>,
    /// The body that is sent.
    pub body: &'a RawValue,
}

/// An attempt to deliver a message.
#[derive(Debug, Serialize)]
pub struct AttemptInfo<'a> {
    /// The message's place among the endpoint's.
    pub sequence: i64,
    /// The first attempt at a message is 1.
    pub attempt: i64,
    /// When it began.
    pub attempted_at: Time,
    /// How long it took.
    pub duration_ms: i64,
    /// What was answered; null when nothing was.
    pub status: Option<i64>,
    /// What went wrong on the way, if anything did.
    pub problem: Option<&'a str>,
    /// The beginning of the answer's body.
    pub response: &'a str,
}
