//! A running Taquilla for each test, on either engine, with a clock that the test steps.

use std::{
    collections::BTreeMap,
    future::Future,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use reqwest::{Method, StatusCode, header::HeaderMap};
use serde_json::{Value, json};
use taquilla::{
    app::Time,
    config::Config,
    domain::{
        admit::Scope,
        clock::Stamp,
        key::{Opens, Permission, Secret},
        status::Category,
    },
    import, server,
    store::{
        Store,
        check::{self, Finding},
        door_links::{self, DoorLink, NewDoorLink},
        keys::{self, Key},
        producers::{self, Tenant},
    },
};
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

/// Runs each test of a list on both engines: `both_engines![a_test, another_test];` for `async fn a_test(world: World)`.
/// The tests themselves stand outside the macro, where rustfmt sees them; one that is not listed is dead code.
macro_rules! both_engines {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            #[test]
            fn sqlite() {
                crate::harness::run(crate::harness::Engine::Sqlite, super::$name);
            }

            #[test]
            fn postgres() {
                crate::harness::run(crate::harness::Engine::Postgres, super::$name);
            }
        })+
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// Runs a test's body in a world of its own.
pub fn run<F: Future<Output = ()>>(engine: Engine, body: impl FnOnce(World) -> F) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
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
            Engine::Sqlite => format!("sqlite:{}", folder.path().join("test.db").display()),
            Engine::Postgres => new_postgres_database().await,
        };
        let store = Store::open(&address).await.unwrap();
        let time = Arc::new(AtomicI64::new(Stamp::parse("2026-11-01T12:00:00Z").unwrap().micros()));
        let server = Server::start(store.clone(), Config::default(), Time::Stepped(Arc::clone(&time))).await;
        let client = Client::new(server.address);
        // Once it answers it has written what it writes at its start, and a test sees no more of that.
        client.send(Method::GET, "/healthz", &[]).await;
        Self { engine, address, store, server, client, time, _folder: folder }
    }

    pub fn now(&self) -> Stamp {
        Stamp::from_micros(self.time.load(Ordering::SeqCst))
    }

    pub fn time(&self) -> Time {
        Time::Stepped(Arc::clone(&self.time))
    }

    pub fn step(&self, span: Duration) {
        self.time.fetch_add(span.as_micros() as i64, Ordering::SeqCst);
    }

    /// A second server on the same database, with its own settings.
    pub async fn another_server(&self, config: Config) -> (Server, Client) {
        let server = Server::start(self.store.clone(), config, self.time()).await;
        let client = Client::new(server.address);
        (server, client)
    }

    /// A producer with a key that may read everything.
    pub async fn producer(&self, id: &str) -> Producer {
        producers::create(&self.store, Some(id), &format!("{id} Ltd"), self.now()).await.unwrap().unwrap();
        let tenant = producers::find(&mut self.store.read().await.unwrap(), id).await.unwrap().unwrap();
        let (key, _) = self.key(tenant, Permission::ALL, None).await;
        Producer { tenant, key }
    }

    pub async fn key(&self, tenant: Tenant, permissions: &[Permission], expires_at: Option<Stamp>) -> (String, Key) {
        let secret = Secret::generate(Opens::Api);
        let permissions = permissions.iter().copied().collect();
        let key =
            keys::create(&self.store, tenant, &secret, "test", permissions, expires_at, self.now()).await.unwrap();
        (secret.reveal().to_owned(), key)
    }

    /// A door link that admits these categories, and its token.
    pub async fn door(&self, tenant: Tenant, event_id: &str, categories: &[Category]) -> (String, DoorLink) {
        let scope = Scope { categories: categories.to_vec(), ticket_types: vec![] };
        let new = NewDoorLink { event_id, label: "Gate", scope, stations: vec![], pin: None, expires_at: None };
        self.door_link(tenant, new).await
    }

    pub async fn door_link(&self, tenant: Tenant, new: NewDoorLink<'_>) -> (String, DoorLink) {
        let token = Secret::generate(Opens::Door);
        let link = door_links::create(&self.store, tenant, &token, new, self.now()).await.unwrap();
        (token.reveal().to_owned(), link)
    }

    pub async fn import(&self, tenant: Tenant, lines: &[Value]) {
        self.try_import(tenant, lines).await.unwrap();
    }

    pub async fn try_import(&self, tenant: Tenant, lines: &[Value]) -> Result<import::Summary, import::Error> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        import::run(&self.store, tenant, text.as_bytes(), &self.time(), |_| ()).await
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

    /// Every row of every table, but for the tables and columns named.
    pub async fn contents(&self, except: &[(&str, &str)]) -> BTreeMap<String, Vec<String>> {
        let mut conn = self.store.read().await.unwrap();
        let mut contents = BTreeMap::new();
        for (table, columns) in TABLES {
            let columns: Vec<&str> = columns.split(' ').filter(|column| !except.contains(&(*table, *column))).collect();
            let texts: Vec<String> =
                columns.iter().map(|column| format!("coalesce(CAST({column} AS TEXT), 'NULL')")).collect();
            let mut rows = Vec::new();
            let sql = format!("SELECT {} FROM {table}", texts.join(" || '|' || "));
            conn.query(&sql, &[], |row| {
                rows.push(row.text(0)?.to_owned());
                Ok(())
            })
            .await
            .unwrap();
            rows.sort();
            contents.insert((*table).to_owned(), rows);
        }
        contents
    }
}

const TABLES: &[(&str, &str)] = &[
    ("settings", "name value"),
    ("order_attendees", "producer_id order_id position unit name email phone document"),
    ("idempotency_keys", "producer_id key request_hash answer created_at"),
    ("outbox", "producer_id seq id kind occurred_at data endpoint_id"),
    (
        "webhook_endpoints",
        "producer_id id url kinds personal_data secret old_secrets state state_since created_at deleted_at outbox_seq last_number rests_until failing_since last_success_at lease_owner lease_until",
    ),
    ("webhook_deliveries", "producer_id endpoint_id number event_seq status due_at rung attempts"),
    ("webhook_attempts", "producer_id endpoint_id number attempt attempted_at duration_ms status problem response"),
    (
        "door_links",
        "id producer_id event_id label categories ticket_types stations hash last_four pin_hash salt created_at expires_at revoked_at last_used_at",
    ),
    ("scans", "producer_id scan_id seq door_link_id station code_hash ticket_id outcome scanned_at accepted_at answer"),
    ("payment_accounts", "producer_id secret created_at"),
    ("payments", "producer_id id outcome order_id amount currency result received_at"),
    ("producers", "producer_id id name created_at clock sequence catalog_version"),
    ("api_keys", "id producer_id name permissions hash last_four created_at expires_at revoked_at last_used_at"),
    (
        "events",
        "producer_id seq id name description venue timezone starts_at ends_at currency status image_url created_at updated_at",
    ),
    (
        "ticket_types",
        "producer_id id event_id kind category name description image_url price currency status deleted stock_limit sold max_per_order expires_at sort_order access_code valid_tickets scanned_tickets",
    ),
    ("bundle_items", "producer_id bundle_id position ticket_type_id quantity"),
    (
        "orders",
        "producer_id seq id reference event_id status buyer_name buyer_email buyer_phone buyer_document currency total created_at updated_at",
    ),
    ("order_items", "producer_id order_id position ticket_type_id kind name quantity list_price unit_price total"),
    (
        "tickets",
        "producer_id seq id event_id order_id ticket_type_id bundle_id bundle_unit from_bundle status hidden attendee_id attendee_name attendee_email attendee_phone attendee_document issued_at checked_in_at checked_in_by transferred_at transferred_to cancelled_at updated_at document",
    ),
];

pub struct Producer {
    pub tenant: Tenant,
    pub key: String,
}

/// A server on a free port of this machine.
pub struct Server {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

impl Server {
    pub async fn start(store: Store, config: Config, time: Time) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let shutdown = async {
                // Asked to stop, or the test is over.
                let _ = stopped.await;
            };
            server::run(listener, store, config, time, shutdown).await.unwrap();
        });
        Self { address, stop: Some(stop), running }
    }

    /// Stops and waits for everything in flight, notes of last use included.
    pub async fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        (&mut self.running).await.unwrap();
    }
}

/// A client for http that goes nowhere but where it is sent.
pub fn http_client() -> reqwest::Client {
    // reqwest wants TLS even where a test only speaks http: any will do, and no certificates that take time to read.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    builder.tls_certs_only([]).build().unwrap()
}

/// A client that checks of every answer what must hold for all of them.
#[derive(Clone)]
pub struct Client {
    pub base: String,
    http: reqwest::Client,
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        Self { base: format!("http://{address}"), http: http_client() }
    }

    pub async fn get(&self, path: &str, key: &str) -> Answer {
        self.send(Method::GET, path, &[("authorization", &format!("Bearer {key}"))]).await
    }

    /// Sends JSON.
    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut request = self.http.post(format!("{}{path}", self.base)).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::read(request.send().await.unwrap(), &Method::POST).await
    }

    /// Sends JSON to a server that may be dying: nothing when no whole answer came.
    pub async fn try_post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Option<Answer> {
        let mut request = self.http.post(format!("{}{path}", self.base)).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.ok()?;
        let (status, headers) = (response.status(), response.headers().clone());
        Some(Answer { status, headers, text: response.text().await.ok()? })
    }

    pub async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::read(request.send().await.unwrap(), &method).await
    }
}

impl Answer {
    async fn read(response: reqwest::Response, method: &Method) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let answer = Self { status, headers, text: response.text().await.unwrap() };
        answer.check(method);
        answer
    }

    /// What holds for every answer: a request id, no sniffing, and a problem document for every error.
    fn check(&self, method: &Method) {
        assert!(self.header("x-request-id").is_some_and(|id| id.len() >= 16), "{self:?}");
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"), "{self:?}");
        assert!(self.header("date").is_some(), "{self:?}");
        if self.status.as_u16() >= 400 {
            assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
            if method != Method::HEAD {
                let problem = self.json();
                assert_eq!(problem["status"], self.status.as_u16(), "{problem}");
                assert_eq!(problem["request_id"], self.header("x-request-id").unwrap(), "{problem}");
                let kind = format!("/docs/errors#{}", problem["code"].as_str().unwrap());
                assert_eq!(problem["type"], kind.as_str(), "{problem}");
                assert!(problem["title"].is_string() && problem["detail"].is_string(), "{problem}");
            }
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|cause| panic!("{cause}: {}", self.text))
    }

    /// The rows of a list that must have been answered.
    pub fn data(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()["data"].as_array().unwrap().clone()
    }

    /// The code and the parameter of an error, with its status.
    pub fn problem(&self) -> (u16, String, Option<String>) {
        let problem = self.json();
        (
            self.status.as_u16(),
            problem["code"].as_str().unwrap().to_owned(),
            problem["param"].as_str().map(str::to_owned),
        )
    }

    /// The ids in a list that must have been answered.
    pub fn ids(&self) -> Vec<String> {
        self.data().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// A problem as [`Answer::problem`] tells it.
pub fn problem(status: u16, code: &str, param: Option<&str>) -> (u16, String, Option<String>) {
    (status, code.to_owned(), param.map(str::to_owned))
}

/// A clone of the migrated template in the cluster that `tests/with-services` started.
async fn new_postgres_database() -> String {
    let cluster = std::env::var("TAQUILLA_TEST_POSTGRES")
        .expect("these tests need PostgreSQL: run `make test`, or `tests/with-services cargo nextest run NAME`");
    let (admin, connection) =
        tokio_postgres::connect(&format!("{cluster}/postgres"), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    // Tests run in processes of their own: the first one makes the template, the others wait for it.
    admin.batch_execute("SELECT pg_advisory_lock(1)").await.unwrap();
    let made = admin.query_opt("SELECT 1 FROM pg_database WHERE datname = 'template_taquilla'", &[]).await.unwrap();
    if made.is_none() {
        admin.batch_execute("CREATE DATABASE making").await.unwrap();
        drop(Store::open(&format!("{cluster}/making")).await.unwrap());
        while admin.batch_execute("ALTER DATABASE making RENAME TO template_taquilla").await.is_err() {
            tokio::task::yield_now().await;
        }
    }
    let name = format!("test_{:032x}", rand::random::<u128>());
    admin.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template_taquilla")).await.unwrap();
    admin.batch_execute("SELECT pg_advisory_unlock(1)").await.unwrap();
    format!("{cluster}/{name}")
}

/// An empty PostgreSQL database that was never migrated.
pub async fn new_address(engine: Engine, folder: &std::path::Path) -> String {
    match engine {
        Engine::Sqlite => format!("sqlite:{}", folder.join("fresh").join("new.db").display()),
        Engine::Postgres => {
            let cluster = std::env::var("TAQUILLA_TEST_POSTGRES").unwrap();
            let (admin, connection) =
                tokio_postgres::connect(&format!("{cluster}/postgres"), tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(connection);
            let name = format!("empty_{:032x}", rand::random::<u128>());
            admin.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
            format!("{cluster}/{name}")
        }
    }
}

pub fn event(id: &str) -> Value {
    json!({"kind": "event", "id": id, "name": format!("Event {id}"), "currency": "EUR", "timezone": "Europe/Madrid"})
}

pub fn ticket_type(id: &str, event_id: &str) -> Value {
    json!({"kind": "ticket_type", "id": id, "event_id": event_id, "name": format!("Type {id}"), "price": 25, "currency": "EUR"})
}

pub fn order(id: &str, event_id: &str, ticket_type_id: &str) -> Value {
    json!({
        "kind": "order", "id": id, "event_id": event_id, "status": "approved", "currency": "EUR",
        "items": [{"ticket_type_id": ticket_type_id, "quantity": 1, "unit_price": 25}],
    })
}

pub fn ticket(id: &str, event_id: &str, ticket_type_id: &str) -> Value {
    json!({"kind": "ticket", "id": id, "event_id": event_id, "ticket_type_id": ticket_type_id, "issued_at": "2026-10-01T10:00:00Z"})
}

/// A line with some fields set or replaced.
pub fn with(mut line: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().unwrap() {
        line[name] = value.clone();
    }
    line
}

/// Runs a test that drives the runtime itself, as proptest does.
pub fn run_blocking(engine: Engine, body: impl FnOnce(World, &tokio::runtime::Runtime)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let world = runtime.block_on(World::new(engine));
    body(world, &runtime);
}
