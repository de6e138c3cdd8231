//! A mirror ends equal to the API whatever happens: random work while `taquilla sync` runs, is killed, and meets a server that
//! fails, breaks off, dawdles, shortens pages and is restarted.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use taquilla_domain::config::Config;
use taquilla_rules::boxoffice;

use crate::{
    harness::{FaultyLine, Synced, Target, World, order, rounds, seed, ticket, with},
    mirrors::{Staff, beginning, may_be_refused},
    sync::{assert_equal, expected},
};

both_engines![
    random_work_ends_equal_in_sqlite,
    random_work_ends_equal_in_postgres,
    random_work_ends_equal_in_json_lines,
    random_work_ends_equal_in_csv,
];

async fn random_work_ends_equal_in_sqlite(world: World) {
    trial(world, Target::Sqlite).await;
}

async fn random_work_ends_equal_in_postgres(world: World) {
    trial(world, Target::Postgres).await;
}

async fn random_work_ends_equal_in_json_lines(world: World) {
    trial(world, Target::JsonLines).await;
}

async fn random_work_ends_equal_in_csv(world: World) {
    trial(world, Target::Csv).await;
}

/// How often a sync is begun in a short run. Half of them are killed.
const SYNCS: usize = 6;

async fn trial(mut world: World, target: Target) {
    let mut chance = StdRng::seed_from_u64(seed());
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &beginning()).await;
    let mut more: Vec<_> = (0..60).map(|number| ticket(&format!("M{number:02}"), "ev", "tt")).collect();
    more.extend((0..20).map(|number| order(&format!("or{number:02}"), "ev", "tt")));
    more.extend((0..20).map(|number| {
        with(ticket(&format!("O{number:02}"), "ev", "tt"), json!({"order_id": format!("or{number:02}")}))
    }));
    world.import(producer.tenant, &more).await;
    let line = FaultyLine::to(&world.client.base, chance.random()).await;
    let folder = tempfile::tempdir().unwrap();
    let mirror = Synced::new(target, folder.path()).await;
    let (mut hidden, mut made) = (BTreeSet::from(["STAFF".to_owned()]), 0);
    for sync in 0..rounds(SYNCS) {
        let mut child = mirror.begin(&line.url, &producer.key);
        let is_killed = chance.random();
        let killed_after = line.requests() + chance.random_range(1..60);
        if chance.random_ratio(1, 3) {
            // The server goes away in the middle, and another one comes.
            world.server.stop().await;
            (world.server, world.client) = world.another_server(Config::default()).await;
            line.lead_to(&world.client.base);
        }
        let mut staff =
            Staff { world: &world, producer: &producer, chance: StdRng::seed_from_u64(chance.random()), made, hidden };
        loop {
            staff.work(1).await;
            if staff.chance.random_ratio(1, 4) {
                refund_or_import(&world, &producer, &mut staff.chance, sync).await;
            }
            let is_over = child.try_wait().unwrap().is_some();
            if is_over || (is_killed && line.requests() >= killed_after) {
                break;
            }
        }
        (hidden, made) = (staff.hidden, staff.made);
        // SIGKILL: nothing is finished, nothing is cleaned up.
        let _ = child.kill();
        child.wait().unwrap();
    }
    // Increments alone: everything is there but what no feed tells, which is hiding.
    mirror.bring_up(&line.url, &producer.key, &[]).await;
    for (table, key, rows) in expected(&world, &producer.key).await {
        let mut found = mirror.rows(table, &key).await;
        if table == "tickets" {
            found.retain(|id, _| rows.contains_key(id) || !hidden.contains(id));
        }
        // Hiding changes what is sold, and no feed tells.
        let mut rows = rows;
        for row in found.values_mut().chain(rows.values_mut()) {
            row.retain(|name, _| !["sold", "available"].contains(&name.as_str()));
        }
        assert_eq!(found, rows, "{table}");
    }
    mirror.bring_up(&line.url, &producer.key, &["--full-every", "0"]).await;
    line.set_faults(false);
    let verified = mirror.bring_up(&line.url, &producer.key, &["--verify"]).await;
    assert_eq!((&verified["count"], &verified["differences"]), (&json!(0), &json!([])));
    assert_equal(&world, &producer.key, &mirror).await;
}

/// What the staff of the other trials do not do.
async fn refund_or_import(world: &World, producer: &crate::harness::Producer, chance: &mut StdRng, sync: usize) {
    if chance.random() {
        let orders = world.client.get("/api/v1/orders?status=approved&limit=200", &producer.key).await.ids();
        if let Some(id) = orders.choose(chance) {
            may_be_refused(boxoffice::refund(&world.store, producer.tenant, id, world.now()).await.map(|_| ()));
        }
    } else {
        // Its stamps are of last month.
        let id = format!("I{sync}_{:x}", chance.random::<u64>());
        world.import(producer.tenant, &[ticket(&id, "ev", "tt")]).await;
    }
}
