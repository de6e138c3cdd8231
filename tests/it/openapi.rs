//! The OpenAPI document: it is committed, true, and sufficient to use the API.

use std::{collections::BTreeSet, path::Path, process::Command};

use reqwest::Method;
use serde_json::{Value, json};
use taquilla::{api::openapi::JSON, server::api_routes};

use crate::harness::{World, event, order, ticket, ticket_type, with};

#[test]
fn the_committed_document_is_the_one_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    if std::env::var_os("TAQUILLA_WRITE_OPENAPI").is_some() {
        std::fs::write(&path, JSON.as_str()).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == JSON.as_str(),
        "docs/openapi.json is not what the code says: run `make openapi` and look at the difference"
    );
}

#[test]
fn the_document_describes_every_route_and_no_other() {
    let document: Value = serde_json::from_str(&JSON).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let described: BTreeSet<&str> = document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let routes = api_routes();
    let served: BTreeSet<&str> = routes.iter().map(|(route, _)| *route).collect();
    assert_eq!(described, served);
    for (path, item) in document["paths"].as_object().unwrap() {
        assert_eq!(item.as_object().unwrap().len(), 1, "{path} is only read");
        assert!(item["get"]["security"][0]["key"].is_array(), "{path} needs a key");
        assert!(item["get"]["summary"].is_string(), "{path}");
    }
}

#[test]
fn nothing_is_filled_in_for_the_reader_of_the_console() {
    let document: Value = serde_json::from_str(&JSON).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for parameter in item["get"]["parameters"].as_array().unwrap() {
            let example = [&parameter["example"], &parameter["schema"]["example"]].iter().any(|given| !given.is_null());
            assert!(!example, "{path}: {parameter}: a filter that finds nothing, or an id that is not there");
        }
    }
}

both_engines![
    the_document_and_its_pages_are_served_without_a_key,
    pages_where_keys_are_pasted_are_protected,
    the_console_works_in_a_browser,
    schemathesis_finds_nothing,
];

async fn pages_where_keys_are_pasted_are_protected(world: World) {
    let door = world.client.send(Method::GET, "/door", &[]).await;
    for path in ["/docs/", "/docs/errors"] {
        let page = world.client.send(Method::GET, path, &[]).await;
        let policy = page.header("content-security-policy").unwrap_or_else(|| panic!("{path} has no policy"));
        for part in ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        let scripts = policy.split(';').find(|part| part.trim().starts_with("script-src"));
        assert!(scripts.is_none_or(|sources| sources.trim() == "script-src 'self'"), "{path}: {policy}");
        for name in ["referrer-policy", "permissions-policy", "x-content-type-options"] {
            assert_eq!(page.header(name), door.header(name), "{path}: {name}");
        }
    }
    for other in ["/docs/index.html", "/docs/oauth2-redirect.html", "/docs/nothing.js", "/docs/%FF"] {
        assert_eq!(world.client.send(Method::GET, other, &[]).await.status, 404, "{other}");
    }
}

async fn the_console_works_in_a_browser(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt"), ticket("T1", "ev", "tt")];
    world.import(producer.tenant, &lines).await;
    let asked = json!({
        "url": format!("{}/docs/", world.client.base), "key": producer.key, "ticket": "T1",
        "chromium": std::env::var("TAQUILLA_TEST_CHROMIUM").unwrap(),
        "picture": std::env::var("TAQUILLA_CONSOLE_PICTURE").ok(),
    });
    let run = tokio::task::spawn_blocking(move || {
        let mut command = Command::new("node");
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/web/tests/console.mjs"));
        command.env("DOOR_TEST", asked.to_string()).output().unwrap()
    });
    let output = run.await.unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}");
}

async fn the_document_and_its_pages_are_served_without_a_key(world: World) {
    let document = world.client.send(Method::GET, "/api/v1/openapi.json", &[]).await;
    assert_eq!(document.text, JSON.as_str());
    let errors = world.client.send(Method::GET, "/docs/errors", &[]).await;
    for code in taquilla::http::codes::CODES {
        assert!(errors.text.contains(&format!("id=\"{}\"", code.name)), "{}", code.name);
    }
    let page = world.client.send(Method::GET, "/docs/", &[]).await;
    assert_eq!(page.status, 200);
    // The page needs no network: everything it loads is a file of ours.
    for asset in
        page.text.split('"').filter(|text| text.ends_with(".js") || text.ends_with(".css") || text.contains("//"))
    {
        assert!(!asset.contains("//"), "{asset}");
        let path = format!("/docs/{}", asset.trim_start_matches("./"));
        assert_eq!(world.client.send(Method::GET, &path, &[]).await.status, 200, "{path}");
    }
    assert_eq!(world.client.send(Method::GET, "/", &[]).await.header("location"), Some("/docs/"));
}

async fn schemathesis_finds_nothing(world: World) {
    let schemathesis =
        std::env::var("TAQUILLA_TEST_SCHEMATHESIS").expect("run `make test`, which installs schemathesis");
    let producer = world.producer("pr_a").await;
    let mut lines = vec![
        with(event("ev_summer_night"), json!({"starts_at": "2026-12-01"})),
        ticket_type("tt_general", "ev_summer_night"),
        order("or_1042", "ev_summer_night", "tt_general"),
    ];
    lines.extend((0..60).map(|number| {
        with(ticket(&format!("T{number}"), "ev_summer_night", "tt_general"), json!({"order_id": "or_1042"}))
    }));
    world.import(producer.tenant, &lines).await;
    let output = Command::new(schemathesis)
        .args([
            "--config-file",
            "tests/schemathesis.toml",
            "run",
            &format!("{}/api/v1/openapi.json", world.client.base),
        ])
        .args(["--header", &format!("Authorization: Bearer {}", producer.key)])
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.contains("passed"), "{report}");
}
