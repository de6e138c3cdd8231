//! `taquilla demo`.

use std::net::SocketAddr;

use anyhow::Context;
use clap::Args;

use super::{
    Database,
    serve::{Listen, serve},
    webhook_allow::WebhookAllow,
};
use crate::{
    app::Time,
    config::{CODES_PAGE, Config},
    demo::{PRODUCER_ID, PRODUCER_NAME, TONIGHT_ID, data},
    domain::{
        admit::Scope,
        clock::Stamp,
        key::{Opens, Permission, Secret},
        status::{Category, TicketStatus},
    },
    import,
    store::{
        Store,
        door_links::{self, NewDoorLink},
        events,
        keys::{self, Key},
        keyset::Position,
        producers::{self, Tenant},
        tickets,
    },
};

const SEED: u64 = 7;
const KEY_NAME: &str = "demo";
const DOOR_LABEL: &str = "Demo gate";

#[derive(Args)]
pub struct Demo {
    #[command(flatten)]
    listen: Listen,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    webhook_allow: WebhookAllow,
}

impl Demo {
    pub async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let now = Time::System.now();
        producers::create(&store, Some(PRODUCER_ID), PRODUCER_NAME, now).await?;
        let tenant = producers::find(&mut store.read().await?, PRODUCER_ID).await?.context("the producer is gone")?;
        if !events::exists(&mut store.read().await?, tenant, TONIGHT_ID).await? {
            eprintln!("Making {PRODUCER_NAME}, its events, orders and tickets …");
            import::run(&store, tenant, data(SEED, now).as_bytes(), &Time::System, |_| ()).await?;
        }
        let secret = fresh_key(&store, tenant).await?;
        let token = fresh_door_link(&store, tenant).await?;
        let code = a_valid_code(&store, tenant).await?;
        let listener = self.listen.bind().await?;
        greet(listener.local_addr()?, &secret, &token, code.as_deref());
        let config = Config { webhook_allow: self.webhook_allow.networks()?, ..Config::default() };
        serve(listener, store, config).await
    }
}

async fn fresh_key(store: &Store, tenant: Tenant) -> anyhow::Result<Secret> {
    let now = Time::System.now();
    let earlier = keys::list(&mut store.read().await?, tenant).await?;
    for Key { id, .. } in earlier.iter().filter(|key| key.name == KEY_NAME && key.revoked_at.is_none()) {
        keys::revoke(store, id, now).await?;
    }
    let secret = Secret::generate(Opens::Api);
    let everything = Permission::ALL.iter().copied().collect();
    keys::create(store, tenant, &secret, KEY_NAME, everything, None, now).await?;
    Ok(secret)
}

async fn fresh_door_link(store: &Store, tenant: Tenant) -> anyhow::Result<Secret> {
    let now = Time::System.now();
    let earlier = door_links::list(&mut store.read().await?, tenant).await?;
    for link in earlier.iter().filter(|link| link.label == DOOR_LABEL && link.revoked_at.is_none()) {
        door_links::revoke(store, &link.id, now).await?;
    }
    let token = Secret::generate(Opens::Door);
    let new = NewDoorLink {
        event_id: TONIGHT_ID,
        label: DOOR_LABEL,
        scope: Scope { categories: vec![Category::Ticket], ticket_types: vec![] },
        stations: vec!["Gate 1".into(), "Gate 2".into()],
        pin: None,
        expires_at: None,
    };
    door_links::create(store, tenant, &token, new, now).await?;
    Ok(token)
}

/// A ticket that the door lets in, to try it with.
async fn a_valid_code(store: &Store, tenant: Tenant) -> anyhow::Result<Option<String>> {
    let mut conn = store.read().await?;
    let mut found = None;
    let start = Position::above(Stamp::END);
    tickets::changed(&mut conn, tenant, TONIGHT_ID, None, start, CODES_PAGE, |ticket| {
        if found.is_none() && ticket.category == Category::Ticket && ticket.status == TicketStatus::Valid {
            found = Some(ticket.id.to_owned());
        }
        Ok(())
    })
    .await?;
    Ok(found)
}

fn greet(address: SocketAddr, secret: &Secret, token: &Secret, code: Option<&str>) {
    let base = format!("http://{address}");
    let key = secret.reveal();
    let token = token.reveal();
    let code = code.unwrap_or("(everybody is inside)");
    println!(
        "\n{PRODUCER_NAME} is at {base}\n\n\
         Open     {base}/docs/          the API, to read and to try\n         \
         {base}/docs/errors    every error and what to do\n         \
         {base}/door#{token}\n                  the scanner at the gate; type {code} to let somebody in\n\n\
         Key      {key}\n\n\
         Paste one of these:\n\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/me'\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/events/{TONIGHT_ID}/ticket-types'\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/tickets?event_id={TONIGHT_ID}&status=scanned&limit=3'\n\n\
         Stop with Ctrl-C.\n"
    );
}
