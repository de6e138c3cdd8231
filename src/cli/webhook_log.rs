//! `taquilla webhook`: what was sent, and sending it again.

use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;

use taquilla_domain::{
    clock::Stamp, config::LOG_DEFAULT, count::Count, invalid::Invalid, role::Rights, time_source::TimeSource,
    webhook::DeliveryStatus,
};
use taquilla_rules::{admin::endpoints, webhooks::payload};
use taquilla_store::{
    Store, Tenant,
    webhooks::{
        deliveries,
        delivery_log::{self, Again, Logged, LoggedAttempt},
        endpoints::{self as rows, Endpoint},
    },
};
use taquilla_wire::{
    names,
    webhook::{AttemptInfo, WebhookMessage},
};

use super::{
    by::by,
    endpoint::Which,
    flags,
    mistake::Mistake,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
};

/// A server that runs has looked for work by then, and even a receiver that hangs was given up.
const TEST_WAIT: Duration = Duration::from_secs(30);

#[derive(Args)]
pub struct Test {
    #[command(flatten)]
    which: Which,
}

#[derive(Args)]
pub struct Events {
    #[command(flatten)]
    which: Which,
    /// Those after this sequence number, in their order; without it, the newest first
    #[arg(long, value_name = "N", value_parser = after, conflicts_with = "failed")]
    after: Option<i64>,
    /// Only those that failed
    #[arg(long)]
    failed: bool,
    /// How many
    #[arg(long, value_name = "N", default_value_t = LOG_DEFAULT, value_parser = flags::limit)]
    limit: i64,
}

fn after(text: &str) -> Result<i64, Invalid> {
    Count::parse(text).map(Count::get)
}

#[derive(Args)]
pub struct Log {
    #[command(flatten)]
    which: Which,
    /// Only the attempts at this message (we_…)
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: Option<String>,
    /// How many
    #[arg(long, value_name = "N", default_value_t = LOG_DEFAULT, value_parser = flags::limit)]
    limit: i64,
}

#[derive(Args)]
pub struct Replay {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    selection: Selection,
    /// Those that happened before this time; without it, until now
    #[arg(long, value_name = "TIME", requires = "since", value_parser = flags::stamp)]
    until: Option<Stamp>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Selection {
    /// One message (we_…)
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: Option<String>,
    /// All that failed
    #[arg(long)]
    failed: bool,
    /// All that failed, and all that wait for another attempt
    #[arg(long)]
    failed_and_waiting: bool,
    /// All that happened at this time or later, delivered or not
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    since: Option<Stamp>,
}

#[derive(Serialize)]
struct Tested<'a> {
    event_id: &'a str,
    status: Option<names::DeliveryStatus>,
    attempt: Option<AttemptInfo<'a>>,
}

#[derive(Serialize)]
struct Replayed {
    replayed: i64,
}

impl Test {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant, endpoint) = self.which.open().await?;
        let state = endpoint.state;
        ensure!(
            state.is_sent_to(),
            "the endpoint is {}; send to it again with: taquilla webhook resume {}",
            state.as_str(),
            endpoint.id
        );
        let added = endpoints::add_test(&store, tenant, &endpoint.id, &by()).await;
        let message_id = added.map_err(refused)?;
        let deadline = Instant::now() + TEST_WAIT;
        let attempt = loop {
            match first_attempt(&store, tenant, &endpoint.id, &message_id).await? {
                None if Instant::now() < deadline => tokio::time::sleep(Duration::from_millis(50)).await,
                attempt => break attempt,
            }
        };
        let said = match &attempt {
            Some((_, attempt)) => describe(attempt),
            None => format!(
                "no attempt was made within {} s: no server runs, or much waits before it, or the receiver wants a rest. \
                 It stays in line; `webhook events` shows it",
                TEST_WAIT.as_secs()
            ),
        };
        let status = attempt.as_ref().map(|(status, _)| *status);
        let is_delivered = status == Some(DeliveryStatus::Delivered);
        let word = if is_delivered { "delivered" } else { "not delivered" };
        let fields = [("message", message_id.clone()), ("result", word.to_owned()), ("", said)];
        let attempt = attempt.as_ref().map(|(_, attempt)| shown_attempt(attempt));
        self.which.output().one(&Tested { event_id: &message_id, status: status.map(Into::into), attempt }, &fields)?;
        ensure!(is_delivered, "the test message was not delivered");
        Ok(())
    }
}

/// What came of the first attempt at a message, once there was one.
async fn first_attempt(
    store: &Store,
    tenant: Tenant,
    endpoint_id: &str,
    message_id: &str,
) -> anyhow::Result<Option<(DeliveryStatus, LoggedAttempt)>> {
    let mut conn = store.read().await?;
    let found = rows::find(&mut conn, tenant, endpoint_id).await?;
    let endpoint = found.context("the endpoint was deleted just now")?;
    let Some(sequence) = delivery_log::sequence_of(&mut conn, &endpoint, message_id).await? else { return Ok(None) };
    let attempts = delivery_log::attempts(&mut conn, &endpoint, Some(sequence), 1).await?;
    let logged = delivery_log::after(&mut conn, &endpoint, sequence - 1, 1).await?;
    Ok(logged.into_iter().map(|logged| logged.status).zip(attempts).next())
}

fn describe(attempt: &LoggedAttempt) -> String {
    let answer = attempt.status.map(|status| format!("status {status}"));
    let parts = answer.into_iter().chain(attempt.problem.clone());
    format!("{} after {} ms", parts.collect::<Vec<_>>().join(", "), attempt.duration_ms)
}

fn shown_attempt(attempt: &LoggedAttempt) -> AttemptInfo<'_> {
    AttemptInfo {
        sequence: attempt.sequence,
        attempt: attempt.attempt,
        attempted_at: attempt.attempted_at.into(),
        duration_ms: attempt.duration_ms,
        status: attempt.status,
        problem: attempt.problem.as_deref(),
        response: attempt.response.uncovered(),
    }
}

impl Events {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, _, endpoint) = self.which.open().await?;
        // Without a server nobody has made deliveries of the newest messages yet.
        deliveries::catch_up(&store, &endpoint, TimeSource::System.now()).await?;
        let mut conn = store.read().await?;
        let logged = match self.after {
            Some(sequence) => delivery_log::after(&mut conn, &endpoint, sequence, self.limit).await?,
            None if self.failed => delivery_log::last_failed(&mut conn, &endpoint, self.limit).await?,
            None => delivery_log::before(&mut conn, &endpoint, i64::MAX, self.limit).await?,
        };
        let bodies =
            logged.iter().map(|logged| body(&endpoint, logged)).collect::<anyhow::Result<Vec<Box<RawValue>>>>()?;
        let messages: Vec<(Logged, Box<RawValue>)> = logged.into_iter().zip(bodies).collect();
        let columns = [Fact("sequence"), Id("id"), Fact("kind"), Fact("status")];
        let more = [Fact("happened"), Fact("attempts"), Fact("next attempt")];
        self.which.output().list(&messages, &columns, &more, shown, |(logged, _)| {
            vec![
                logged.sequence.to_string(),
                logged.message.id.clone(),
                logged.message.kind.as_str().to_owned(),
                logged.status.as_str().to_owned(),
                moment(Some(logged.message.occurred_at)),
                logged.attempts.to_string(),
                moment(logged.next_attempt_at),
            ]
        })
    }
}

fn body(endpoint: &Endpoint, logged: &Logged) -> anyhow::Result<Box<RawValue>> {
    Ok(RawValue::from_string(payload::body(endpoint, logged.sequence, &logged.message)?.into_uncovered().into_text())?)
}

fn shown((logged, body): &(Logged, Box<RawValue>)) -> WebhookMessage<'_> {
    WebhookMessage {
        sequence: logged.sequence,
        id: &logged.message.id,
        kind: logged.message.kind.into(),
        timestamp: logged.message.occurred_at.into(),
        status: logged.status.into(),
        attempts: logged.attempts,
        next_attempt_at: logged.next_attempt_at.map(Into::into),
        body,
    }
}

impl Log {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, _, endpoint) = self.which.open().await?;
        let mut conn = store.read().await?;
        let sequence = match &self.event {
            Some(id) => match delivery_log::sequence_of(&mut conn, &endpoint, id).await? {
                None => bail!("the endpoint has no message {id}; `taquilla webhook events {}` shows them", endpoint.id),
                sequence => sequence,
            },
            None => None,
        };
        let attempts = delivery_log::attempts(&mut conn, &endpoint, sequence, self.limit).await?;
        let columns = [
            Fact("sequence"),
            Fact("attempt"),
            Fact("time"),
            Fact("status"),
            Fact("ms"),
            Text("problem"),
            Text("answer"),
        ];
        self.which.output().list(&attempts, &columns, &[], shown_attempt, |attempt| {
            vec![
                attempt.sequence.to_string(),
                attempt.attempt.to_string(),
                moment(Some(attempt.attempted_at)),
                attempt.status.map_or_else(|| "–".into(), |status| status.to_string()),
                attempt.duration_ms.to_string(),
                attempt.problem.clone().unwrap_or_else(|| "–".into()),
                first_line(attempt.response.uncovered()),
            ]
        })
    }
}

/// What fits into a table.
fn first_line(text: &str) -> String {
    let line: String = text.lines().next().unwrap_or_default().chars().take(60).collect();
    if line.is_empty() { "–".into() } else { line }
}

impl Replay {
    pub async fn run(self) -> anyhow::Result<()> {
        let (since, until) = (self.selection.since, self.until.unwrap_or(Stamp::END));
        if since.is_some_and(|since| since >= until) {
            return Err(Mistake::new("--until is not after --since").into());
        }
        let (store, _, endpoint) = self.which.open().await?;
        let now = TimeSource::System.now();
        let again = match (&self.selection.event, since) {
            (Some(id), _) => Again::One(id),
            (None, Some(since)) => Again::Between(since, until),
            (None, None) if self.selection.failed_and_waiting => Again::FailedAndWaiting,
            (None, None) => Again::Failed,
        };
        let replayed = endpoints::replay(&store, &endpoint, again, Rights::all(), &by()).await.map_err(refused)?;
        if let (Some(id), 0) = (&self.selection.event, replayed) {
            bail!("the endpoint has no message {id}; `taquilla webhook events {}` shows them", endpoint.id);
        }
        let when = match (replayed, endpoint.state.is_sent_to()) {
            (0, _) => "There is none.".to_owned(),
            (_, true) if endpoint.rest(now).is_some() => format!(
                "They wait until {}, because the receiver asked for a rest; `webhook resume` ends it.",
                moment(endpoint.rest(now))
            ),
            (_, true) => "They are sent now, if a server runs.".to_owned(),
            (_, false) => format!("They wait, because the endpoint is {}.", endpoint.state.as_str()),
        };
        let fields = [("messages to be sent again", replayed.to_string()), ("", when)];
        self.which.output().one(&Replayed { replayed }, &fields)
    }
}
