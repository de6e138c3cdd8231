//! `taquilla demo`.

use std::net::SocketAddr;

use anyhow::Context;
use clap::Args;

use super::{
    Database,
    serve::{Listen, serve},
};
use crate::{
    app::Time,
    config::Config,
    demo::{PRODUCER_ID, PRODUCER_NAME, TONIGHT_ID, data},
    domain::key::{Permission, Secret},
    import,
    store::{
        Store, events,
        keys::{self, Key},
        producers::{self, Tenant},
    },
};

const SEED: u64 = 7;
const KEY_NAME: &str = "demo";

#[derive(Args)]
pub struct Demo {
    #[command(flatten)]
    listen: Listen,
    #[command(flatten)]
    database: Database,
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
        let listener = self.listen.bind().await?;
        greet(listener.local_addr()?, &secret);
        serve(listener, store, Config::default()).await
    }
}

async fn fresh_key(store: &Store, tenant: Tenant) -> anyhow::Result<Secret> {
    let now = Time::System.now();
    let earlier = keys::list(&mut store.read().await?, tenant).await?;
    for Key { id, .. } in earlier.iter().filter(|key| key.name == KEY_NAME && key.revoked_at.is_none()) {
        keys::revoke(store, id, now).await?;
    }
    let secret = Secret::generate();
    let everything = Permission::ALL.iter().copied().collect();
    keys::create(store, tenant, &secret, KEY_NAME, everything, None, now).await?;
    Ok(secret)
}

fn greet(address: SocketAddr, secret: &Secret) {
    let base = format!("http://{address}");
    let key = secret.reveal();
    println!(
        "\n{PRODUCER_NAME} is at {base}\n\n\
         Open     {base}/docs/          the API, to read and to try\n         \
         {base}/docs/errors    every error and what to do\n\n\
         Key      {key}\n\n\
         Paste one of these:\n\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/me'\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/events/{TONIGHT_ID}/ticket-types'\n\
         curl -H 'Authorization: Bearer {key}' '{base}/api/v1/tickets?event_id={TONIGHT_ID}&status=scanned&limit=3'\n\n\
         Stop with Ctrl-C.\n"
    );
}
