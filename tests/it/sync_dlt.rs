//! The recipe for dlt in docs/sync.md, run as it stands there: a full and an incremental load are equal to the API.

use std::{path::Path, process::Command};

use serde_json::{Value, json};
use taquilla_rules::boxoffice;

use crate::{
    harness::{World, order, ticket, with},
    mirrors::beginning,
};

on_sqlite![the_recipe_for_dlt_ends_with_what_the_api_shows];

/// What the tables have, by id, in the words of the API.
const READ: &str = "
import duckdb, json
found = {}
for table in ('tickets', 'orders', 'events'):
    rows = duckdb.connect('mirror.duckdb').sql(f'SELECT id, epoch_us(updated_at), status FROM taquilla.{table} ORDER BY id')
    found[table] = [[id, at, status] for id, at, status in rows.fetchall()]
print(json.dumps(found))
";

async fn the_recipe_for_dlt_ends_with_what_the_api_shows(world: World) {
    let document = include_str!("../../docs/sync.md");
    let (_, rest) = document.split_once("<!-- file mirror.py -->\n```python\n").unwrap();
    let (program, _) = rest.split_once("```").unwrap();
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &beginning()).await;
    // More than a page.
    let many: Vec<Value> = (0..230).map(|number| ticket(&format!("M{number:03}"), "ev", "tt")).collect();
    world.import(producer.tenant, &many).await;
    world
        .import(producer.tenant, &[order("or", "ev", "tt"), with(ticket("O", "ev", "tt"), json!({"order_id": "or"}))])
        .await;

    let folder = tempfile::tempdir().unwrap();
    load(&world, &producer.key, program, folder.path()).await;
    boxoffice::scan(&world.store, producer.tenant, "M007", "Gate", world.now()).await.unwrap();
    boxoffice::refund(&world.store, producer.tenant, "or", world.now()).await.unwrap();
    boxoffice::cancel(&world.store, producer.tenant, "M008", world.now()).await.unwrap();
    load(&world, &producer.key, program, folder.path()).await;
}

/// Runs the program, and compares what it has loaded with the API.
async fn load(world: &World, key: &str, program: &str, folder: &Path) {
    python(world, key, program, folder).await;
    let found: Value = serde_json::from_str(python(world, key, READ, folder).await.lines().last().unwrap()).unwrap();
    for list in ["tickets", "orders", "events"] {
        let (mut rows, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = world.client.get(&format!("/api/v1/{list}?limit=200{cursor}"), key).await;
            rows.extend(page.data());
            match page.json()["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let micros =
            |row: &Value| row["updated_at"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_microsecond();
        let mut expected: Vec<Value> = rows.iter().map(|row| json!([row["id"], micros(row), row["status"]])).collect();
        expected.sort_by_key(|row| row[0].as_str().unwrap().to_owned());
        assert_eq!(found[list], json!(expected), "{list}");
    }
}

async fn python(world: &World, key: &str, program: &str, folder: &Path) -> String {
    let mut command = Command::new(std::env::var("TAQUILLA_TEST_PYTHON").unwrap());
    command.args(["-c", program]).current_dir(folder).env("DLT_DATA_DIR", folder).env("HOME", folder);
    command.env("TAQUILLA_URL", &world.client.base).env("TAQUILLA_KEY", key).env("RUNTIME__DLTHUB_TELEMETRY", "false");
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
