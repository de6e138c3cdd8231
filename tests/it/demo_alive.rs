//! The people of `taquilla demo`, one thing after another.

use std::{collections::BTreeMap, time::Duration};

use taquilla::demo::{self, Deed, Place};
use taquilla_domain::config::{DEMO_NIGHTS_MAX, DEMO_UNSETTLED_MAX};
use taquilla_rules::import;

use crate::harness::{Producer, World};

both_engines![people_do_a_bit_of_everything_and_never_run_out_of_it];

// What the demo decides by itself; its moves are those of the other test. Twenty nights take long to make.
on_sqlite![when_a_night_is_over_the_next_begins];

/// A demo with its data, and its people.
async fn a_demo(world: &World, seed: u64) -> (Producer, demo::World) {
    let producer = world.producer("pr_demo").await;
    let lines = demo::data(7, world.now());
    import::run(&world.store, producer.tenant, lines.as_bytes(), &world.by(), &world.time(), |_| ()).await.unwrap();
    let gates = demo::play(&world.store, producer.tenant, 7, &world.time()).await.unwrap();
    let place = Place {
        store: world.store.clone(),
        tenant: producer.tenant,
        producer_id: "pr_demo".to_owned(),
        base: world.client.base.clone(),
        certificate: None,
        time: world.time(),
    };
    let people = demo::World::new(place, seed, Some(gates)).await.unwrap();
    (producer, people)
}

async fn outcomes(world: &World) -> BTreeMap<String, usize> {
    let mut outcomes = BTreeMap::new();
    for row in world.raw().await.rows("SELECT outcome FROM scans").await {
        *outcomes.entry(row.concat()).or_default() += 1;
    }
    outcomes
}

async fn people_do_a_bit_of_everything_and_never_run_out_of_it(world: World) {
    let (producer, mut people) = a_demo(&world, 11).await;
    let at_first = outcomes(&world).await;
    for outcome in ["admitted", "already_scanned", "refunded", "unknown", "wrong_event"] {
        assert!(at_first.contains_key(outcome), "{outcome} is in {at_first:?}");
    }
    let mut deeds: Vec<Deed> = Vec::new();
    // More than people do in an hour.
    for _ in 0..1_000 {
        world.step(Duration::from_secs(4));
        deeds.push(people.step().await.unwrap());
    }
    let count = |deed: Deed, deeds: &[Deed]| deeds.iter().filter(|done| **done == deed).count();
    for deed in [Deed::Ordered, Deed::Paid, Deed::SoldByStaff, Deed::Refunded, Deed::PassedOn, Deed::Uploaded] {
        assert!(count(deed, &deeds) > 3, "{deed:?} {}", count(deed, &deeds));
    }
    assert!(count(Deed::Nothing, &deeds) < 200, "{}", count(Deed::Nothing, &deeds));
    assert!(count(Deed::Scanned, &deeds[800..]) > 20, "people come still");
    let now = outcomes(&world).await;
    for outcome in ["admitted", "already_scanned", "refunded", "unknown", "wrong_event"] {
        assert!(now[outcome] > at_first[outcome], "{outcome} {now:?}");
    }
    let raw = world.raw().await;
    for status in ["pending", "approved", "rejected", "refunded"] {
        let sql = format!("SELECT 1 FROM orders WHERE reference IS NOT NULL AND status = '{status}'");
        assert!(!raw.rows(&sql).await.is_empty(), "an order of the shop is {status}");
    }
    let open = "SELECT 1 FROM payments WHERE outcome = 'paid' AND paid_back_at IS NULL AND result = 'not_found'";
    assert!((1..=DEMO_UNSETTLED_MAX).contains(&raw.rows(open).await.len()));
    let late =
        "SELECT 1 FROM orders WHERE paid_at - created_at > 90000000 AND channel = 'shop' AND reference IS NOT NULL";
    assert!(!raw.rows(late).await.is_empty(), "somebody paid late");
    assert_eq!(world.findings().await, []);
    // A link that somebody revokes is not used again, and the others are.
    let link = "SELECT id FROM door_links WHERE label = 'Main entrance' AND revoked_at IS NULL";
    let id = &raw.rows(link).await[0][0];
    taquilla_rules::admin::door_links::revoke(&world.store, producer.tenant, id, &world.by()).await.unwrap();
    let mut after = Vec::new();
    for _ in 0..200 {
        world.step(Duration::from_secs(4));
        after.push(people.step().await.unwrap());
    }
    assert!(count(Deed::Scanned, &after) > 20);
}

async fn when_a_night_is_over_the_next_begins(world: World) {
    let (producer, mut people) = a_demo(&world, 12).await;
    let published = async || {
        let events = world.client.get("/api/v1/events?limit=100", &producer.key).await.data();
        let nights = events.into_iter().filter(|event| event["id"].as_str().unwrap().starts_with("ev_tonight"));
        nights.map(|event| event["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for number in 2..=DEMO_NIGHTS_MAX {
        world.step(Duration::from_secs(8 * 3_600));
        assert_eq!(people.step().await.unwrap(), Deed::NextNight);
        if number == 2 {
            assert_eq!(published().await, ["published", "finished"]);
            let mut deeds = Vec::new();
            for _ in 0..60 {
                world.step(Duration::from_secs(4));
                deeds.push(people.step().await.unwrap());
            }
            assert!(deeds.contains(&Deed::Scanned) && deeds.contains(&Deed::SoldByStaff), "{deeds:?}");
            let entered = world.client.get("/api/v1/tickets?event_id=ev_tonight_2&status=scanned", &producer.key).await;
            assert!(!entered.ids().is_empty());
        }
    }
    world.step(Duration::from_secs(8 * 3_600));
    assert_eq!(people.step().await.unwrap(), Deed::Rested, "a demo that somebody forgot does not grow for ever");
    assert_eq!(published().await.iter().filter(|status| *status == "published").count(), 1);
    assert_eq!(world.findings().await, []);
}
