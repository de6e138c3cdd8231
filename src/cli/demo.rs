//! `taquilla demo`.

use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, builder::FalseyValueParser};
use fast_qr::{ECL, QRBuilder};
use rustls::pki_types::CertificateDer;

use taquilla_domain::{
    admit::Scope,
    clock::Stamp,
    config::{CODES_PAGE, Config, ConnectionLimits, DEFAULT_LISTEN, Https, WebhookSettings},
    door_link::{LinkOptions, NewDoorLink, Stations},
    email::Email,
    id,
    invalid::Invalid,
    key::{Permission, Secret},
    money::Currency,
    password::Password,
    public_url::PublicUrl,
    refusal::Refusal,
    role::BuiltInRole,
    status::{Category, TicketStatus},
    text::Name,
    time_source::TimeSource,
    time_zone::TimeZone,
};
use taquilla_rules::{
    admin::{self, producers::Producer},
    import,
    task::Task,
};
use taquilla_store::{
    ChangeError, Store, Tenant, catalogue::events, door::links, keys, lists::Position, producers, staff::users,
    tickets::listed,
};

use super::{
    by::by,
    common::Database,
    files,
    https_local::HttpsLocal,
    listen::{Listen, from_here},
    mistake::Mistake,
    output::refused,
    public_url::PublicUrlArg,
    serve::serve,
    webhook_allow::WebhookAllow,
};
use crate::{
    demo::{self, CURRENCY, Gate, Night, PRODUCER_ID, PRODUCER_NAME, Place, TIME_ZONE, TONIGHT_ID, World},
    server::Listeners,
};

const SEED: u64 = 7;
const KEY_NAME: &str = "demo";
const DOOR_LABEL: &str = "Demo gate";
const ADMINISTRATOR: &str = "demo@taquilla.example";
const ADMINISTRATOR_NAME: &str = "Ana Ruiz";

#[derive(Args)]
pub struct Demo {
    #[command(flatten)]
    listen: Listen,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    https: HttpsLocal,
    #[command(flatten)]
    public_url: PublicUrlArg,
    #[command(flatten)]
    webhook_allow: WebhookAllow,
    /// Keep the demo still. Otherwise made-up people buy, pass tickets on and come to the door
    #[arg(long, env = "TAQUILLA_STILL", value_parser = FalseyValueParser::new())]
    still: bool,
}

/// How the demo is reached.
struct Reached {
    listeners: Listeners,
    address: String,
    /// Where a phone begins, with https.
    page: Option<String>,
    certificate: Option<CertificateDer<'static>>,
}

impl Demo {
    pub async fn run(self) -> anyhow::Result<()> {
        // Before anything else: a demo that cannot start must not revoke the key and the link of one that runs.
        let reached = self.reached().await?;
        let store = self.database.open_or_create().await?;
        let now = TimeSource::System.now();
        let tenant = the_producer(&store).await?;
        let gates = match events::exists(&mut store.read().await?, tenant, TONIGHT_ID).await? {
            true => None,
            false => Some(fill(&store, tenant, now).await?),
        };
        let night = self.tonight(&store, tenant, now).await?;
        self.public_url.remember(&store).await?;
        let secret = fresh_key(&store, tenant).await?;
        let token = fresh_door_link(&store, tenant, &night.event_id).await?;
        let code = a_valid_code(&store, tenant, &night.event_id).await?;
        let base = self.public_url.given().map_or(reached.address.as_str(), PublicUrl::as_str);
        let sign_in = sign_in_link(&store, tenant).await?;
        let life = match (self.still, now < night.ends_at) {
            (true, _) => None,
            (false, true) => Some(ALIVE),
            (false, false) => Some(RESTS),
        };
        greet(base, &night.event_id, &secret, &token, (&sign_in.0, &sign_in.1), code.as_deref(), life);
        if let Some(page) = &reached.page {
            greet_phone(page, &token);
        }
        println!("Stop with Ctrl-C.\n");
        let config = Config {
            public_url: self.public_url.given().map(|url| url.as_str().to_owned()),
            https: reached.page.as_ref().map(|_| Https::Local),
            connections: ConnectionLimits { most: files::connections_that_fit(), ..ConnectionLimits::default() },
            webhooks: WebhookSettings { allow: self.webhook_allow.networks(), ..WebhookSettings::default() },
            is_demo: true,
            ..Config::default()
        };
        let life = match self.still {
            true => None,
            false => Some(begin_to_live(&store, tenant, &reached, gates).await?),
        };
        let served = serve(reached.listeners, store, config, Duration::ZERO).await;
        drop(life);
        served
    }

    async fn reached(&self) -> anyhow::Result<Reached> {
        if self.https.https_local {
            let tried = self.https.prepare(&self.listen, &self.database).await?;
            let (page, certificate) = (Some(tried.page), Some(tried.certificate));
            return Ok(Reached { listeners: tried.listeners, address: tried.address, page, certificate });
        }
        if self.https.http_listen.is_some() {
            return Err(Mistake::in_flag("--http-listen", "it leads to https; give --https-local too").into());
        }
        let main = self.listen.bind(DEFAULT_LISTEN).await?;
        let address = format!("http://{}", main.local_addr()?);
        Ok(Reached { listeners: main.into(), address, page: None, certificate: None })
    }

    /// The night that is on. If it is over, the next one begins, unless nothing may happen.
    async fn tonight(&self, store: &Store, tenant: Tenant, now: Stamp) -> anyhow::Result<Night> {
        let last = demo::now_on(&mut store.read().await?, tenant).await?.context("the demo's night is gone")?;
        if self.still || !demo::is_over(&last, now) {
            return Ok(last);
        }
        demo::next(store, tenant, &last, &TimeSource::System).await.map_err(refused)
    }
}

/// Lets the demo's people begin, each time with other wishes. They come to this server from this machine.
async fn begin_to_live(
    store: &Store,
    tenant: Tenant,
    reached: &Reached,
    gates: Option<Vec<Gate>>,
) -> anyhow::Result<Task> {
    let address = from_here(reached.listeners.main.local_addr()?);
    let scheme = if reached.certificate.is_some() { "https" } else { "http" };
    let place = Place {
        store: store.clone(),
        tenant,
        producer_id: PRODUCER_ID.to_owned(),
        base: format!("{scheme}://{address}"),
        certificate: reached.certificate.clone(),
        time: TimeSource::System,
    };
    let seed = rand::random();
    let world = World::new(place, seed, gates).await?;
    Ok(Task::start(|_| demo::live(world, seed)))
}

/// The demo's producer, made at the first start.
async fn the_producer(store: &Store) -> anyhow::Result<Tenant> {
    let found = producers::find(&mut store.read().await?, PRODUCER_ID).await?;
    if let Some(tenant) = found {
        return Ok(tenant);
    }
    let producer = Producer {
        name: Name::parse(PRODUCER_NAME)?,
        time_zone: TimeZone::parse(TIME_ZONE)?,
        currency: Currency::parse(CURRENCY)?,
    };
    match admin::producers::create(store, Some(PRODUCER_ID), &producer, &by()).await {
        // Another demo made it just now.
        Err(ChangeError::Refused(Refusal::IdTaken(_))) => {}
        created => drop(created.map_err(refused)?),
    }
    producers::find(&mut store.read().await?, PRODUCER_ID).await?.context("the producer is gone")
}

/// Makes the demo's data, all of it or nothing. Of two demos that do so at once, one finds the other's data.
/// Returns who stands at its gates.
async fn fill(store: &Store, tenant: Tenant, now: Stamp) -> anyhow::Result<Vec<Gate>> {
    eprintln!("Making {PRODUCER_NAME}, its events, orders and tickets …");
    let lines = demo::data(SEED, now);
    let filled = import::run(store, tenant, lines.as_bytes(), &by(), &TimeSource::System, |_| ()).await;
    if let Err(import::Error::Line(_)) = filled
        && events::exists(&mut store.read().await?, tenant, TONIGHT_ID).await?
    {
        bail!(
            "another `taquilla demo` has filled this database meanwhile, and nothing was changed here; use that one, or \
             start this one again, which ends the other's key and door link"
        );
    }
    filled?;
    demo::play(store, tenant, SEED, &TimeSource::System).await.map_err(refused)
}

async fn fresh_key(store: &Store, tenant: Tenant) -> anyhow::Result<Secret> {
    let earlier = keys::list(&mut store.read().await?, tenant).await?;
    for key in earlier.iter().filter(|key| key.name == KEY_NAME && key.life.revoked_at.is_none()) {
        admin::keys::revoke(store, tenant, &key.id, &by()).await.map_err(refused)?;
    }
    let everything = Permission::ALL.iter().copied().collect();
    let created = admin::keys::create(store, tenant, Name::parse(KEY_NAME)?, everything, None, &by()).await;
    let (_, secret) = created.map_err(refused)?;
    Ok(secret)
}

async fn fresh_door_link(store: &Store, tenant: Tenant, event_id: &str) -> anyhow::Result<Secret> {
    let earlier = links::list(&mut store.read().await?, tenant).await?;
    for link in earlier.iter().filter(|link| link.label == DOOR_LABEL && link.life.revoked_at.is_none()) {
        admin::door_links::revoke(store, tenant, &link.id, &by()).await.map_err(refused)?;
    }
    let new = NewDoorLink {
        event_id: event_id.to_owned(),
        more_events: vec![],
        label: Name::parse(DOOR_LABEL)?,
        scope: Scope { categories: vec![Category::Ticket], ticket_types: vec![] },
        stations: Stations::new([Name::parse("Gate 1")?, Name::parse("Gate 2")?])?,
        zone: None,
        options: LinkOptions::default(),
        pin: None,
        expires_at: None,
    };
    let (_, token) = admin::door_links::create(store, tenant, new, &by()).await.map_err(refused)?;
    Ok(token)
}

/// A ticket that the door lets in, to try it with.
async fn a_valid_code(store: &Store, tenant: Tenant, event_id: &str) -> anyhow::Result<Option<String>> {
    let mut conn = store.read().await?;
    let mut found = None;
    let start = Position::above(Stamp::END);
    listed::changed(&mut conn, tenant, &[event_id], None, start, CODES_PAGE, |ticket| {
        if found.is_none() && ticket.category == Category::Ticket && ticket.status == TicketStatus::Valid {
            found = Some(ticket.id.to_owned());
        }
        Ok(())
    })
    .await?;
    Ok(found)
}

/// A link that signs in as the demo's administrator, who is made at the first start, and a new password of theirs.
async fn sign_in_link(store: &Store, tenant: Tenant) -> anyhow::Result<(Secret, String)> {
    let email = Email::parse(ADMINISTRATOR)?;
    let found = users::by_email(&mut store.read().await?, &email).await?;
    let user = match found {
        Some(user) => user,
        None => {
            let role = BuiltInRole::Administrator.as_str();
            let name = Name::parse(ADMINISTRATOR_NAME)?;
            let made = admin::staff::users::create(store, tenant, &email, &name, role, true, &by()).await;
            made.map_err(refused)?.user
        }
    };
    let password = id::new_ticket_id().to_lowercase();
    let hash = Password::choose(&password, &email).map_err(Invalid::from)?.hash()?;
    let link = admin::staff::users::sign_in_link(store, &user.id, &hash, &by()).await.map_err(refused)?;
    Ok((link, password))
}

/// What the greeting says of a demo that lives.
const ALIVE: &str = "Alive    people buy, pass tickets on and come to the door; start with --still to stop that\n\n";
/// What it says of one that has had all its nights.
const RESTS: &str = "Still    all nights of this demo are over; give it a new database to see it live again\n\n";

fn greet(
    base: &str,
    event_id: &str,
    secret: &Secret,
    token: &Secret,
    (sign_in, password): (&Secret, &str),
    code: Option<&str>,
    life: Option<&str>,
) {
    let life = life.unwrap_or_default();
    let key = secret.reveal();
    let (token, sign_in) = (token.reveal(), sign_in.reveal());
    let code = code.unwrap_or("(everybody is inside)");
    println!(
        "\n{PRODUCER_NAME} is at {base}\n\n\
         Open     {base}/dashboard/links/{sign_in}\n                  the dashboard; the link signs in, once. Later, sign in as\n                  {ADMINISTRATOR} with the password {password}\n         \
         {base}/docs/          the API, to read and to try\n         \
         {base}/docs/errors    every error and what to do\n         \
         {base}/door#{token}\n                  the scanner at the gate; type {code} to let somebody in\n         \
         {base}/                the shop; buy a ticket there with made-up money, and type its code at the gate\n\n\
         Key      {key}\n\n{life}\
         Paste one of these:\n\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/me'\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/events/{event_id}/ticket-types'\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/tickets?event_id={event_id}&status=scanned&limit=3'\n"
    );
}

/// The way to the door for a phone: a code that its camera reads.
fn greet_phone(page: &str, token: &Secret) {
    let link = format!("{page}/door#{}", token.reveal());
    println!(
        "The certificate was made here, so curl needs -k, and browsers warn. To try the door with a phone in the same"
    );
    println!("network, let its camera read this, or open {page}\n");
    if let Ok(code) = QRBuilder::new(link.as_str()).ecl(ECL::L).build() {
        println!("{}\n", code.to_str());
    }
}
