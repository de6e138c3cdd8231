//! G10 when servers are killed in the middle: no message is lost, and repeated ones can be recognised.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use taquilla_domain::webhook::{DeliveryStatus, MessageKind};
use taquilla_rules::boxoffice::{self, Door, Scan};

use crate::harness::{
    Engine, Hooks, World,
    receiver::{Behaviour, Receiver},
    start, ticket, until,
};

const EVENTS: usize = 1_500;
/// A server is killed after these numbers of deliveries.
const KILLS: [usize; 2] = [200, 800];

both_engines![every_message_arrives_although_servers_are_killed,];

async fn every_message_arrives_although_servers_are_killed(world: World) {
    let mut hooks = Hooks::new(world).await;
    hooks.world.server.stop().await;
    // Each answer takes a moment, so that some requests are under way whenever a server is killed.
    let receiver = Receiver::start(Behaviour::ok().after(Duration::from_millis(15))).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), &[MessageKind::TicketScanned]).await;
    let lines: Vec<_> = (0..EVENTS).map(|number| ticket(&format!("K{number}"), "ev", "tt")).collect();
    hooks.world.import(hooks.producer.tenant, &lines).await;
    let scans: Vec<Scan> = (0..EVENTS)
        .map(|number| Scan {
            scan_id: format!("s{number}"),
            code: format!("K{number}"),
            station: "Gate".into(),
            scanned_at: None,
            turned_away: false,
            kept: false,
            door: Door::default(),
        })
        .collect();

    // On PostgreSQL another server takes over; on SQLite the killed one is started again.
    let servers = if hooks.world.engine == Engine::Postgres { 1 + KILLS.len() } else { 1 };
    let mut running: Vec<_> = (0..servers).map(|_| start(hooks.serve(), "listening")).collect();
    let (store, tenant) = (hooks.world.store.clone(), hooks.producer.tenant);
    let now = hooks.world.now();
    let scanning = tokio::spawn(async move {
        for some in scans.chunks(50) {
            boxoffice::admit(&store, tenant, some, now).await.unwrap();
        }
    });
    for deliveries in KILLS {
        receiver.wait_for(deliveries).await;
        // Finds the server whose courier works for the endpoint now.
        let owner = async || hooks.now(&endpoint).await.lease_owner.split('-').next().unwrap().to_owned();
        let is_owner = |process: &str| running.iter().position(|(server, ..)| server.0.id().to_string() == process);
        assert!(until(async || is_owner(&owner().await).is_some()).await, "no server works for the endpoint");
        // The lease may have changed hands since; either way one of the servers dies.
        let found = is_owner(&owner().await).unwrap_or(0);
        let (mut killed, ..) = running.remove(found);
        killed.0.kill().unwrap();
        killed.0.wait().unwrap();
        if running.is_empty() {
            running.push(start(hooks.serve(), "listening"));
        }
    }
    scanning.await.unwrap();
    // What became of all messages is looked up once they have come: that is much to read again and again.
    receiver.wait_for(EVENTS).await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, EVENTS).await;

    let rows = hooks.world.raw().await.rows("SELECT id FROM outbox WHERE kind = 'ticket.scanned'").await;
    let told: BTreeSet<String> = rows.into_iter().map(|row| row[0].clone()).collect();
    let received = receiver.received();
    let mut by_id: BTreeMap<String, BTreeSet<(i64, String)>> = BTreeMap::new();
    for request in &received {
        by_id.entry(request.id()).or_default().insert((request.sequence(), request.body.clone()));
    }
    assert_eq!(by_id.keys().cloned().collect::<BTreeSet<_>>(), told, "every event arrived, and nothing else");
    assert!(by_id.values().all(|bodies| bodies.len() == 1), "a repeat is the same to the last byte");
    let numbers: BTreeSet<i64> = by_id.values().flatten().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=EVENTS as i64).collect::<BTreeSet<_>>(), "without a gap");
    // Only messages that were under way or not yet written down are sent again.
    assert!(received.len() < EVENTS + 200 * KILLS.len(), "{} deliveries of {EVENTS} events", received.len());
    assert_eq!(hooks.world.findings().await, []);
}
