//! G10: every message is delivered at least once, or shown as failed.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use taquilla_domain::{
    audit::By,
    clock::Stamp,
    config::{WEBHOOK_AT_ONCE, WEBHOOK_LADDER},
    role::Rights,
    signature::SigningSecret,
    time_source::TimeSource,
    webhook::{DeliveryStatus, EndpointState, MessageKind},
};
use taquilla_rules::{
    admin::{self, endpoints::EndpointChange},
    boxoffice,
};
use taquilla_store::webhooks::delivery_log::{self, Again};

use crate::harness::{
    DAY, Hooks, Server, World, anywhere, event,
    receiver::{Behaviour, OfficialReceiver, Received, Receiver},
    ticket, ticket_type, to_this_machine, until,
};

const SCANNED: &[MessageKind] = &[MessageKind::TicketScanned];

fn sequences(received: &[Received]) -> Vec<i64> {
    received.iter().map(Received::sequence).collect()
}

both_engines![
    a_message_arrives_signed_as_the_api_shows_it_and_without_personal_data,
    the_official_library_verifies_every_signature_through_a_rotation,
    after_a_rotation_both_secrets_sign_for_a_day,
    the_ladder_is_climbed_for_21_hours_and_then_the_message_has_failed,
    one_message_all_failed_or_a_time_can_be_sent_again,
    an_endpoint_gets_its_own_kinds_from_its_own_beginning,
    a_paused_endpoint_misses_nothing_and_a_deleted_one_is_gone,
    five_days_of_nothing_but_failure_pause_an_endpoint,
    a_receiver_that_is_gone_is_left_alone_and_one_that_is_busy_gets_its_time,
    an_endpoint_that_stops_with_much_in_hand_goes_on_when_it_is_resumed,
    a_change_holds_for_what_happens_after_it,
    a_courier_that_was_too_slow_loses_nothing_to_the_next,
    what_is_settled_is_forgotten_after_30_days_and_what_waits_is_given_up,
    many_servers_share_the_work_and_spare_the_receiver,
];

async fn a_message_arrives_signed_as_the_api_shows_it_and_without_personal_data(world: World) {
    let hooks = Hooks::new(world).await;
    let (plain, personal) = (Receiver::start(Behaviour::ok()).await, Receiver::start(Behaviour::ok()).await);
    let (endpoint, secret) = hooks
        .endpoint_with(&plain.url("/hook?a=b"), &[MessageKind::TicketScanned, MessageKind::TicketCancelled], false)
        .await;
    hooks.endpoint_with(&personal.url("/hook"), SCANNED, true).await;
    let scanned = hooks.scan().await;
    let cancelled = "T399";
    boxoffice::cancel(&hooks.world.store, hooks.producer.tenant, cancelled, hooks.world.now()).await.unwrap();

    let received = plain.wait_for(2).await;
    let full = personal.wait_for(1).await;
    assert_eq!(sequences(&received), [1, 2]);
    assert_eq!(received[0].id(), full[0].id(), "an event has one id for everybody");
    assert_ne!(received[0].id(), received[1].id());
    assert_eq!(received[0].path, "/hook?a=b");
    for (request, kind, id) in
        [(&received[0], "ticket.scanned", scanned.as_str()), (&received[1], "ticket.cancelled", cancelled)]
    {
        let body = request.json();
        let shown = hooks.world.client.get(&format!("/api/v1/tickets/{id}"), &hooks.producer.key).await.json();
        let mut expected = shown.clone();
        expected.as_object_mut().unwrap().remove("attendee").unwrap();
        assert_eq!(
            (request.kind(), &body["data"], &body["timestamp"]),
            (kind.to_owned(), &expected, &shown["updated_at"])
        );
        assert_eq!(request.headers["content-type"], "application/json");
        let seconds = hooks.world.now().micros() / 1_000_000;
        assert_eq!(request.headers["webhook-timestamp"], seconds.to_string());
        assert!(secret.verify(
            &request.id(),
            &seconds.to_string(),
            request.body.as_bytes(),
            &request.headers["webhook-signature"]
        ));
        assert!(!request.body.contains("Ana") && !request.body.contains("ana@"));
    }
    let shown = hooks.world.client.get(&format!("/api/v1/tickets/{scanned}"), &hooks.producer.key).await.json();
    assert_eq!(full[0].json()["data"], shown, "with the attendee");

    let events = hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 2).await;
    assert!(events.iter().all(|event| event.attempts == 1 && event.next_attempt_at.is_none()));
    let attempts = hooks.attempts(&endpoint).await;
    assert_eq!(
        attempts.iter().map(|attempt| (attempt.sequence, attempt.status)).collect::<Vec<_>>(),
        [(1, Some(200)), (2, Some(200))]
    );
}

async fn the_official_library_verifies_every_signature_through_a_rotation(world: World) {
    let mut hooks = Hooks::new(world).await;
    // The official library compares timestamps with the real time, so this server uses the real clock.
    hooks.world.server.stop().await;
    let store = &hooks.world.store;
    let _server = Server::start(store.clone(), to_this_machine(), TimeSource::System).await;
    let (endpoint, secret) = hooks.endpoint_with("http://127.0.0.1:1/", SCANNED, true).await;
    let new = SigningSecret::generate();
    let mut official = OfficialReceiver::start(&[&secret.reveal(), &new.reveal()], 4).await;
    let by = By::command_line("tester", TimeSource::System.now());
    let change = EndpointChange { url: Some(anywhere(&official.url("/hook"))), ..EndpointChange::default() };
    admin::endpoints::change(store, hooks.producer.tenant, &endpoint.id, &change, Rights::all(), &by).await.unwrap();
    for _ in 0..3 {
        hooks.scan().await;
    }
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 3).await;
    admin::endpoints::rotate(store, hooks.producer.tenant, &endpoint.id, &new, Rights::all(), &by).await.unwrap();
    admin::endpoints::add_test(store, hooks.producer.tenant, &endpoint.id, &by).await.unwrap();
    let mut lines = official.wait().await;
    // Several requests are under way at the same time, so they may arrive in any order.
    lines.sort_by_key(|line| line["sequence"].as_i64());
    let verified: Vec<Value> = lines.iter().map(|line| line["verified_by"].clone()).collect();
    assert_eq!(verified, [json!([0]), json!([0]), json!([0]), json!([0, 1])], "{lines:#?}");
    assert_eq!(lines[3]["type"], "webhook.test");
    assert_eq!(lines.iter().map(|line| line["sequence"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);
}

async fn after_a_rotation_both_secrets_sign_for_a_day(world: World) {
    let hooks = Hooks::new(world).await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let (endpoint, old) = hooks.endpoint_with(&receiver.url("/"), SCANNED, false).await;
    let new = SigningSecret::generate();
    let by = hooks.world.by();
    admin::endpoints::rotate(&hooks.world.store, hooks.producer.tenant, &endpoint.id, &new, Rights::all(), &by)
        .await
        .unwrap();
    let mut signers = Vec::new();
    for step in [Duration::ZERO, DAY - Duration::from_secs(1), Duration::from_secs(1)] {
        hooks.world.step(step);
        hooks.scan().await;
        let request = receiver.wait_for(signers.len() + 1).await.pop().unwrap();
        let verifies = |secret: &SigningSecret| {
            secret.verify(
                &request.id(),
                &request.headers["webhook-timestamp"],
                request.body.as_bytes(),
                &request.headers["webhook-signature"],
            )
        };
        signers.push((verifies(&new), verifies(&old)));
    }
    assert_eq!(signers, [(true, true), (true, true), (true, false)]);
}

async fn the_ladder_is_climbed_for_21_hours_and_then_the_message_has_failed(world: World) {
    let hooks = Hooks::new(world).await;
    let probe = hooks.probe().await;
    let receiver = Receiver::start(Behaviour::status(500).with_body("out of order")).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    hooks.scan().await;
    let began = hooks.world.now();
    let mut shortest = Duration::ZERO;
    for (failed, step) in WEBHOOK_LADDER.iter().enumerate() {
        receiver.wait_for(failed + 1).await;
        let attempted = hooks.world.now();
        let events = hooks.wait_until(&endpoint, |events| events[0].attempts == failed as i64 + 1).await;
        let next = events[0].next_attempt_at.unwrap();
        assert!(
            attempted.plus(*step) <= next && next <= attempted.plus(step.mul_f64(1.1)),
            "attempt {}: {attempted} {next}",
            failed + 2
        );
        shortest += *step;
        let wait = Duration::from_micros((next.micros() - attempted.micros()) as u64);
        hooks.world.step(wait - Duration::from_micros(1));
        hooks.everybody_looked(&probe).await;
        assert_eq!(receiver.received().len(), failed + 1, "not a microsecond before its time");
        hooks.world.step(Duration::from_micros(1));
    }
    assert_eq!(shortest, Duration::from_secs(21 * 3600 + 60 + 5));
    assert!(hooks.world.now() >= began.plus(shortest) && hooks.world.now() <= began.plus(shortest.mul_f64(1.1)));
    let failed = hooks.wait_for(&endpoint, DeliveryStatus::Failed, 1).await;
    assert_eq!((failed[0].attempts, failed[0].next_attempt_at), (10, None));

    let received = receiver.received();
    assert_eq!(received.len(), 10);
    let ids: BTreeSet<String> = received.iter().map(Received::id).collect();
    let bodies: BTreeSet<&str> = received.iter().map(|request| request.body.as_str()).collect();
    assert_eq!((ids.len(), bodies.len()), (1, 1), "the same event each time");
    let times: Vec<&str> = received.iter().map(|request| request.headers["webhook-timestamp"].as_str()).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "each attempt is signed at its own time: {times:?}");
    let attempts = hooks.attempts(&endpoint).await;
    assert_eq!(attempts.iter().map(|attempt| attempt.attempt).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    assert!(
        attempts.iter().all(|attempt| attempt.status == Some(500) && attempt.response.uncovered() == "out of order")
    );

    // No further attempt comes by itself. A replay starts the ladder again, with the same message id and the same
    // place.
    hooks.world.step(DAY);
    hooks.everybody_looked(&probe).await;
    assert_eq!(receiver.received().len(), 10);
    receiver.behave(Behaviour::ok());
    let by = hooks.world.by();
    assert_eq!(
        delivery_log::replay(&hooks.world.store, &hooks.now(&endpoint).await, Again::Failed, &by).await.unwrap(),
        1
    );
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 1).await;
    let again = receiver.received().pop().unwrap();
    assert_eq!((again.id(), again.sequence(), again.body.as_str()), (received[0].id(), 1, received[0].body.as_str()));
    assert_eq!(hooks.attempts(&endpoint).await.last().unwrap().attempt, 11, "the log goes on");
}

async fn one_message_all_failed_or_a_time_can_be_sent_again(world: World) {
    let hooks = Hooks::new(world).await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    let mut times: Vec<Stamp> = Vec::new();
    for _ in 0..12 {
        hooks.world.step(Duration::from_mins(1));
        times.push(hooks.world.now());
        hooks.scan().await;
    }
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 12).await;
    let first = receiver.received();
    let again = async |which: Again<'_>| {
        let before = receiver.received().len();
        let replayed = delivery_log::replay(&hooks.world.store, &hooks.now(&endpoint).await, which, &hooks.world.by())
            .await
            .unwrap();
        let mut sent = receiver.wait_for(before + replayed as usize).await.split_off(before);
        hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 12).await;
        sent.sort_by_key(Received::sequence);
        sequences(&sent)
    };
    assert_eq!(again(Again::One(&first[4].id())).await, [first[4].sequence()]);
    assert_eq!(again(Again::Between(times[3], times[6])).await, [4, 5, 6], "the end is not in it");
    assert_eq!(again(Again::Between(times[10], Stamp::END)).await, [11, 12]);
    assert_eq!(again(Again::Between(Stamp::BEGINNING, Stamp::END)).await, (1..=12).collect::<Vec<_>>());
    assert_eq!(again(Again::Between(times[11].plus(DAY), Stamp::END)).await, [0; 0]);
    assert_eq!(again(Again::One("we_01K00000000000000000000000")).await, [0; 0]);
    assert_eq!(again(Again::One("nonsense")).await, [0; 0]);
    assert_eq!(again(Again::Failed).await, [0; 0]);
    let ids: BTreeSet<String> = receiver.received().iter().map(Received::id).collect();
    assert_eq!(ids.len(), 12, "whoever keeps the ids drops the repeats");
}

async fn an_endpoint_gets_its_own_kinds_from_its_own_beginning(world: World) {
    let hooks = Hooks::new(world).await;
    let (store, tenant) = (&hooks.world.store, hooks.producer.tenant);
    hooks.scan().await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    let other = hooks.world.producer("pr_b").await;
    hooks
        .world
        .import(
            other.tenant,
            &[event("ev"), ticket_type("tt", "ev"), ticket("T000", "ev", "tt"), ticket("T001", "ev", "tt")],
        )
        .await;
    boxoffice::scan(store, other.tenant, "T001", "Gate", hooks.world.now()).await.unwrap();
    boxoffice::cancel(store, tenant, "T390", hooks.world.now()).await.unwrap();
    let scanned = hooks.scan().await;
    assert_eq!(receiver.wait_for(1).await[0].json()["data"]["id"], scanned.as_str());

    let cancelled = Some(vec![MessageKind::TicketCancelled]);
    hooks.change(&endpoint, EndpointChange { kinds: cancelled, ..EndpointChange::default() }).await;
    hooks.scan().await;
    boxoffice::cancel(store, tenant, "T391", hooks.world.now()).await.unwrap();
    let received = receiver.wait_for(2).await;
    assert_eq!(
        (received[1].json()["data"]["id"].as_str(), sequences(&received)),
        (Some("T391"), vec![1, 2]),
        "numbered without a gap"
    );

    // A test message goes to one endpoint, whatever its kinds.
    let (_, elsewhere) = hooks.probe().await;
    hooks.send_test(&endpoint).await;
    let received = receiver.wait_for(3).await;
    assert_eq!(received[2].json()["data"], json!({"endpoint_id": endpoint.id, "message": "This is a test."}));
    hooks.wait_until(&endpoint, |events| events.len() == 3).await;
    assert_eq!(hooks.events(&elsewhere).await.len(), 0);
}

async fn a_paused_endpoint_misses_nothing_and_a_deleted_one_is_gone(world: World) {
    let hooks = Hooks::new(world).await;
    let probe = hooks.probe().await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    hooks.set_state(&endpoint, EndpointState::Paused).await;
    for _ in 0..40 {
        hooks.scan().await;
    }
    hooks.wait_for(&endpoint, DeliveryStatus::Pending, 40).await;
    hooks.world.step(3 * DAY);
    hooks.everybody_looked(&probe).await;
    assert_eq!(receiver.received().len(), 0);
    hooks.set_state(&endpoint, EndpointState::Active).await;
    let mut received = receiver.wait_for(40).await;
    received.sort_by_key(Received::sequence);
    assert_eq!(sequences(&received), (1..=40).collect::<Vec<_>>());

    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 40).await;
    hooks.delete(&endpoint).await;
    hooks.scan().await;
    hooks.everybody_looked(&probe).await;
    assert_eq!(receiver.received().len(), 40);
    let row = &hooks.world.contents(&[]).await["webhook_endpoints"];
    assert!(row.iter().all(|row| !row.contains(&receiver.address().to_string())), "nothing of it is kept: {row:?}");
    // Its rows are deleted within the hour.
    hooks.world.step(Duration::from_hours(2));
    let is_gone = until(async || {
        let contents = hooks.world.contents(&[]).await;
        contents["webhook_endpoints"].len() == 1
            && contents["webhook_attempts"].iter().all(|row| !row.contains(&endpoint.id))
    });
    assert!(is_gone.await, "{:#?}", hooks.world.contents(&[]).await["webhook_endpoints"]);
}

async fn five_days_of_nothing_but_failure_pause_an_endpoint(world: World) {
    let hooks = Hooks::new(world).await;
    let probe = hooks.probe().await;
    let receiver = Receiver::start(Behaviour::status(503)).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    hooks.scan().await;
    hooks.wait_until(&endpoint, |events| events.first().is_some_and(|event| event.attempts == 1)).await;
    let failing_since = hooks.now(&endpoint).await.failing_since;
    assert_eq!(failing_since, Some(hooks.world.now()));
    // A success in between ends the period of failure.
    hooks.world.step(4 * DAY);
    receiver.behave(Behaviour::ok());
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 1).await;
    assert_eq!(hooks.now(&endpoint).await.failing_since, None);
    receiver.behave(Behaviour::status(503));
    hooks.scan().await;
    hooks.wait_until(&endpoint, |events| events.len() == 2 && events[1].attempts == 1).await;
    hooks.world.step(5 * DAY - Duration::from_secs(1));
    hooks.wait_until(&endpoint, |events| events[1].attempts == 2).await;
    assert_eq!(hooks.now(&endpoint).await.state, EndpointState::Active);
    hooks.world.step(Duration::from_secs(1));
    hooks.scan().await;
    hooks.wait_until(&endpoint, |events| events.len() == 3 && events[2].attempts == 1).await;
    let paused = hooks.now(&endpoint).await;
    assert_eq!((paused.state, paused.state_since), (EndpointState::Failing, hooks.world.now()));

    let before = receiver.received().len();
    receiver.behave(Behaviour::ok());
    hooks.scan().await;
    hooks.world.step(DAY);
    hooks.everybody_looked(&probe).await;
    assert_eq!(receiver.received().len(), before, "nothing is sent any more");
    hooks.set_state(&endpoint, EndpointState::Active).await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 4).await;
}

async fn a_receiver_that_is_gone_is_left_alone_and_one_that_is_busy_gets_its_time(world: World) {
    let hooks = Hooks::new(world).await;
    let probe = hooks.probe().await;
    let gone = Receiver::start(Behaviour::status(410)).await;
    let left = hooks.endpoint(&gone.url("/"), &[MessageKind::TicketCancelled]).await;
    boxoffice::cancel(&hooks.world.store, hooks.producer.tenant, "T390", hooks.world.now()).await.unwrap();
    hooks.wait_until(&left, |events| events.first().is_some_and(|event| event.attempts == 1)).await;
    assert_eq!(hooks.now(&left).await.state, EndpointState::Gone);
    boxoffice::cancel(&hooks.world.store, hooks.producer.tenant, "T391", hooks.world.now()).await.unwrap();
    hooks.world.step(DAY);
    hooks.everybody_looked(&probe).await;
    assert_eq!(gone.received().len(), 1);
    gone.behave(Behaviour::ok());
    hooks.set_state(&left, EndpointState::Active).await;
    hooks.wait_for(&left, DeliveryStatus::Delivered, 2).await;

    // After 429 or 503 with Retry-After, all messages for this endpoint wait that long, but at most an hour.
    for (status, asked, granted) in [(429, "120", Duration::from_mins(2)), (503, "999999", Duration::from_hours(1))] {
        let busy = Receiver::start(Behaviour::status(status).with_header("retry-after", asked)).await;
        let endpoint = hooks.endpoint(&busy.url("/"), SCANNED).await;
        hooks.scan().await;
        hooks.wait_until(&endpoint, |events| events.first().is_some_and(|event| event.attempts == 1)).await;
        assert_eq!(hooks.events(&endpoint).await[0].next_attempt_at, Some(hooks.world.now().plus(granted)));
        hooks.scan().await;
        hooks.world.step(granted - Duration::from_micros(1));
        hooks.everybody_looked(&probe).await;
        assert_eq!(busy.received().len(), 1, "the second event waits, too");
        busy.behave(Behaviour::ok());
        hooks.world.step(Duration::from_micros(1));
        hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 2).await;
        hooks.delete(&endpoint).await;
    }
}

async fn an_endpoint_that_stops_with_much_in_hand_goes_on_when_it_is_resumed(world: World) {
    let hooks = Hooks::new(world).await;
    // One receiver answers that it is gone in the middle of the work, staff pause another, which takes no more by then, and
    // a third asks for a pause.
    let gone =
        Receiver::start(Behaviour::each(|_, number| Behaviour::status(if number == 10 { 410 } else { 200 }))).await;
    let full =
        Receiver::start(Behaviour::each(|_, number| Behaviour::status(if number < 20 { 200 } else { 503 }))).await;
    let busy = Receiver::start(Behaviour::each(|_, number| match number {
        10 => Behaviour::status(429).with_header("retry-after", "60"),
        _ => Behaviour::ok(),
    }))
    .await;
    let leaving = hooks.endpoint(&gone.url("/"), SCANNED).await;
    let pausing = hooks.endpoint(&full.url("/"), SCANNED).await;
    let resting = hooks.endpoint(&busy.url("/"), SCANNED).await;
    for _ in 0..80 {
        hooks.scan().await;
    }
    full.wait_for(20).await;
    hooks.set_state(&pausing, EndpointState::Paused).await;
    for endpoint in [&leaving, &pausing, &resting] {
        // The courier has ended its lease.
        hooks.wait_until(endpoint, |events| events.len() == 80).await;
        assert!(until(async || hooks.now(endpoint).await.lease_owner.is_empty()).await);
        let waiting =
            hooks.events(endpoint).await.iter().filter(|event| event.status == DeliveryStatus::Pending).count();
        assert!(waiting > 10, "it stopped in the middle, with {waiting} to go");
    }
    assert_eq!(hooks.now(&leaving).await.state, EndpointState::Gone);
    full.behave(Behaviour::ok());
    hooks.set_state(&leaving, EndpointState::Active).await;
    hooks.set_state(&pausing, EndpointState::Active).await;
    hooks.world.step(Duration::from_mins(1));
    for endpoint in [&leaving, &pausing, &resting] {
        hooks.wait_for(endpoint, DeliveryStatus::Delivered, 80).await;
    }
}

async fn a_change_holds_for_what_happens_after_it(world: World) {
    let mut hooks = Hooks::new(world).await;
    // No server has given the messages their places yet when the endpoint is changed.
    hooks.world.server.stop().await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    let (store, tenant, now) = (hooks.world.store.clone(), hooks.producer.tenant, hooks.world.now());
    for number in 0..300 {
        hooks.scan().await;
        if number % 100 == 0 {
            boxoffice::cancel(&store, tenant, &format!("T{}", 301 + number / 100), now).await.unwrap();
        }
    }
    let cancelled = Some(vec![MessageKind::TicketCancelled]);
    hooks.change(&endpoint, EndpointChange { kinds: cancelled, ..EndpointChange::default() }).await;
    hooks.scan().await;
    boxoffice::cancel(&store, tenant, "T310", now).await.unwrap();
    let (_server, _) = hooks.world.another_server(to_this_machine()).await;
    let events = hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 301).await;
    let cancelled: Vec<i64> = events
        .iter()
        .filter(|event| event.message.kind == MessageKind::TicketCancelled)
        .map(|event| event.sequence)
        .collect();
    assert_eq!(cancelled, [301], "the scans before the change, and the cancellation after it");
}

async fn a_courier_that_was_too_slow_loses_nothing_to_the_next(world: World) {
    let hooks = Hooks::new(world).await;
    let slow = Receiver::start(Behaviour::each(|_, number| match number {
        0 => Behaviour::ok().after(Duration::from_secs(6)),
        1 => Behaviour::status(500).after(Duration::from_secs(1)),
        _ => Behaviour::ok(),
    }))
    .await;
    let endpoint = hooks.endpoint(&slow.url("/"), SCANNED).await;
    hooks.scan().await;
    slow.wait_for(1).await;
    // The lease runs out, so for the second server the first one looks dead.
    let (_second, _) = hooks.world.another_server(to_this_machine()).await;
    hooks.world.step(Duration::from_secs(11));
    let received = slow.wait_for(2).await;
    assert_eq!((received[0].id(), &received[0].body), (received[1].id(), &received[1].body));
    let events = hooks.wait_until(&endpoint, |events| events[0].attempts == 2).await;
    assert_eq!(events[0].status, DeliveryStatus::Delivered, "a success outweighs a failure");
    let statuses: Vec<Option<i64>> = hooks.attempts(&endpoint).await.iter().map(|attempt| attempt.status).collect();
    assert_eq!(statuses, [Some(500), Some(200)], "both are written down");
    hooks.scan().await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 2).await;
    assert_eq!(slow.received().len(), 3);
}

async fn what_is_settled_is_forgotten_after_30_days_and_what_waits_is_given_up(world: World) {
    let hooks = Hooks::new(world).await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    let paused = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    hooks.set_state(&paused, EndpointState::Paused).await;
    hooks.scan().await;
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 1).await;
    hooks.wait_for(&paused, DeliveryStatus::Pending, 1).await;
    let tables = ["outbox", "webhook_deliveries", "webhook_attempts"];
    let counts = async || {
        let contents = hooks.world.contents(&[]).await;
        tables.map(|table| contents[table].len())
    };
    let reach = async |expected: [usize; 3]| {
        assert!(until(async || counts().await == expected).await, "{:?} instead of {expected:?}", counts().await);
    };
    // The other two messages tell of the event and the ticket type that were imported.
    reach([3, 2, 1]).await;
    // Answers to orders are looked at after everything about webhooks: once this old one is gone, so is all else that was to
    // be forgotten in that round.
    let round = async |name: &str| {
        let raw = hooks.world.raw().await;
        let (sql, old) = ("INSERT INTO idempotency_keys VALUES", "'h', '{}', 0");
        raw.batch(&format!("{sql} ({}, '{name}', {old})", hooks.producer.tenant.number())).await;
    };
    round("first").await;
    hooks.world.step(30 * DAY - Duration::from_secs(1));
    assert!(until(async || hooks.world.contents(&[]).await["idempotency_keys"].is_empty()).await);
    reach([3, 2, 1]).await;
    hooks.world.step(Duration::from_hours(1));
    // The delivered delivery is deleted. The one that waited has failed, and its message is kept for a replay.
    hooks.wait_for(&paused, DeliveryStatus::Failed, 1).await;
    reach([1, 1, 0]).await;
    hooks.world.step(31 * DAY);
    reach([0, 0, 0]).await;
}

async fn many_servers_share_the_work_and_spare_the_receiver(world: World) {
    let hooks = Hooks::new(world).await;
    let (_second, _) = hooks.world.another_server(to_this_machine()).await;
    let (_third, _) = hooks.world.another_server(to_this_machine()).await;
    let receiver = Receiver::start(Behaviour::ok().after(Duration::from_millis(5))).await;
    let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
    for _ in 0..150 {
        hooks.scan().await;
    }
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 150).await;
    let mut numbers = sequences(&receiver.received());
    numbers.sort();
    assert_eq!(numbers, (1..=150).collect::<Vec<_>>(), "while nobody is killed each is sent once");
    assert!(receiver.busiest() <= WEBHOOK_AT_ONCE, "{}", receiver.busiest());
}
