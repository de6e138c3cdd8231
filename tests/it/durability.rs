//! G7: what was acknowledged survives `kill -9` at any moment, and nothing is half there.

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use rand::RngExt;
use serde_json::{Value, json};

use crate::{
    cli::{address_in, start, taquilla},
    harness::{Client, World, event, ticket_type, with},
};

const KILLS: usize = 12;

both_engines![acknowledged_sales_and_scans_survive_kills,];

async fn acknowledged_sales_and_scans_survive_kills(mut world: World) {
    // The stepped clock of the harness is not for other processes; only they write here.
    world.server.stop().await;
    let producer = world.producer("pr_a").await;
    world
        .import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0, "max_per_order": 4}))])
        .await;
    let mut acknowledged: Vec<(String, String)> = Vec::new();
    let mut scanned: Vec<String> = Vec::new();
    let mut entered: Vec<(String, Value, Value)> = Vec::new();
    let bearer = format!("Bearer {}", world.door(producer.tenant, "ev", &[]).await.0);
    for kill in 0..KILLS {
        let mut command = taquilla(&world.address);
        command.args(["serve", "--listen", "127.0.0.1:0", "--shop-rate-limit", "off", "--door-rate-limit", "off"]);
        let (mut running, text, _log) = start(command, "listening");
        let client = Client::new(address_in(&text).parse().unwrap());

        // Everything that was acknowledged before is there, also under its key.
        for (key, reference) in &acknowledged {
            let order = client.send(reqwest::Method::GET, &format!("/shop/v1/orders/{reference}"), &[]).await;
            assert_eq!((order.status.as_u16(), &order.json()["order"]["status"]), (200, &json!("approved")), "{key}");
            assert_eq!(order.json()["tickets"].as_array().unwrap().len(), 2, "{key}");
        }
        for (code, body, answer) in &entered {
            assert_eq!(client.get(&format!("/api/v1/tickets/{code}"), &producer.key).await.json()["status"], "scanned");
            let again = client.post("/door/v1/scan", &[("authorization", &bearer)], body).await;
            assert_eq!(again.json(), *answer, "the same scan gets the same answer after a restart");
        }
        for id in &scanned {
            assert_eq!(client.get(&format!("/api/v1/tickets/{id}"), &producer.key).await.json()["status"], "scanned");
        }
        if let Some((key, reference)) = acknowledged.last() {
            let again = client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], &body()).await;
            assert_eq!(
                again.json()["reference"],
                reference.as_str(),
                "the same key gets the same answer after a restart"
            );
        }

        let buyers: Vec<_> = (0..4)
            .map(|buyer| {
                let client = client.clone();
                tokio::spawn(async move {
                    let mut sold = Vec::new();
                    for number in 0..10_000 {
                        let key = format!("{kill}-{buyer}-{number}");
                        match client
                            .try_post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", &key)], &body())
                            .await
                        {
                            Some(answer) if answer.status == 201 => {
                                sold.push((key, answer.json()["reference"].as_str().unwrap().to_owned()))
                            }
                            _ => break,
                        }
                    }
                    sold
                })
            })
            .collect();
        // Door staff at two stations.
        let to_scan = client.get("/api/v1/tickets?status=valid&limit=200", &producer.key).await.ids();
        let stations: Vec<_> = (0..2)
            .map(|station| {
                let (client, gate, codes) = (client.clone(), bearer.clone(), to_scan.clone());
                tokio::spawn(async move {
                    let mut admitted = Vec::new();
                    // The first one is for the scan from the command line below.
                    for code in codes.iter().skip(1).skip(station).step_by(2) {
                        let body = json!({"code": code, "scan_id": format!("{kill}-{code}"), "station": "Door"});
                        match client.try_post("/door/v1/scan", &[("authorization", &gate)], &body).await {
                            Some(answer) if answer.status == 200 => admitted.push((code.clone(), body, answer.json())),
                            _ => break,
                        }
                    }
                    admitted
                })
            })
            .collect();
        // A scan in a process of its own, killed at some moment too.
        let valid = client.get("/api/v1/tickets?status=valid&limit=1", &producer.key).await.ids();
        let mut scanning = valid.first().map(|id| {
            let mut command = taquilla(&world.address);
            command
                .args(["ticket", "scan", id, "--producer", "pr_a", "--station", "Gate"])
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            (id.clone(), command.spawn().unwrap())
        });
        let pause = rand::rng().random_range(30..250);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        running.0.kill().unwrap();
        if let Some((id, process)) = scanning.as_mut() {
            if kill % 2 == 0 {
                let _ = process.kill();
            }
            if process.wait().unwrap().success() {
                scanned.push(id.clone());
            }
        }
        for station in stations {
            entered.extend(station.await.unwrap());
        }
        for buyer in buyers {
            acknowledged.extend(buyer.await.unwrap());
        }
        let checked = Command::new(env!("CARGO_BIN_EXE_taquilla"))
            .args(["check", "--database", &world.address])
            .output()
            .unwrap();
        assert!(
            checked.status.success(),
            "after kill {kill}: {}{}",
            String::from_utf8_lossy(&checked.stdout),
            String::from_utf8_lossy(&checked.stderr)
        );
    }
    assert!(acknowledged.len() > 3 * KILLS, "{} sales came through", acknowledged.len());
    assert!(
        entered.len() > 3 && entered.iter().all(|(.., answer)| answer["outcome"] == "admitted"),
        "{} entered",
        entered.len()
    );
    assert_eq!(world.findings().await, []);
}

fn body() -> serde_json::Value {
    json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 2}]})
}
