//! `taquilla webhook`: what was sent, and sending it again.

use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use clap::Args;
use serde::Serialize;

use super::{catalog::parse_stamp, output::moment, webhook::Which};
use crate::{
    app::Time,
    config::LOG_DEFAULT,
    domain::{clock::Stamp, webhook::DeliveryStatus},
    store::{
        Store, deliveries,
        delivery_log::{self, Again, Logged},
        endpoints::Endpoint,
    },
    webhooks::{add_test, payload},
    wire::{AttemptInfo, WebhookEvent},
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..), conflicts_with = "failed")]
    after: Option<i64>,
    /// Only those that failed
    #[arg(long)]
    failed: bool,
    /// How many
    #[arg(long, value_name = "N", default_value_t = LOG_DEFAULT, value_parser = clap::value_parser!(i64).range(1..))]
    limit: i64,
}

#[derive(Args)]
pub struct Log {
    #[command(flatten)]
    which: Which,
    /// Only the attempts of this event (we_…)
    #[arg(long, value_name = "ID")]
    event: Option<String>,
    /// How many
    #[arg(long, value_name = "N", default_value_t = LOG_DEFAULT, value_parser = clap::value_parser!(i64).range(1..))]
    limit: i64,
}

#[derive(Args)]
pub struct Replay {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    selection: Selection,
    /// Those that happened before this time; without it, until now
    #[arg(long, value_name = "TIME", requires = "since")]
    until: Option<String>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Selection {
    /// One event (we_…)
    #[arg(long, value_name = "ID")]
    event: Option<String>,
    /// All that failed
    #[arg(long)]
    failed: bool,
    /// All that happened at this time or later, delivered or not
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
}

#[derive(Serialize)]
struct Tested {
    event_id: String,
    status: Option<DeliveryStatus>,
    attempt: Option<AttemptInfo>,
}

#[derive(Serialize)]
struct Replayed {
    replayed: i64,
}

impl Test {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, endpoint) = self.which.open().await?;
        let state = endpoint.state;
        ensure!(
            state.is_sent_to(),
            "the endpoint is {}; send to it again with: taquilla webhook resume {}",
            state.as_str(),
            endpoint.id
        );
        let event_id = add_test(&store, &endpoint, Time::System.now()).await?;
        let deadline = Instant::now() + TEST_WAIT;
        let attempt = loop {
            match first_attempt(&store, &self.which, &event_id).await? {
                None if Instant::now() < deadline => tokio::time::sleep(Duration::from_millis(50)).await,
                attempt => break attempt,
            }
        };
        let status = attempt.as_ref().map(|(status, _)| *status);
        let attempt = attempt.map(|(_, attempt)| attempt);
        let said = match &attempt {
            Some(attempt) => describe(attempt),
            None => format!(
                "no attempt was made within {} s: no server runs, or much waits before it, or the receiver wants a rest. \
                 It stays in line; `webhook events` shows it",
                TEST_WAIT.as_secs()
            ),
        };
        let is_delivered = status == Some(DeliveryStatus::Delivered);
        let word = if is_delivered { "delivered" } else { "not delivered" };
        let fields = [("event", event_id.clone()), ("result", word.to_owned()), ("", said)];
        self.which.output.one(&Tested { event_id, status, attempt }, &fields)?;
        ensure!(is_delivered, "the test event was not delivered");
        Ok(())
    }
}

/// What came of the first attempt at an event, once there was one.
async fn first_attempt(
    store: &Store,
    which: &Which,
    event_id: &str,
) -> anyhow::Result<Option<(DeliveryStatus, AttemptInfo)>> {
    let mut conn = store.read().await?;
    let Some(endpoint) = crate::store::endpoints::find(&mut conn, &which.endpoint_id).await? else {
        bail!("the endpoint was deleted just now");
    };
    let Some(number) = delivery_log::number_of(&mut conn, &endpoint, event_id).await? else { return Ok(None) };
    let attempts = delivery_log::attempts(&mut conn, &endpoint, Some(number), 1).await?;
    let logged = delivery_log::after(&mut conn, &endpoint, number - 1, 1).await?;
    Ok(logged.into_iter().map(|logged| logged.status).zip(attempts).next())
}

fn describe(attempt: &AttemptInfo) -> String {
    let answer = attempt.status.map(|status| format!("status {status}"));
    let parts = answer.into_iter().chain(attempt.problem.clone());
    format!("{} after {} ms", parts.collect::<Vec<_>>().join(", "), attempt.duration_ms)
}

impl Events {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, endpoint) = self.which.open().await?;
        // Without a server nobody has numbered them yet.
        deliveries::catch_up(&store, &endpoint, Time::System.now()).await?;
        let mut conn = store.read().await?;
        let logged = match self.after {
            Some(number) => delivery_log::after(&mut conn, &endpoint, number, self.limit).await?,
            None if self.failed => delivery_log::last_failed(&mut conn, &endpoint, self.limit).await?,
            None => delivery_log::last(&mut conn, &endpoint, self.limit).await?,
        };
        let shown = logged.into_iter().map(|logged| shown(&endpoint, logged)).collect::<anyhow::Result<Vec<_>>>()?;
        let header = ["sequence", "id", "kind", "happened", "status", "attempts", "next attempt"];
        self.which.output.list(&shown, &header, |event| {
            vec![
                event.sequence.to_string(),
                event.id.clone(),
                event.kind.as_str().to_owned(),
                moment(Some(event.timestamp)),
                event.status.as_str().to_owned(),
                event.attempts.to_string(),
                moment(event.next_attempt_at),
            ]
        })
    }
}

fn shown(endpoint: &Endpoint, logged: Logged) -> anyhow::Result<WebhookEvent> {
    let body = payload::body(endpoint, logged.number, &logged.event)?;
    Ok(WebhookEvent {
        sequence: logged.number,
        id: logged.event.id,
        kind: logged.event.kind,
        timestamp: logged.event.occurred_at.into(),
        status: logged.status,
        attempts: logged.attempts,
        next_attempt_at: logged.next_attempt_at.map(Into::into),
        body: serde_json::value::RawValue::from_string(body)?,
    })
}

impl Log {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, endpoint) = self.which.open().await?;
        let mut conn = store.read().await?;
        let number = match &self.event {
            Some(id) => match delivery_log::number_of(&mut conn, &endpoint, id).await? {
                None => bail!("the endpoint has no event {id}; `taquilla webhook events {}` shows them", endpoint.id),
                number => number,
            },
            None => None,
        };
        let attempts = delivery_log::attempts(&mut conn, &endpoint, number, self.limit).await?;
        let header = ["sequence", "attempt", "time", "status", "ms", "problem", "answer"];
        self.which.output.list(&attempts, &header, |attempt| {
            vec![
                attempt.sequence.to_string(),
                attempt.attempt.to_string(),
                moment(Some(attempt.attempted_at)),
                attempt.status.map_or_else(|| "–".into(), |status| status.to_string()),
                attempt.duration_ms.to_string(),
                attempt.problem.clone().unwrap_or_else(|| "–".into()),
                first_line(&attempt.response),
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
        let (store, endpoint) = self.which.open().await?;
        let now = Time::System.now();
        let since = parse_stamp("--since", self.selection.since)?;
        let until = parse_stamp("--until", self.until)?.unwrap_or(Stamp::END);
        ensure!(since.is_none_or(|since| since < until), "--until is not after --since");
        let again = match (&self.selection.event, since) {
            (Some(id), _) => Again::One(id),
            (None, Some(since)) => Again::Between(since, until),
            (None, None) => Again::Failed,
        };
        let replayed = delivery_log::replay(&store, &endpoint, again, now).await?;
        if let (Some(id), 0) = (&self.selection.event, replayed) {
            bail!("the endpoint has no event {id}; `taquilla webhook events {}` shows them", endpoint.id);
        }
        let when = match (replayed, endpoint.state.is_sent_to()) {
            (0, _) => "There is none.".to_owned(),
            (_, true) if endpoint.rests_until > now => format!(
                "They wait until {}, because the receiver asked for a rest; `webhook resume` ends it.",
                moment(Some(endpoint.rests_until.into()))
            ),
            (_, true) => "They are sent now, if a server runs.".to_owned(),
            (_, false) => format!("They wait, because the endpoint is {}.", endpoint.state.as_str()),
        };
        self.which.output.one(&Replayed { replayed }, &[("events to be sent again", replayed.to_string()), ("", when)])
    }
}
