//! `taquilla key`.

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use serde::Serialize;

use super::{
    Database,
    database::find_producer,
    output::{Output, moment},
    producer::check_name,
};
use crate::{
    app::Time,
    domain::{
        clock::Stamp,
        key::{Opens, Permission, Permissions, Secret},
    },
    store::keys,
    wire::{self, KeyInfo},
};

#[derive(Subcommand)]
pub enum Key {
    /// Create a key; it is shown once, only its hash is kept
    Create(Create),
    /// List a producer's keys, newest first
    List(List),
    /// Revoke a key; the next call with it fails
    Revoke(Revoke),
}

#[derive(Args)]
pub struct Create {
    /// Whose data it reads
    #[arg(long, value_name = "ID")]
    producer: String,
    /// What it is for; one key per integration is a good habit
    #[arg(long)]
    name: String,
    /// What it may read; give it once per permission
    #[arg(long, required = true, value_name = "PERMISSION", value_parser = PossibleValuesParser::new(Permission::ALL.iter().map(|permission| permission.as_str())))]
    permission: Vec<String>,
    /// When it stops working by itself, such as 2027-01-01 or 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME")]
    expires_at: Option<String>,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct List {
    /// Whose keys
    #[arg(long, value_name = "ID")]
    producer: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct Revoke {
    /// The key's id (key_…), as `key list` shows it
    key_id: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

/// A key as commands show it: as the API does, and what only its owner may know.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    info: KeyInfo,
    last_four: String,
    revoked_at: Option<wire::Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

impl Shown {
    fn new(key: &keys::Key, secret: Option<&Secret>) -> Self {
        Self {
            info: KeyInfo::from(key),
            last_four: key.last_four.clone(),
            revoked_at: key.revoked_at.map(Into::into),
            key: secret.map(|secret| secret.reveal().to_owned()),
        }
    }

    fn permissions(&self) -> String {
        self.info.permissions.iter().copied().collect::<Permissions>().to_string()
    }
}

impl Key {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Revoke(revoke) => revoke.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        check_name(&self.name)?;
        let now = Time::System.now();
        let permissions: Permissions = self.permission.iter().filter_map(|name| Permission::parse(name)).collect();
        let expires_at = match &self.expires_at {
            Some(text) => Some(Stamp::parse(text).context("--expires-at is not a date such as 2027-01-01T00:00:00Z")?),
            None => None,
        };
        ensure!(expires_at.is_none_or(|expiry| expiry > now), "--expires-at is in the past");
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let secret = Secret::generate(Opens::Api);
        let key = keys::create(&store, tenant, &secret, &self.name, permissions, expires_at, now).await?;
        let shown = Shown::new(&key, Some(&secret));
        let fields = [
            ("id", shown.info.id.clone()),
            ("name", shown.info.name.clone()),
            ("permissions", shown.permissions()),
            ("expires", moment(shown.info.expires_at)),
            ("key", secret.reveal().to_owned()),
            ("", "Copy the key now: it is not shown again.".to_owned()),
        ];
        self.output.one(&shown, &fields)
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let keys = keys::list(&mut store.read().await?, tenant).await?;
        let shown: Vec<Shown> = keys.iter().map(|key| Shown::new(key, None)).collect();
        let header = ["id", "name", "ends in", "permissions", "created", "last used", "expires", "revoked"];
        self.output.list(&shown, &header, |key| {
            vec![
                key.info.id.clone(),
                key.info.name.clone(),
                key.last_four.clone(),
                key.permissions(),
                moment(Some(key.info.created_at)),
                moment(key.info.last_used_at),
                moment(key.info.expires_at),
                moment(key.revoked_at),
            ]
        })
    }
}

impl Revoke {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let Some(key) = keys::revoke(&store, &self.key_id, Time::System.now()).await? else {
            bail!("there is no key {}; `taquilla key list --producer ID` shows the ids", self.key_id);
        };
        let shown = Shown::new(&key, None);
        let fields =
            [("id", shown.info.id.clone()), ("name", shown.info.name.clone()), ("revoked", moment(shown.revoked_at))];
        self.output.one(&shown, &fields)
    }
}
