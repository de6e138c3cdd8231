//! What happens when a receiver comes back: what waited goes out at once, and costs no message its attempts.

use std::{collections::BTreeMap, fs, process::Stdio, time::Duration};

use serde_json::Value;
use taquilla_domain::{
    config::{WEBHOOK_AT_ONCE, WEBHOOK_CATCH_UP_FAILURES},
    webhook::{DeliveryStatus, EndpointState, MessageKind},
};
use taquilla_store::webhooks::{
    delivery_log::{self, Again, Logged},
    endpoints::Endpoint,
};

use crate::harness::{
    DAY, Hooks, Running, World,
    receiver::{Behaviour, Received, Receiver},
    taquilla, until,
};

const SCANNED: &[MessageKind] = &[MessageKind::TicketScanned];
const WAITING: usize = 20;

both_engines![
    after_an_outage_what_waits_goes_out_at_once_the_oldest_first,
    a_receiver_that_fails_again_leaves_the_rest_where_it_was_on_the_ladder,
    a_message_that_is_always_refused_holds_up_nothing,
    resuming_an_endpoint_sends_what_waits,
    all_that_failed_and_all_that_waits_can_be_sent_again,
    a_rest_is_shown_and_an_endpoint_that_stops_is_logged,
];

/// A receiver that is down, and messages for it that wait for their next attempts, minutes or hours from now.
async fn outage(hooks: &Hooks) -> (Receiver, Endpoint) {
    let receiver = Receiver::start(Behaviour::status(500)).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    for number in 1..=WAITING {
        hooks.scan().await;
        hooks.world.step(Duration::from_mins(25));
        all_wait(hooks, &endpoint, number).await;
    }
    (receiver, endpoint)
}

/// Waits until this many messages wait for another attempt that is not due yet.
async fn all_wait(hooks: &Hooks, endpoint: &Endpoint, count: usize) -> Vec<Logged> {
    let now = hooks.world.now();
    let waits = |event: &Logged| event.attempts > 0 && event.next_attempt_at.is_some_and(|next| next > now);
    hooks.wait_until(endpoint, |events| events.len() == count && events.iter().all(waits)).await
}

/// Each delivery's place on the ladder and the time of its next attempt, by its place in the sequence.
async fn ladder(hooks: &Hooks, endpoint: &Endpoint) -> BTreeMap<i64, (String, String)> {
    let sql = "SELECT sequence, rung, due_at FROM webhook_deliveries WHERE status = 'pending' AND endpoint_id =";
    let rows = hooks.world.raw().await.rows(&format!("{sql} '{}'", endpoint.id)).await;
    rows.into_iter().map(|row| (row[0].parse().unwrap(), (row[1].clone(), row[2].clone()))).collect()
}

async fn after_an_outage_what_waits_goes_out_at_once_the_oldest_first(world: World) {
    let hooks = Hooks::new(world).await;
    let (receiver, endpoint) = outage(&hooks).await;
    let before = receiver.received().len();
    receiver.behave(Behaviour::ok().after(Duration::from_millis(5)));
    // Time stands still from here on: nothing that waits becomes due.
    hooks.scan().await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, WAITING + 1).await;
    let order: Vec<i64> = receiver.received()[before..].iter().map(Received::sequence).collect();
    assert_eq!(order.len(), WAITING + 1, "each is sent once: {order:?}");
    assert_eq!(order[0], WAITING as i64 + 1, "the success that shows that the receiver is back");
    // Several requests are under way at the same time, so they may arrive a little out of order.
    for (at, sequence) in (1..).zip(&order[1..]) {
        assert!(sequence.abs_diff(at) < WEBHOOK_AT_ONCE as u64, "{order:?}");
    }
    assert!(receiver.busiest() <= WEBHOOK_AT_ONCE, "{}", receiver.busiest());
    assert!(until(async || hooks.now(&endpoint).await.caught_up_to.is_none()).await, "it has caught up");
    assert_eq!(hooks.world.findings().await, []);
}

async fn a_receiver_that_fails_again_leaves_the_rest_where_it_was_on_the_ladder(world: World) {
    let hooks = Hooks::new(world).await;
    let (receiver, endpoint) = outage(&hooks).await;
    let probe = hooks.probe().await;
    let planned = ladder(&hooks, &endpoint).await;
    let before = receiver.received().len();
    // It takes three messages, and then none.
    receiver.behave(Behaviour::each(move |_, number| match number < before + 3 {
        true => Behaviour::ok(),
        false => Behaviour::status(500),
    }));
    hooks.scan().await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 3).await;
    let has_stopped = async || {
        let endpoint = hooks.now(&endpoint).await;
        endpoint.failing_since.is_some() && endpoint.lease_owner.is_empty()
    };
    assert!(until(has_stopped).await);
    hooks.everybody_looked(&probe).await;
    let failed = receiver.received().len() - before - 3;
    assert!(
        (WEBHOOK_CATCH_UP_FAILURES..WEBHOOK_CATCH_UP_FAILURES + WEBHOOK_AT_ONCE).contains(&failed),
        "{failed} attempts at a receiver that is down again"
    );
    let kept = ladder(&hooks, &endpoint).await;
    assert!(kept.len() >= WAITING - 2);
    assert!(kept.iter().all(|(sequence, place)| planned[sequence] == *place), "{planned:#?}\n{kept:#?}");

    // The attempts go on as planned, and the next success after a while sends the rest.
    hooks.world.step(Duration::from_mins(2));
    receiver.behave(Behaviour::ok());
    hooks.scan().await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, WAITING + 2).await;
}

async fn a_message_that_is_always_refused_holds_up_nothing(world: World) {
    let hooks = Hooks::new(world).await;
    let (receiver, endpoint) = outage(&hooks).await;
    let planned = ladder(&hooks, &endpoint).await;
    let refused = |received: &[Received]| received.iter().filter(|request| request.sequence() == 1).count();
    let before = refused(&receiver.received());
    receiver.behave(Behaviour::each(|request, _| match request.sequence() {
        1 => Behaviour::status(422),
        _ => Behaviour::ok(),
    }));
    hooks.scan().await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, WAITING).await;
    for number in 1..=40 {
        hooks.scan().await;
        hooks.wait_for(&endpoint, DeliveryStatus::Delivered, WAITING + number).await;
    }
    assert_eq!(refused(&receiver.received()), before + 1, "one attempt more, and not one for each success");
    assert_eq!(ladder(&hooks, &endpoint).await[&1], planned[&1]);
}

async fn resuming_an_endpoint_sends_what_waits(world: World) {
    let hooks = Hooks::new(world).await;
    let (receiver, endpoint) = outage(&hooks).await;
    hooks.set_state(&endpoint, EndpointState::Paused).await;
    receiver.behave(Behaviour::ok());
    hooks.set_state(&endpoint, EndpointState::Active).await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, WAITING).await;
}

async fn all_that_failed_and_all_that_waits_can_be_sent_again(world: World) {
    let hooks = Hooks::new(world).await;
    let receiver = Receiver::start(Behaviour::status(500)).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    hooks.scan().await;
    for attempt in 1..=10 {
        hooks.wait_until(&endpoint, |events| events.first().is_some_and(|event| event.attempts == attempt)).await;
        hooks.world.step(Duration::from_hours(9));
    }
    hooks.wait_for(&endpoint, DeliveryStatus::Failed, 1).await;
    for _ in 0..5 {
        hooks.scan().await;
    }
    hooks.wait_until(&endpoint, |events| events.len() == 6 && events.iter().all(|event| event.attempts > 0)).await;
    receiver.behave(Behaviour::ok());
    let again = async |which| {
        delivery_log::replay(&hooks.world.store, &hooks.now(&endpoint).await, which, &hooks.world.by()).await.unwrap()
    };
    assert_eq!(again(Again::FailedAndWaiting).await, 6);
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 6).await;
    assert_eq!(again(Again::FailedAndWaiting).await, 0);
}

async fn a_rest_is_shown_and_an_endpoint_that_stops_is_logged(world: World) {
    let mut hooks = Hooks::new(world).await;
    hooks.world.server.stop().await;
    let (down, gone) = (Receiver::start(Behaviour::status(500)).await, Receiver::start(Behaviour::status(410)).await);
    let failing = hooks.endpoint(&down.url("/?token=hidden-token"), SCANNED).await;
    let left = hooks.endpoint(&gone.url("/?token=hidden-token"), SCANNED).await;
    let long_ago = jiff::Timestamp::now().as_microsecond() - 6 * DAY.as_micros() as i64;
    let raw = hooks.world.raw().await;
    raw.batch(&format!("UPDATE webhook_endpoints SET failing_since = {long_ago} WHERE id = '{}'", failing.id)).await;
    hooks.scan().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let read = || fs::read_to_string(&file).unwrap();
    let mut command = hooks.serve();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&file).unwrap());
    let mut running = Running(command.spawn().unwrap());
    let state = async |endpoint: &Endpoint| hooks.now(endpoint).await.state;
    let stopped = async || (state(&failing).await, state(&left).await) == (EndpointState::Failing, EndpointState::Gone);
    assert!(until(stopped).await, "{}", read());
    // A state is written down first, and logged a moment later.
    const SAID: &str = "webhooks are no longer sent to an endpoint";
    assert!(until(async || read().matches(SAID).count() == 2).await, "{}", read());
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    let log = read();
    let said: Vec<Value> =
        log.lines().filter(|line| line.contains(SAID)).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(said.len() <= 2 && !log.contains("hidden-token"), "{log}");
    for (endpoint, state) in [(&failing, "failing"), (&left, "gone")] {
        let line = said.iter().find(|line| line["endpoint"] == endpoint.id.as_str()).unwrap_or_else(|| panic!("{log}"));
        assert_eq!((&line["level"], &line["state"]), (&Value::from("ERROR"), &Value::from(state)));
        assert!(line["failing_since"].is_string(), "{line}");
    }

    raw.batch(&format!("UPDATE webhook_endpoints SET rests_until = 4102444800000000 WHERE id = '{}'", left.id)).await;
    let list = |more: &[&str]| {
        let output = taquilla(&hooks.world.address).args(["webhook", "list", "--producer", "pr_a"]).args(more).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let listed: Value = serde_json::from_str(&list(&["--json"])).unwrap();
    for row in listed.as_array().unwrap() {
        let expected =
            if row["id"] == left.id.as_str() { Value::from("2100-01-01T00:00:00.000000Z") } else { Value::Null };
        assert_eq!((&row["rests_until"], &row["pending"]), (&expected, &Value::from(1)), "{row}");
    }
    assert!(list(&[]).contains("resting") && list(&["--wide"]).contains("2100-01-01 00:00:00Z"));
}
