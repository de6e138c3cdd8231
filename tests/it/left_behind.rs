//! What a deleted person leaves behind in the files of the database: nothing.

use std::fs;

use serde_json::{Value, json};

use crate::{
    harness::{
        World,
        backups::{Said, back_up},
        event, order, taquilla, ticket, ticket_type, until, with,
    },
    personal_data::person,
};

on_sqlite![an_erased_person_is_in_no_byte_of_the_files];
both_engines![tables_are_written_anew];

/// How often an address stands in the file and in its log.
fn found(world: &World) -> [usize; 2] {
    let file = world.address.strip_prefix("sqlite:").unwrap();
    [file.to_owned(), format!("{file}-wal")].map(|file| {
        let bytes = fs::read(file).unwrap_or_default().to_ascii_lowercase();
        bytes.windows(EMAIL.len()).filter(|window| *window == EMAIL.as_bytes()).count()
    })
}

const EMAIL: &str = "zenobia.quill@mail.example";

async fn many_orders(world: &World) {
    let producer = world.producer("pr_a").await;
    let orders = (0..150).flat_map(|number| {
        let id = format!("or{number}");
        let ticket = with(ticket(&format!("T{number}"), "ev", "tt"), json!({"order_id": id, "attendee": person()}));
        [with(order(&id, "ev", "tt"), json!({"buyer": person()})), ticket]
    });
    let lines: Vec<Value> = [event("ev"), ticket_type("tt", "ev")].into_iter().chain(orders).collect();
    world.import(producer.tenant, &lines).await;
    taquilla_rules::indexing::catch_up(&world.store).await.unwrap();
}

fn erase(world: &World) -> Value {
    let erase = ["person", "erase", "--producer", "pr_a", "--email", EMAIL, "--yes", "--json"];
    Said::of(taquilla(&world.address).args(erase)).json()
}

async fn an_erased_person_is_in_no_byte_of_the_files(mut world: World) {
    many_orders(&world).await;
    assert!(found(&world).iter().sum::<usize>() > 300, "the person is there: {:?}", found(&world));
    let said = erase(&world);
    assert_eq!(said["erased"]["orders"], 150, "{said}");
    // The server goes on meanwhile.
    assert_eq!(found(&world), [0, 0], "neither the file nor its log has anything of the person");
    Said::of(taquilla(&world.address).args(["vacuum", "--json"])).json();
    assert_eq!(found(&world), [0, 0]);
    assert_eq!(world.client.get("/healthz", "").await.status, 200);
    world.server.stop().await;
    let file = world.address.strip_prefix("sqlite:").unwrap();
    let log = || fs::metadata(format!("{file}-wal")).map_or(0, |found| found.len());
    assert!(until(async || log() == 0).await, "a stop empties the log");
}

async fn tables_are_written_anew(world: World) {
    many_orders(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let (_, before) = back_up(&world.address, folder.path());
    let said = Said::of(taquilla(&world.address).args(["vacuum", "--json"])).json();
    assert_eq!(said["bytes_after"].is_u64(), world.address.starts_with("sqlite:"), "{said}");
    Said::of(taquilla(&world.address).args(["check", "--json"])).json();
    let elsewhere = tempfile::tempdir().unwrap();
    let (_, after) = back_up(&world.address, elsewhere.path());
    assert_eq!(before["tables"], after["tables"], "no row has changed");
}
