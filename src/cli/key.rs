//! `taquilla key`.

use anyhow::bail;
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use serde::Serialize;

use taquilla_domain::{
    clock::Stamp,
    key::{Key as ApiKey, Permission, Permissions, Secret},
    text::Name,
};
use taquilla_rules::admin;
use taquilla_store::{keys, owners};
use taquilla_wire::{Time, api::KeyInfo};

use super::{
    by::by,
    common::{Common, OfProducer},
    flags,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
};

#[derive(Subcommand)]
pub enum Key {
    /// Create a key; it is shown once, only its hash is kept
    Create(Create),
    /// List a producer's keys, newest first
    List(OfProducer),
    /// Revoke a key; the next call with it fails
    Revoke(Revoke),
}

#[derive(Args)]
pub struct Create {
    /// What it is for; make one key per integration
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// What it may read; repeat for several
    #[arg(long, required = true, value_name = "PERMISSION", value_parser = PossibleValuesParser::new(Permission::ALL.iter().map(|permission| permission.as_str())))]
    permission: Vec<String>,
    /// When it stops working by itself, such as 2027-01-01 or 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    expires_at: Option<Stamp>,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Revoke {
    /// The key's id (key_…), as `key list` shows it
    #[arg(value_parser = flags::id)]
    key_id: String,
    #[command(flatten)]
    common: Common,
}

/// A key as commands show it: as the API does, and what only its owner may know.
#[derive(Serialize)]
struct KeyOutput<'a> {
    #[serde(flatten)]
    info: KeyInfo<'a>,
    last_four: &'a str,
    revoked_at: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
}

impl<'a> KeyOutput<'a> {
    fn new(key: &'a ApiKey, secret: Option<&'a Secret>) -> Self {
        Self {
            info: KeyInfo::from(key),
            last_four: &key.last_four,
            revoked_at: key.life.revoked_at.map(Time),
            key: secret.map(Secret::reveal),
        }
    }
}

impl Key {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(of) => list(of).await,
            Self::Revoke(revoke) => revoke.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let permissions: Permissions = self.permission.iter().filter_map(|name| Permission::parse(name)).collect();
        let (store, tenant) = self.of.open().await?;
        let created = admin::keys::create(&store, tenant, self.name, permissions, self.expires_at, &by()).await;
        let (key, secret) = created.map_err(refused)?;
        let fields = [
            ("id", key.id.clone()),
            ("name", key.name.clone()),
            ("permissions", key.permissions.to_string()),
            ("expires", moment(key.life.expires_at)),
            ("key", secret.reveal().to_owned()),
            ("", "Copy the key now: it is not shown again.".to_owned()),
        ];
        self.of.output().one(&KeyOutput::new(&key, Some(&secret)), &fields)
    }
}

async fn list(of: OfProducer) -> anyhow::Result<()> {
    let (store, tenant) = of.open().await?;
    let keys = keys::list(&mut store.read().await?, tenant).await?;
    let columns = [Id("id"), Text("name"), Fact("ends in"), Fact("revoked")];
    let more = [Text("permissions"), Fact("created"), Fact("last used"), Fact("expires")];
    of.output().list(
        &keys,
        &columns,
        &more,
        |key| KeyOutput::new(key, None),
        |key| {
            vec![
                key.id.clone(),
                key.name.clone(),
                key.last_four.clone(),
                moment(key.life.revoked_at),
                key.permissions.to_string(),
                moment(Some(key.life.created_at)),
                moment(key.life.last_used_at),
                moment(key.life.expires_at),
            ]
        },
    )
}

impl Revoke {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.common.open().await?;
        let owner = owners::of_key(&mut store.read().await?, &self.key_id).await?;
        let Some(tenant) = owner else {
            bail!("there is no key {}; `taquilla key list --producer ID` shows the ids", self.key_id);
        };
        let key = admin::keys::revoke(&store, tenant, &self.key_id, &by()).await.map_err(refused)?;
        let fields = [("id", key.id.clone()), ("name", key.name.clone()), ("revoked", moment(key.life.revoked_at))];
        self.common.output.one(&KeyOutput::new(&key, None), &fields)
    }
}
