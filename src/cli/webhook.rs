//! `taquilla webhook`: endpoints, which are sent a producer's messages.

use clap::{Args, Subcommand, builder::PossibleValuesParser};

use taquilla_domain::{
    config::WEBHOOK_SECRET_OVERLAP,
    endpoint_url::EndpointUrl,
    role::Rights,
    signature::SigningSecret,
    time_source::TimeSource,
    webhook::{DeliveryStatus, EndpointState, MessageKind},
};
use taquilla_rules::admin::endpoints::{self, EndpointChange};
use taquilla_store::{
    Store,
    webhooks::{
        deliveries, delivery_log,
        endpoints::{self as rows, Endpoint},
    },
};

use super::{
    by::by,
    common::OfProducer,
    endpoint::{EndpointOutput, Which, kinds},
    mistake::Mistake,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
    webhook_allow::WebhookAllow,
    webhook_log::{Events, Log, Replay, Test},
};

#[derive(Subcommand)]
pub enum Webhook {
    /// Create an endpoint, and show its secret once
    Create(Create),
    /// List endpoints, how they are, and how much waits for them
    List(OfProducer),
    /// Show an endpoint, how it is, and how much waits for it
    Show(Which),
    /// Change where messages are sent, which kinds, or whether they carry personal data
    Update(Update),
    /// Stop sending; messages wait for up to 30 days
    Pause(Which),
    /// Send again, beginning with what waited
    Resume(Which),
    /// Make a new secret and show it once; for 24 hours the one before signs, too
    Rotate(Which),
    /// Delete an endpoint and all that is known of its messages
    Delete(Which),
    /// Send a test message, and say what came of it
    Test(Test),
    /// Show messages in their order, with what became of each; with --json also their bodies
    Events(Events),
    /// Show every attempt of the last 30 days, newest message first
    Log(Log),
    /// Send messages again
    Replay(Replay),
}

#[derive(Args)]
pub struct Create {
    /// Where they are sent: an https address
    #[arg(long)]
    url: String,
    /// Which kinds of messages; may be given several times
    #[arg(long, value_name = "KIND", required = true, value_parser = kind_names())]
    kind: Vec<String>,
    /// Send also what is known of attendees and buyers
    #[arg(long)]
    personal_data: bool,
    #[command(flatten)]
    allow: WebhookAllow,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Update {
    #[command(flatten)]
    which: Which,
    /// Where messages are sent from now on
    #[arg(long)]
    url: Option<String>,
    /// Which kinds from now on; may be given several times
    #[arg(long, value_name = "KIND", value_parser = kind_names())]
    kind: Vec<String>,
    /// Whether they carry what is known of attendees and buyers
    #[arg(long, value_name = "yes|no", value_parser = PossibleValuesParser::new(["yes", "no"]))]
    personal_data: Option<String>,
    #[command(flatten)]
    allow: WebhookAllow,
}

/// Everything but tests, which every endpoint gets.
fn kind_names() -> PossibleValuesParser {
    let kinds = MessageKind::ALL.iter().filter(|kind| **kind != MessageKind::WebhookTest);
    PossibleValuesParser::new(kinds.map(|kind| kind.as_str()))
}

fn parse_kinds(names: &[String]) -> Vec<MessageKind> {
    names.iter().filter_map(|name| MessageKind::parse(name)).collect()
}

/// Not by clap, because what is allowed is said beside it.
fn parse_url(text: &str, allow: &WebhookAllow) -> Result<EndpointUrl, Mistake> {
    EndpointUrl::parse(text, &allow.networks()).map_err(|invalid| Mistake::in_flag("--url", invalid))
}

impl Webhook {
    pub async fn run(self) -> anyhow::Result<()> {
        let resumed = "What waited is sent now, the oldest first.";
        match self {
            Self::Create(create) => create.run().await,
            Self::List(of) => list(of).await,
            Self::Show(which) => show(which).await,
            Self::Update(update) => update.run().await,
            Self::Pause(which) => set_state(which, EndpointState::Paused, "Messages wait until it is resumed.").await,
            Self::Resume(which) => set_state(which, EndpointState::Active, resumed).await,
            Self::Rotate(which) => rotate(which).await,
            Self::Delete(which) => delete(which).await,
            Self::Test(test) => test.run().await,
            Self::Events(events) => events.run().await,
            Self::Log(log) => log.run().await,
            Self::Replay(replay) => replay.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let url = parse_url(&self.url, &self.allow)?;
        let (store, tenant) = self.of.open().await?;
        let kinds = parse_kinds(&self.kind);
        let created = endpoints::create(&store, tenant, &url, &kinds, self.personal_data, Rights::all(), &by()).await;
        let (endpoint, secret) = created.map_err(refused)?;
        let shown = EndpointOutput { secret: Some(secret.reveal()), ..EndpointOutput::new(&endpoint) };
        let test =
            format!("Copy the secret now: it is not shown again. Try it with:\ntaquilla webhook test {}", endpoint.id);
        shown.print(self.of.output(), &test)
    }
}

async fn list(of: OfProducer) -> anyhow::Result<()> {
    let (store, tenant) = of.open().await?;
    let mut listed = Vec::new();
    for endpoint in rows::list(&mut store.read().await?, tenant).await? {
        listed.push(counted(&store, endpoint).await?);
    }
    let columns = [Id("id"), Text("url"), Fact("state"), Fact("waiting"), Fact("failed")];
    let more = [
        Text("kinds"),
        Fact("personal data"),
        Fact("since"),
        Fact("last success"),
        Fact("failing since"),
        Fact("rests until"),
    ];
    let now = TimeSource::System.now();
    of.output().list(&listed, &columns, &more, shown, |(endpoint, pending, failed)| {
        vec![
            endpoint.id.clone(),
            endpoint.url.clone(),
            if endpoint.rest(now).is_some() { "resting".into() } else { endpoint.state.as_str().to_owned() },
            pending.to_string(),
            failed.to_string(),
            kinds(&endpoint.kinds),
            if endpoint.personal_data { "yes".into() } else { "no".into() },
            moment(Some(endpoint.state_since)),
            moment(endpoint.last_success_at),
            moment(endpoint.failing_since),
            moment(endpoint.rest(now)),
        ]
    })
}

/// An endpoint, how many messages wait for it, and how many were given up.
async fn counted(store: &Store, endpoint: Endpoint) -> anyhow::Result<(Endpoint, i64, i64)> {
    // Without a server nobody has made deliveries of the newest messages yet.
    deliveries::catch_up(store, &endpoint, TimeSource::System.now()).await?;
    let mut conn = store.read().await?;
    let pending = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Pending).await?;
    let failed = delivery_log::count(&mut conn, &endpoint, DeliveryStatus::Failed).await?;
    Ok((endpoint, pending, failed))
}

async fn show(which: Which) -> anyhow::Result<()> {
    let (store, _, endpoint) = which.open().await?;
    let counted = counted(&store, endpoint).await?;
    let (endpoint, pending, failed) = &counted;
    let fields = [
        ("id", endpoint.id.clone()),
        ("url", endpoint.url.clone()),
        ("kinds", kinds(&endpoint.kinds)),
        ("personal data", if endpoint.personal_data { "yes".into() } else { "no".into() }),
        ("state", endpoint.state.as_str().to_owned()),
        ("since", moment(Some(endpoint.state_since))),
        ("created", moment(Some(endpoint.created_at))),
        ("last success", moment(endpoint.last_success_at)),
        ("failing since", moment(endpoint.failing_since)),
        ("rests until", moment(endpoint.rest(TimeSource::System.now()))),
        ("waiting", pending.to_string()),
        ("failed", failed.to_string()),
    ];
    which.output().one(&shown(&counted), &fields)
}

fn shown((endpoint, pending, failed): &(Endpoint, i64, i64)) -> EndpointOutput<'_> {
    EndpointOutput { pending: Some(*pending), failed: Some(*failed), ..EndpointOutput::new(endpoint) }
}

impl Update {
    async fn run(self) -> anyhow::Result<()> {
        if self.url.is_none() && self.kind.is_empty() && self.personal_data.is_none() {
            return Err(Mistake::new("say what to change: --url, --kind or --personal-data").into());
        }
        let change = EndpointChange {
            url: self.url.as_deref().map(|url| parse_url(url, &self.allow)).transpose()?,
            kinds: Some(parse_kinds(&self.kind)).filter(|kinds| !kinds.is_empty()),
            personal_data: self.personal_data.map(|answer| answer == "yes"),
        };
        let (store, tenant, endpoint) = self.which.open().await?;
        let changed = endpoints::change(&store, tenant, &endpoint.id, &change, Rights::all(), &by()).await;
        EndpointOutput::new(&changed.map_err(refused)?).print(
            self.which.output(),
            "The kinds hold for what happens from now on, the rest for what is sent from now on.",
        )
    }
}

async fn set_state(which: Which, state: EndpointState, advice: &str) -> anyhow::Result<()> {
    let (store, tenant, endpoint) = which.open().await?;
    let changed = endpoints::set_state(&store, tenant, &endpoint.id, state, &by()).await;
    EndpointOutput::new(&changed.map_err(refused)?).print(which.output(), advice)
}

async fn rotate(which: Which) -> anyhow::Result<()> {
    let (store, tenant, endpoint) = which.open().await?;
    let secret = SigningSecret::generate();
    let endpoint =
        endpoints::rotate(&store, tenant, &endpoint.id, &secret, Rights::all(), &by()).await.map_err(refused)?;
    let shown = EndpointOutput { secret: Some(secret.reveal()), ..EndpointOutput::new(&endpoint) };
    let hours = WEBHOOK_SECRET_OVERLAP.as_secs() / 3_600;
    let advice = format!("Copy the secret now: it is not shown again. For {hours} hours the one before signs, too.");
    shown.print(which.output(), &advice)
}

async fn delete(which: Which) -> anyhow::Result<()> {
    let (store, tenant, endpoint) = which.open().await?;
    endpoints::delete(&store, tenant, &endpoint.id, &by()).await.map_err(refused)?;
    let fields = [("id", endpoint.id.clone()), ("url", endpoint.url.clone()), ("", "It is deleted.".to_owned())];
    which.output().one(&EndpointOutput::new(&endpoint), &fields)
}
