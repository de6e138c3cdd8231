//! A world that sends webhooks to this machine.

use std::{
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use serde_json::json;
use taquilla_domain::{
    config::Config,
    endpoint_url::EndpointUrl,
    role::Rights,
    signature::SigningSecret,
    webhook::{DeliveryStatus, EndpointState, MessageKind},
};
use taquilla_outside::Lookup;
use taquilla_rules::{
    admin::{self, endpoints::EndpointChange},
    boxoffice,
};
use taquilla_store::webhooks::{
    delivery_log::{self, Logged, LoggedAttempt},
    endpoints::{self, Endpoint},
};

use super::world::configured;
use tokio::net::TcpListener;

use super::{
    Client, PATIENCE, Producer, Server, World, event,
    process::serve,
    receiver::{Behaviour, Receiver},
    ticket, ticket_type, with,
};

pub const DAY: Duration = Duration::from_hours(24);

/// A world whose servers may send to this machine, with tickets to scan.
pub struct Hooks {
    pub world: World,
    pub producer: Producer,
    scanned: AtomicUsize,
}

/// A URL that may lead to any address.
pub fn anywhere(url: &str) -> EndpointUrl {
    EndpointUrl::parse(url, &["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()]).unwrap()
}

/// Settings that allow webhooks to this machine.
pub fn to_this_machine() -> Config {
    configured(Config::default(), |config| config.webhooks.allow = vec!["127.0.0.1/32".parse().unwrap()])
}

impl Hooks {
    /// The command for a server in its own process that may send to this machine.
    pub fn serve(&self) -> Command {
        let mut command = serve(&self.world.address);
        command.args(["--webhook-allow", "127.0.0.1", "--log", "info"]);
        command
    }

    pub async fn new(world: World) -> Self {
        Self::with(world, to_this_machine()).await
    }

    pub async fn with(world: World, config: Config) -> Self {
        Self::looking_up(world, config, Lookup::System).await
    }

    /// A world whose server looks up names in this way.
    pub async fn looking_up(mut world: World, config: Config, lookup: Lookup) -> Self {
        // The world's first server may not send to this machine, so another one replaces it.
        world.server.stop().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (store, time) = (world.store.clone(), world.time());
        world.server = Server::start_with(listener.into(), store, config, time, lookup).await;
        world.client = Client::new(world.server.address);
        let producer = world.producer("pr_a").await;
        let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
        lines.extend((0..400).map(|number| {
            with(
                ticket(&format!("T{number:03}"), "ev", "tt"),
                json!({"attendee": {"name": "Ana Ruiz", "email": "ana@example.com"}}),
            )
        }));
        world.import(producer.tenant, &lines).await;
        Self { world, producer, scanned: AtomicUsize::new(0) }
    }

    pub async fn endpoint(&self, url: &str, kinds: &[MessageKind]) -> Endpoint {
        self.endpoint_with(url, kinds, false).await.0
    }

    pub async fn endpoint_with(&self, url: &str, kinds: &[MessageKind], personal: bool) -> (Endpoint, SigningSecret) {
        let url = anywhere(url);
        let (store, by) = (&self.world.store, self.world.by());
        admin::endpoints::create(store, self.producer.tenant, &url, kinds, personal, Rights::all(), &by).await.unwrap()
    }

    /// Changes an endpoint as staff do.
    pub async fn change(&self, endpoint: &Endpoint, change: EndpointChange) -> Endpoint {
        let (store, by) = (&self.world.store, self.world.by());
        admin::endpoints::change(store, self.producer.tenant, &endpoint.id, &change, Rights::all(), &by).await.unwrap()
    }

    /// Pauses or resumes an endpoint.
    pub async fn set_state(&self, endpoint: &Endpoint, state: EndpointState) {
        let (store, by) = (&self.world.store, self.world.by());
        admin::endpoints::set_state(store, self.producer.tenant, &endpoint.id, state, &by).await.unwrap();
    }

    pub async fn delete(&self, endpoint: &Endpoint) {
        let (store, by) = (&self.world.store, self.world.by());
        admin::endpoints::delete(store, self.producer.tenant, &endpoint.id, &by).await.unwrap();
    }

    /// Sends a test message.
    pub async fn send_test(&self, endpoint: &Endpoint) -> String {
        let (store, by) = (&self.world.store, self.world.by());
        admin::endpoints::add_test(store, self.producer.tenant, &endpoint.id, &by).await.unwrap()
    }

    /// Scans the next ticket.
    pub async fn scan(&self) -> String {
        let id = format!("T{:03}", self.scanned.fetch_add(1, Ordering::SeqCst));
        boxoffice::scan(&self.world.store, self.producer.tenant, &id, "Gate", self.world.now()).await.unwrap();
        id
    }

    /// The endpoint as it is now.
    pub async fn now(&self, endpoint: &Endpoint) -> Endpoint {
        endpoints::find(&mut self.world.store.read().await.unwrap(), self.producer.tenant, &endpoint.id)
            .await
            .unwrap()
            .unwrap()
    }

    /// The endpoint's messages in the order of its sequence.
    pub async fn events(&self, endpoint: &Endpoint) -> Vec<Logged> {
        delivery_log::after(&mut self.world.store.read().await.unwrap(), endpoint, 0, 10_000).await.unwrap()
    }

    /// The endpoint's attempts, oldest first.
    pub async fn attempts(&self, endpoint: &Endpoint) -> Vec<LoggedAttempt> {
        let endpoint = self.now(endpoint).await;
        let mut conn = self.world.store.read().await.unwrap();
        let mut attempts = delivery_log::attempts(&mut conn, &endpoint, None, 10_000).await.unwrap();
        attempts.reverse();
        attempts
    }

    /// Waits until this many of the endpoint's deliveries have this status.
    pub async fn wait_for(&self, endpoint: &Endpoint, status: DeliveryStatus, count: usize) -> Vec<Logged> {
        self.wait_until(endpoint, |events| events.iter().filter(|event| event.status == status).count() == count).await
    }

    pub async fn wait_until(&self, endpoint: &Endpoint, holds: impl Fn(&[Logged]) -> bool) -> Vec<Logged> {
        if until(async || holds(&self.events(endpoint).await)).await {
            return self.events(endpoint).await;
        }
        panic!(
            "waited in vain: {:#?}\n{:#?}\n{:#?}",
            self.events(endpoint).await,
            self.attempts(endpoint).await,
            self.now(endpoint).await
        );
    }

    /// Waits until the server has looked for work after this call, which the arrival of test messages at a good
    /// receiver shows.
    pub async fn everybody_looked(&self, probe: &(Receiver, Endpoint)) {
        // Work that is found together with the first test message may be sent after that one, but not after the second.
        for _ in 0..2 {
            let before = probe.0.received().len();
            self.send_test(&probe.1).await;
            probe.0.wait_for(before + 1).await;
        }
    }

    pub async fn probe(&self) -> (Receiver, Endpoint) {
        let receiver = Receiver::start(Behaviour::ok()).await;
        let endpoint = self.endpoint(&receiver.url("/probe"), &[MessageKind::OrderRejected]).await;
        (receiver, endpoint)
    }
}

/// Waits until a condition holds, by asking again and again. Returns whether it ever did.
pub async fn until(holds: impl AsyncFn() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if holds().await {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}
