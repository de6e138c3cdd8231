//! `taquilla webhook`: endpoints, which are told of a producer's events.

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use serde::Serialize;

use super::{
    Database,
    database::find_producer,
    output::{Output, moment},
    webhook_allow::WebhookAllow,
    webhook_events::{Events, Log, Replay, Test},
};
use crate::{
    app::Time,
    config::{WEBHOOK_ENDPOINTS_MAX, WEBHOOK_SECRET_OVERLAP, WEBHOOK_SECRETS_MAX},
    domain::{
        signature::SigningSecret,
        webhook::{DeliveryStatus, EndpointState, EventKind},
    },
    store::{Store, deliveries, delivery_log, endpoints},
    webhooks::addresses::check_url,
    wire::WebhookEndpoint,
};

#[derive(Subcommand)]
pub enum Webhook {
    /// Create an endpoint, and show its secret once
    Create(Create),
    /// List endpoints, how they are, and how much waits for them
    List(List),
    /// Change where events are sent, which kinds, or whether they carry personal data
    Update(Update),
    /// Stop sending; events wait for up to 30 days
    Pause(Which),
    /// Send again, beginning with what waited
    Resume(Which),
    /// Make a new secret and show it once; for 24 hours the one before signs, too
    Rotate(Which),
    /// Delete an endpoint and all that is known of its events
    Delete(Which),
    /// Send a test event, and say what came of it
    Test(Test),
    /// Show events in their order, with what became of each; with --json also their bodies
    Events(Events),
    /// Show every attempt of the last 30 days, newest event first
    Log(Log),
    /// Send events again
    Replay(Replay),
}

#[derive(Args)]
pub struct Create {
    /// Whose events
    #[arg(long, value_name = "ID")]
    producer: String,
    /// Where they are sent: an https address
    #[arg(long)]
    url: String,
    /// Which events; may be given several times
    #[arg(long, value_name = "KIND", required = true, value_parser = kinds())]
    kind: Vec<String>,
    /// Send also what is known of attendees and buyers
    #[arg(long)]
    personal_data: bool,
    #[command(flatten)]
    allow: WebhookAllow,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct List {
    /// Whose endpoints
    #[arg(long, value_name = "ID")]
    producer: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct Update {
    #[command(flatten)]
    which: Which,
    /// Where events are sent from now on
    #[arg(long)]
    url: Option<String>,
    /// Which events from now on; may be given several times
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    kind: Vec<String>,
    /// Whether they carry what is known of attendees and buyers
    #[arg(long, value_name = "yes|no", value_parser = PossibleValuesParser::new(["yes", "no"]))]
    personal_data: Option<String>,
    #[command(flatten)]
    allow: WebhookAllow,
}

#[derive(Args)]
pub struct Which {
    /// The endpoint's id (wh_…), as `webhook list` shows it
    pub endpoint_id: String,
    #[command(flatten)]
    pub database: Database,
    #[command(flatten)]
    pub output: Output,
}

/// Everything but tests, which every endpoint gets.
fn kinds() -> PossibleValuesParser {
    let kinds = EventKind::ALL.iter().filter(|kind| **kind != EventKind::WebhookTest);
    PossibleValuesParser::new(kinds.map(|kind| kind.as_str()))
}

fn parse_kinds(names: &[String]) -> Vec<EventKind> {
    let mut kinds: Vec<EventKind> = names.iter().filter_map(|name| EventKind::parse(name)).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

/// An endpoint as commands show it.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    info: WebhookEndpoint,
    /// How many events wait to be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<i64>,
    /// How many were given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl Shown {
    fn new(endpoint: &endpoints::Endpoint) -> Self {
        Self { info: WebhookEndpoint::from(endpoint), pending: None, failed: None, secret: None }
    }

    fn kinds(&self) -> String {
        self.info.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn print(&self, output: &Output, advice: &str) -> anyhow::Result<()> {
        let mut fields = vec![
            ("id", self.info.id.clone()),
            ("url", self.info.url.clone()),
            ("kinds", self.kinds()),
            ("personal data", if self.info.personal_data { "yes".into() } else { "no".to_owned() }),
            ("state", self.info.state.as_str().to_owned()),
        ];
        fields.extend(self.secret.iter().map(|secret| ("secret", secret.clone())));
        fields.push(("", advice.to_owned()));
        output.one(self, &fields)
    }
}

impl Webhook {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Update(update) => update.run().await,
            Self::Pause(which) => which.turn(EndpointState::Paused, "Events wait until it is resumed.").await,
            Self::Resume(which) => {
                which
                    .turn(
                        EndpointState::Active,
                        "What waited is sent now; what had failed before comes at its next time.",
                    )
                    .await
            }
            Self::Rotate(which) => which.rotate().await,
            Self::Delete(which) => which.delete().await,
            Self::Test(test) => test.run().await,
            Self::Events(events) => events.run().await,
            Self::Log(log) => log.run().await,
            Self::Replay(replay) => replay.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let url = checked(&self.url, &self.allow)?;
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let secret = SigningSecret::generate();
        let kinds = parse_kinds(&self.kind);
        let now = Time::System.now();
        let created = endpoints::create(&store, tenant, &url, &kinds, self.personal_data, &secret, now).await?;
        let endpoint =
            created.with_context(|| format!("a producer has {WEBHOOK_ENDPOINTS_MAX} endpoints at most; delete one"))?;
        let shown = Shown { secret: Some(secret.reveal()), ..Shown::new(&endpoint) };
        let test =
            format!("Copy the secret now: it is not shown again. Try it with: taquilla webhook test {}", endpoint.id);
        shown.print(&self.output, &test)
    }
}

fn checked(url: &str, allow: &WebhookAllow) -> anyhow::Result<String> {
    match check_url(url, &allow.networks()?) {
        Ok(url) => Ok(url.to_string()),
        Err(cause) => bail!("--url: {cause}"),
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        // Without a server nobody has numbered them yet.
        for endpoint in endpoints::list(&mut store.read().await?, tenant).await? {
            deliveries::catch_up(&store, &endpoint, Time::System.now()).await?;
        }
        let mut conn = store.read().await?;
        let mut shown = Vec::new();
        for endpoint in endpoints::list(&mut conn, tenant).await? {
            let pending = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Pending).await?;
            let failed = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Failed).await?;
            shown.push(Shown { pending: Some(pending), failed: Some(failed), ..Shown::new(&endpoint) });
        }
        let header = [
            "id",
            "url",
            "kinds",
            "personal data",
            "state",
            "since",
            "last success",
            "failing since",
            "waiting",
            "failed",
        ];
        self.output.list(&shown, &header, |endpoint| {
            vec![
                endpoint.info.id.clone(),
                endpoint.info.url.clone(),
                endpoint.kinds(),
                if endpoint.info.personal_data { "yes".into() } else { "no".into() },
                endpoint.info.state.as_str().to_owned(),
                moment(Some(endpoint.info.state_since)),
                moment(endpoint.info.last_success_at),
                moment(endpoint.info.failing_since),
                endpoint.pending.unwrap_or(0).to_string(),
                endpoint.failed.unwrap_or(0).to_string(),
            ]
        })
    }
}

impl Update {
    async fn run(self) -> anyhow::Result<()> {
        let nothing = self.url.is_none() && self.kind.is_empty() && self.personal_data.is_none();
        ensure!(!nothing, "say what to change: --url, --kind or --personal-data");
        let url = self.url.as_deref().map(|url| checked(url, &self.allow)).transpose()?;
        let kinds = parse_kinds(&self.kind);
        let changed = self
            .which
            .change(|endpoint| {
                if let Some(url) = &url {
                    endpoint.move_to(url);
                }
                if !kinds.is_empty() {
                    endpoint.kinds.clone_from(&kinds);
                }
                if let Some(answer) = &self.personal_data {
                    endpoint.personal_data = answer == "yes";
                }
            })
            .await?;
        Shown::new(&changed).print(
            &self.which.output,
            "The kinds hold for what happens from now on, the rest for what is sent from now on.",
        )
    }
}

impl Which {
    /// The database, and the endpoint in it.
    pub async fn open(&self) -> anyhow::Result<(Store, endpoints::Endpoint)> {
        let store = self.database.open().await?;
        let found = endpoints::find(&mut store.read().await?, &self.endpoint_id).await?;
        match found {
            Some(endpoint) => Ok((store, endpoint)),
            None => {
                bail!("there is no endpoint {}; `taquilla webhook list --producer ID` shows the ids", self.endpoint_id)
            }
        }
    }

    async fn change(
        &self,
        change: impl Fn(&mut endpoints::Endpoint) + Send + Sync,
    ) -> anyhow::Result<endpoints::Endpoint> {
        let (store, endpoint) = self.open().await?;
        let changed = endpoints::change(&store, endpoint.tenant, &endpoint.id, Time::System.now(), change).await?;
        changed.context("the endpoint was deleted just now")
    }

    async fn turn(self, state: EndpointState, advice: &str) -> anyhow::Result<()> {
        let now = Time::System.now();
        let changed = self.change(|endpoint| endpoint.turn(state, now)).await?;
        Shown::new(&changed).print(&self.output, advice)
    }

    async fn rotate(self) -> anyhow::Result<()> {
        let (store, endpoint) = self.open().await?;
        let secret = SigningSecret::generate();
        let rotated = endpoints::rotate(&store, endpoint.tenant, &endpoint.id, &secret, Time::System.now()).await?;
        let rotated = rotated.context("the endpoint was deleted just now")?;
        ensure!(
            rotated,
            "{WEBHOOK_SECRETS_MAX} secrets sign already; wait until the oldest of them has had its 24 hours"
        );
        let shown = Shown { secret: Some(secret.reveal()), ..Shown::new(&endpoint) };
        let hours = WEBHOOK_SECRET_OVERLAP.as_secs() / 3_600;
        let advice =
            format!("Copy the secret now: it is not shown again. For {hours} hours the one before signs, too.");
        shown.print(&self.output, &advice)
    }

    async fn delete(self) -> anyhow::Result<()> {
        let (store, endpoint) = self.open().await?;
        endpoints::delete(&store, endpoint.tenant, &endpoint.id, Time::System.now()).await?;
        let fields = [("id", endpoint.id.clone()), ("url", endpoint.url.clone()), ("", "It is deleted.".to_owned())];
        self.output.one(&Shown::new(&endpoint), &fields)
    }
}
