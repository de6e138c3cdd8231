//! `taquilla pool`.

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde::Serialize;

use taquilla_domain::{
    count::Count,
    id,
    pool::{NewPool, Pool},
    text::Name,
};
use taquilla_rules::admin::catalogue::{PoolChange, change_pool, create_pool, end_pool};
use taquilla_store as store;
use taquilla_store::{Conn, Store, Tenant, catalogue::pools, owners, producers};
use taquilla_wire::Time;

use super::{
    by::by,
    catalogue_find::an_event,
    common::{Common, OfProducer, PRODUCER},
    flags,
    hold::PastHoldsFlag,
    output::{
        Column::{Fact, Id, Text},
        Output, refused,
    },
};

#[derive(Subcommand)]
pub enum Pools {
    /// Let ticket types of an event share places: they sell out together
    ///
    /// A bundle takes the places of what it includes.
    Create(Create),
    /// List the pools of an event, and how full they are
    List(List),
    /// Change a pool; what is not named stays
    Change(Change),
    /// End a pool: its ticket types sell by their own limits alone
    End(Which),
}

#[derive(Args)]
pub struct Create {
    /// The event whose ticket types share it
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    /// Its id; generated if left out
    #[arg(long, value_parser = flags::id)]
    id: Option<String>,
    /// Its name, for staff
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// How many places it has
    #[arg(long, value_parser = Count::parse)]
    limit: Count,
    /// A ticket type that shares it; repeat it for each
    #[arg(long, value_name = "ID", value_parser = flags::id, required = true)]
    ticket_type: Vec<String>,
    #[command(flatten)]
    past_holds: PastHoldsFlag,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct List {
    /// The event whose ticket types share them
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    #[command(flatten)]
    whose: Whose,
}

#[derive(Args)]
pub struct Change {
    /// The pool's id
    #[arg(value_parser = flags::id)]
    pool_id: String,
    /// Its name, for staff
    #[arg(long, value_parser = Name::parse)]
    name: Option<Name>,
    /// How many places it has
    #[arg(long, value_parser = Count::parse)]
    limit: Option<Count>,
    /// A ticket type that is to share it; name all of them, repeating it for each
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    ticket_type: Vec<String>,
    #[command(flatten)]
    past_holds: PastHoldsFlag,
    #[command(flatten)]
    whose: Whose,
}

#[derive(Args)]
pub struct Which {
    /// The pool's id
    #[arg(value_parser = flags::id)]
    pool_id: String,
    #[command(flatten)]
    whose: Whose,
}

/// Whose something is that is named by its id.
#[derive(Args)]
struct Whose {
    /// The producer's id, where two of them have something of this id
    #[arg(long, value_name = "ID", env = PRODUCER, value_parser = flags::id)]
    producer: Option<String>,
    #[command(flatten)]
    common: Common,
}

impl Whose {
    /// The database, and the producer that was named or the only one of these owners.
    async fn open(&self, what: &str, owners: impl AsyncFnOnce(&mut Conn) -> store::Result<Vec<Tenant>>) -> Found {
        let store = self.common.open().await?;
        if let Some(id) = &self.producer {
            let found = producers::find(&mut store.read().await?, id).await?;
            return Ok((store, found.with_context(|| format!("there is no producer {id}"))?));
        }
        let found = owners(&mut store.read().await?).await?;
        match found.as_slice() {
            [tenant] => Ok((store, *tenant)),
            [] => bail!("there is no {what}"),
            _ => bail!("two producers have {what}; say which with --producer"),
        }
    }

    async fn open_pool(&self, id: &str) -> Found {
        self.open(&format!("pool {id}"), async |conn: &mut Conn| owners::of_pool(conn, id).await).await
    }
}

type Found = anyhow::Result<(Store, Tenant)>;

/// A pool as commands show it, and as an import takes it.
#[derive(Serialize)]
struct ShownPool<'a> {
    id: &'a str,
    event_id: &'a str,
    name: &'a str,
    limit: i64,
    taken: i64,
    held: i64,
    free: i64,
    ticket_type_ids: &'a [String],
    updated_at: Time,
}

impl<'a> From<&'a Pool> for ShownPool<'a> {
    fn from(pool: &'a Pool) -> Self {
        Self {
            id: &pool.id,
            event_id: &pool.event_id,
            name: &pool.name,
            limit: pool.places.limit,
            taken: pool.places.taken,
            held: pool.places.held,
            free: pool.places.free(),
            ticket_type_ids: &pool.items,
            updated_at: Time(pool.updated_at),
        }
    }
}

impl Pools {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Change(change) => change.run().await,
            Self::End(which) => which.end().await,
        }
    }
}

fn print(pool: &Pool, output: &Output) -> anyhow::Result<()> {
    let fields = [
        ("id", pool.id.clone()),
        ("name", pool.name.clone()),
        ("taken", format!("{} of {}", pool.places.taken, pool.places.limit)),
        ("held", pool.places.held.to_string()),
        ("free", pool.places.free().to_string()),
        ("shared by", pool.items.join(", ")),
    ];
    output.one(&ShownPool::from(pool), &fields)
}

async fn show(store: &Store, tenant: Tenant, id: &str, output: &Output) -> anyhow::Result<()> {
    let found = pools::find(&mut store.read().await?, tenant, id).await?;
    print(&found.context("there is no such pool")?, output)
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let by = by();
        let pool = NewPool {
            id: self.id.unwrap_or_else(|| id::new_id("pool", by.now)),
            event_id: self.event,
            name: self.name,
            limit: self.limit,
            items: self.ticket_type,
        };
        create_pool(&store, tenant, &pool, self.past_holds.get(), &by).await.map_err(refused)?;
        let shown = show(&store, tenant, &pool.id, self.of.output()).await;
        shown.with_context(|| format!("{} is created, but cannot be shown", pool.id))
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let what = format!("event {}", self.event);
        let (store, tenant) =
            self.whose.open(&what, async |conn: &mut Conn| owners::of_event(conn, &self.event).await).await?;
        an_event(&store, tenant, Some(&self.event)).await?;
        let pools = pools::of_event(&mut store.read().await?, tenant, &self.event).await?;
        let columns = [Id("id"), Text("limit"), Text("taken"), Text("held"), Text("free"), Text("name")];
        self.whose.common.output.list(&pools, &columns, &[Fact("shared by")], ShownPool::from, |pool| {
            let places = &pool.places;
            vec![
                pool.id.clone(),
                places.limit.to_string(),
                places.taken.to_string(),
                places.held.to_string(),
                places.free().to_string(),
                pool.name.clone(),
                pool.items.join(", "),
            ]
        })
    }
}

impl Change {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.whose.open_pool(&self.pool_id).await?;
        let items = Some(self.ticket_type).filter(|items| !items.is_empty());
        let change = PoolChange { name: self.name, limit: self.limit, items };
        let past_holds = self.past_holds.get();
        change_pool(&store, tenant, &self.pool_id, &change, past_holds, None, &by()).await.map_err(refused)?;
        show(&store, tenant, &self.pool_id, &self.whose.common.output).await
    }
}

impl Which {
    async fn end(self) -> anyhow::Result<()> {
        let (store, tenant) = self.whose.open_pool(&self.pool_id).await?;
        let ended = end_pool(&store, tenant, &self.pool_id, &by()).await.map_err(refused)?;
        print(&ended, &self.whose.common.output)
    }
}
