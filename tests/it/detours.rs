//! Every way to what a right protects: the tables of docs/rights.md, and members who lack the right and try.

use std::collections::BTreeSet;

use serde_json::json;
use taquilla::routes::{
    api_routes, door_routes, page_routes, payment_routes, producer_routes, shop_routes, staff_routes,
};
use taquilla_domain::{
    key::Permission,
    role::{Right, Rights},
    text::Name,
};
use taquilla_rules::admin;

use crate::{
    covered::pages,
    dashboard_access::table,
    exports::with_rights,
    harness::{DAY, Staff, World, pay},
    personal_data::Life,
};

both_engines![every_right_is_missed_by_itself, nothing_is_shown_to_who_lacks_its_rights];

const TABLES: &str = include_str!("../../docs/rights.md");

/// The routes that a table of the document names, and its tests.
fn rows() -> Vec<(Vec<&'static str>, Vec<&'static str>)> {
    let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2).collect::<Vec<_>>();
    let cells = TABLES.lines().filter(|line| line.starts_with("| ")).map(|line| line.split(" | ").collect::<Vec<_>>());
    let rows = cells.filter(|cells| cells[0] != "| way").map(|cells| (quoted(cells[1]), quoted(cells[3])));
    rows.collect()
}

/// A route that is added without a row fails here, and so does a row of a route that is gone.
#[test]
fn every_route_is_in_a_table() {
    const PREFIX: &str = "/dashboard/p/{producer_id}";
    let own = producer_routes().into_iter().map(|(path, _)| match path.replace(PREFIX, "") {
        overview if overview.is_empty() => "/overview".to_owned(),
        path => path,
    });
    let others = [api_routes(), door_routes(), shop_routes(), payment_routes(), page_routes(), staff_routes()].concat();
    let routes: BTreeSet<String> = own.chain(others.into_iter().map(|(path, _)| path.to_owned())).collect();
    let tabled: BTreeSet<String> = rows().into_iter().flat_map(|(routes, _)| routes).map(str::to_owned).collect();
    let missing: Vec<_> = routes.symmetric_difference(&tabled).collect();
    assert!(missing.is_empty(), "not both a route of the server and in a table of docs/rights.md: {missing:?}");
}

/// Every way is tried by a test that is there.
#[test]
fn every_way_has_its_test() {
    for (routes, tests) in rows() {
        assert!(!routes.is_empty() && !tests.is_empty(), "a way without routes or without a test: {routes:?}");
        for test in tests {
            let (file, name) = test.split_once("::").unwrap();
            let source = std::fs::read_to_string(format!("{}/tests/it/{file}.rs", env!("CARGO_MANIFEST_DIR"))).unwrap();
            assert!(source.contains(&format!("fn {name}(")), "docs/rights.md names {test}, which is not there");
        }
    }
}

fn all_but(lacking: &[Right]) -> Rights {
    Right::ALL.iter().copied().filter(|right| !lacking.contains(right)).collect()
}

/// Gives the role of the clerk these rights.
async fn give(world: &World, rights: Rights) {
    let sql = format!("UPDATE roles SET rights = '{rights}' WHERE name = 'clerk@x.example'");
    world.raw().await.batch(&sql).await;
}

async fn ask(staff: &Staff, method: &str, path: &str) -> u16 {
    let path = path.replace("{id}", "no-such").replace("{message_id}", "no-such");
    let path = format!("/dashboard/p/pr_a{path}");
    match method {
        "GET" => staff.get(&path).await.status.as_u16(),
        _ => staff.post(&path, &[]).await.status.as_u16(),
    }
}

async fn every_right_is_missed_by_itself(world: World) {
    let producer = world.producer("pr_a").await;
    let clerk = with_rights(&world, &producer, "clerk@x.example", &["events.see"]).await;
    for right in Right::ALL {
        give(&world, all_but(&[*right])).await;
        // The page of files opens with one of two rights.
        let asking = |(_, path, needs): &(&str, &str, Option<Right>)| *needs == Some(*right) && *path != "/data";
        for (method, path, _) in table().into_iter().filter(asking) {
            assert_eq!(ask(&clerk, method, path).await, 403, "{method} {path} without {}", right.as_str());
        }
    }
    give(&world, all_but(&[Right::Export, Right::Import])).await;
    assert_eq!(ask(&clerk, "GET", "/data").await, 403);
}

/// What is protected, by which it is known on a page, with all rights that show it.
const PROTECTED: &[(&[&str], &[Right])] = &[
    (&["pay_nobody"], &[Right::SeePayments, Right::ManagePayments, Right::Export, Right::SeeHistory]),
    (&["KEYMARK"], &[Right::SeeKeys, Right::Administer, Right::SeeHistory]),
    (
        &["quiet@team.example", "invited@team.example", "ROLEMARK"],
        &[Right::SeeTeam, Right::ManageTeam, Right::SeeHistory],
    ),
    (&["DOORMARK"], &[Right::SeeDoor, Right::ManageDoor, Right::Export, Right::SeeHistory]),
];

async fn nothing_is_shown_to_who_lacks_its_rights(world: World) {
    let life = Life::new(world).await;
    let (world, producer) = (&life.hooks.world, &life.hooks.producer);
    let (tenant, by, soon) = (producer.tenant, world.by(), Some(world.now().plus(3 * DAY)));
    let secret = world.connect_processor(producer).await;
    let money =
        json!({"payment_id": "pay_nobody", "reference": "none", "status": "paid", "amount": 5, "currency": "EUR"});
    pay(world, &money, &secret, 0).await;
    let permissions = Permission::ALL.iter().copied().collect();
    let name = |text: &str| Name::parse(text).unwrap();
    admin::keys::create(&world.store, tenant, name("KEYMARK"), permissions, soon, &by).await.unwrap();
    world.user(tenant, "quiet@team.example", "viewer").await;
    life.ana.post("/dashboard/p/pr_a/team/invite", &[("email", "invited@team.example"), ("role", "viewer")]).await;
    life.ana.post("/dashboard/p/pr_a/team/roles", &[("name", "ROLEMARK"), ("right", "keys.see")]).await.leads_to();
    life.ana.post("/dashboard/p/pr_a/door/ev/links", &[("label", "DOORMARK"), ("category", "ticket")]).await;
    let clerk = with_rights(world, producer, "clerk@x.example", &["events.see"]).await;
    let pages = pages(&life).await;
    for (marks, guards) in PROTECTED {
        give(world, all_but(guards)).await;
        let mut shown = BTreeSet::new();
        for page in &pages {
            let path = format!("/dashboard/p/pr_a{page}");
            let (seen, whole) = (clerk.get(&path).await.text, life.ana.get(&path).await.text);
            for mark in *marks {
                assert!(!seen.contains(mark), "{page} shows {mark}: {seen}");
                shown.extend(whole.contains(mark).then_some(*mark));
            }
        }
        assert_eq!(shown.len(), marks.len(), "{marks:?} are somewhere for who may see them");
    }
}
