//! A fresh database and a server on it, with a clock that the test steps.

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use reqwest::Method;
use serde_json::Value;
use taquilla_domain::{
    admit::Scope,
    audit::By,
    clock::Stamp,
    config::{Config, PostgresTimeouts},
    door_link::{DoorLink, LinkOptions, NewDoorLink, Stations},
    key::{Key, Permission},
    money::Currency,
    status::Category,
    text::Name,
    time_source::TimeSource,
    time_zone::TimeZone,
};
use taquilla_rules::{
    admin::{
        self,
        catalogue::{EventChange, change_event},
    },
    import,
};
use taquilla_store::{
    Open, Store, Tenant,
    check::{self, Finding},
    producers,
};

use super::{
    client::Client,
    cluster::Cluster,
    databases::{Engine, is_on_citus, new_postgres_database, new_sqlite_database},
    raw::Raw,
    server::Server,
};

/// Runs a test's body in a world of its own.
pub fn run<F: Future<Output = ()>>(engine: Engine, body: impl FnOnce(World) -> F) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { body(World::new(engine).await).await });
}

/// Runs a test's body, and its server, in one thread: what is spawned begins when the body waits.
pub fn run_in_one_thread<F: Future<Output = ()>>(engine: Engine, body: impl FnOnce(World) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { body(World::new(engine).await).await });
}

/// A fresh database and a server on it.
pub struct World {
    pub engine: Engine,
    /// The `--database` address.
    pub address: String,
    pub store: Store,
    pub server: Server,
    pub client: Client,
    time: Arc<AtomicI64>,
    _folder: tempfile::TempDir,
}

impl World {
    async fn new(engine: Engine) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = match engine {
            Engine::Sqlite => new_sqlite_database(folder.path()).await,
            Engine::Postgres => new_postgres_database().await,
        };
        Self::at(engine, address, folder).await
    }

    /// A world on a cluster of its own.
    pub async fn on(cluster: &Cluster) -> Self {
        Self::at(Engine::Postgres, cluster.address(), tempfile::tempdir().unwrap()).await
    }

    /// A world on a PostgreSQL database that is there.
    pub async fn at_address(address: &str) -> Self {
        Self::at(Engine::Postgres, address.to_owned(), tempfile::tempdir().unwrap()).await
    }

    async fn at(engine: Engine, address: String, folder: tempfile::TempDir) -> Self {
        let time = Arc::new(AtomicI64::new(Stamp::parse("2026-11-01T12:00:00Z").unwrap().micros()));
        let clock = TimeSource::Stepped(Arc::clone(&time));
        let store = Store::open_with(&address, Open::MayCreate, PostgresTimeouts::default(), clock).await.unwrap();
        let server = Server::start(store.clone(), Config::default(), TimeSource::Stepped(Arc::clone(&time))).await;
        let client = Client::new(server.address);
        // Once the server answers, it has written all that it writes at its start, so tests do not see those writes.
        client.send(Method::GET, "/healthz", &[]).await;
        Self { engine, address, store, server, client, time, _folder: folder }
    }

    pub fn now(&self) -> Stamp {
        Stamp::from_micros(self.time.load(Ordering::SeqCst))
    }

    /// Staff at the command line, now.
    pub fn by(&self) -> By {
        By::command_line("tester", self.now())
    }

    pub fn time(&self) -> TimeSource {
        TimeSource::Stepped(Arc::clone(&self.time))
    }

    pub fn step(&self, span: Duration) {
        self.time.fetch_add(span.as_micros() as i64, Ordering::SeqCst);
    }

    /// Sets the clock back.
    pub fn step_back(&self, span: Duration) {
        self.time.fetch_sub(span.as_micros() as i64, Ordering::SeqCst);
    }

    /// A second server on the same database, with its own settings.
    pub async fn another_server(&self, config: Config) -> (Server, Client) {
        let server = Server::start(self.store.clone(), config, self.time()).await;
        let client = Client::new(server.address);
        (server, client)
    }

    /// Two servers on the same database, with connections of their own and without limits on how often anybody may ask.
    pub async fn two_servers(&self) -> [(Server, Client); 2] {
        let config = configured(without_shop_limits(), |config| config.rates.door = None);
        let timeouts = PostgresTimeouts::default();
        let elsewhere = Store::open_with(&self.address, Open::Existing, timeouts, self.time()).await.unwrap();
        let second = Server::start(elsewhere, config.clone(), self.time()).await;
        let there = Client::new(second.address);
        [self.another_server(config).await, (second, there)]
    }

    /// Opens the database anew, as after a restart, with another server.
    pub async fn reopened(mut self, config: Config, timeouts: PostgresTimeouts) -> Self {
        self.server.stop().await;
        self.store = Store::open_with(&self.address, Open::Existing, timeouts, self.time()).await.unwrap();
        (self.server, self.client) = self.another_server(config).await;
        self
    }

    /// A producer with a key that may read everything.
    pub async fn producer(&self, id: &str) -> Producer {
        let name = Name::parse(&format!("{id} Ltd")).unwrap();
        let producer = a_producer(name);
        admin::producers::create(&self.store, Some(id), &producer, &self.by()).await.unwrap();
        let tenant = producers::find(&mut self.store.read().await.unwrap(), id).await.unwrap().unwrap();
        let (key, _) = self.key(tenant, Permission::ALL, None).await;
        Producer { tenant, key }
    }

    pub async fn key(&self, tenant: Tenant, permissions: &[Permission], expires_at: Option<Stamp>) -> (String, Key) {
        let (name, permissions) = (Name::parse("test").unwrap(), permissions.iter().copied().collect());
        let created = admin::keys::create(&self.store, tenant, name, permissions, expires_at, &self.by()).await;
        let (key, secret) = created.unwrap();
        (secret.reveal().to_owned(), key)
    }

    /// Connects a payment processor, and gives the secret that it signs with.
    pub async fn connect_processor(&self, producer: &Producer) -> String {
        let connected = admin::payments::connect(&self.store, producer.tenant, false, &self.by()).await;
        connected.unwrap().0.reveal()
    }

    /// Revokes a key as staff do.
    pub async fn revoke_key(&self, tenant: Tenant, id: &str) {
        admin::keys::revoke(&self.store, tenant, id, &self.by()).await.unwrap();
    }

    /// A door link with the harness's default settings.
    pub fn new_door(event_id: &str, categories: &[Category]) -> NewDoorLink {
        NewDoorLink {
            event_id: event_id.to_owned(),
            more_events: vec![],
            label: Name::parse("Gate").unwrap(),
            scope: Scope { categories: categories.to_vec(), ticket_types: vec![] },
            stations: Stations::default(),
            zone: None,
            options: LinkOptions::default(),
            pin: None,
            expires_at: None,
        }
    }

    /// A door link that admits these categories, and its token.
    pub async fn door(&self, tenant: Tenant, event_id: &str, categories: &[Category]) -> (String, DoorLink) {
        self.door_link(tenant, Self::new_door(event_id, categories)).await
    }

    pub async fn door_link(&self, tenant: Tenant, new: NewDoorLink) -> (String, DoorLink) {
        let (link, token) = admin::door_links::create(&self.store, tenant, new, &self.by()).await.unwrap();
        (token.reveal().to_owned(), link)
    }

    pub async fn import(&self, tenant: Tenant, lines: &[Value]) {
        self.try_import(tenant, lines).await.unwrap();
    }

    pub async fn try_import(&self, tenant: Tenant, lines: &[Value]) -> Result<import::Summary, import::Error> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        import::run(&self.store, tenant, text.as_bytes(), &self.by(), &self.time(), |_| ()).await
    }

    /// Gives an event another time zone.
    pub async fn move_event(&self, tenant: Tenant, event_id: &str, zone: &str) {
        let change = EventChange { timezone: Some(TimeZone::parse(zone).unwrap()), ..EventChange::default() };
        change_event(&self.store, tenant, event_id, &change, None, &self.by()).await.unwrap();
    }

    /// Everything that `taquilla check` finds wrong.
    pub async fn findings(&self) -> Vec<Finding> {
        let mut conn = self.store.dedicated().await.unwrap();
        let mut findings = Vec::new();
        for (tenant, id) in producers::all(&mut conn).await.unwrap() {
            findings.extend(check::producer(&mut conn, tenant, &id).await.unwrap());
        }
        findings
    }

    /// Direct access to the database, past the store.
    pub async fn raw(&self) -> Raw {
        Raw::open(&self.address).await
    }

    /// Another process that holds the producer's clock until it is dropped; on SQLite it holds the whole file.
    pub async fn hold(&self, producer: &Producer) -> Raw {
        let raw = self.raw().await;
        let number = producer.tenant.number();
        let postgres = format!("BEGIN; UPDATE clocks SET clock = clock WHERE producer_id = {number}");
        raw.batch(if self.engine == Engine::Sqlite { "BEGIN IMMEDIATE" } else { &postgres }).await;
        raw
    }

    /// How many transactions wait for a lock of PostgreSQL. Where tables are spread over machines, they wait on a worker.
    pub async fn waiting_for_locks(&self) -> usize {
        let raw = self.raw().await;
        let on_workers = "SELECT DISTINCT waiting_gpid FROM citus_lock_waits";
        let here = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        raw.rows(if is_on_citus() { on_workers } else { here }).await.len()
    }

    /// Every row of every table, without the columns named.
    pub async fn contents(&self, except: &[(&str, &str)]) -> BTreeMap<String, Vec<String>> {
        self.raw().await.contents(except).await
    }
}

/// A producer of this name, as the command line makes one.
pub fn a_producer(name: Name) -> admin::producers::Producer {
    let currency = Currency::parse("EUR").unwrap();
    admin::producers::Producer { name, time_zone: TimeZone::default(), currency }
}

/// Settings, changed.
pub fn configured(mut config: Config, change: impl FnOnce(&mut Config)) -> Config {
    change(&mut config);
    config
}

/// Settings that let one address and one buyer place any number of orders.
pub fn without_shop_limits() -> Config {
    configured(Config::default(), |config| {
        config.rates.shop = None;
        config.holds.per_address = None;
        config.holds.per_buyer = None;
    })
}

pub struct Producer {
    pub tenant: Tenant,
    pub key: String,
}

/// Runs a test that uses the runtime itself, as proptest does.
pub fn run_blocking(engine: Engine, body: impl FnOnce(World, &tokio::runtime::Runtime)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let world = runtime.block_on(World::new(engine));
    body(world, &runtime);
}
