//! The OpenAPI documents: they are committed, true, and sufficient to use each part.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

use axum::routing::MethodRouter;
use reqwest::Method;
use serde_json::{Value, json};
use taquilla::routes::{api_routes, door_routes, payment_routes, shop_routes};
use taquilla_api as api;
use taquilla_domain::{
    config::{Config, HOLD_MAX},
    key::Permission,
    status::Category,
};
use taquilla_door as door;
use taquilla_http::app::App;
use taquilla_shop as shop;

use crate::harness::configured;
use crate::harness::{World, event, in_browser, is_long, order, ticket, ticket_type, with, without_shop_limits};

/// A document: where it is committed and served, its text, and the routes that it describes.
struct Document {
    file: &'static str,
    url: &'static str,
    json: &'static str,
    routes: Vec<(&'static str, MethodRouter<App>)>,
}

impl Document {
    fn parsed(&self) -> Value {
        serde_json::from_str(self.json).unwrap()
    }

    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(self.file)
    }
}

fn documents() -> [Document; 4] {
    let of = |file, url, json, routes| Document { file, url, json, routes };
    [
        of("openapi.json", "/api/v1/openapi.json", api::openapi::JSON.as_str(), api_routes()),
        of("openapi-shop.json", "/shop/v1/openapi.json", shop::openapi::SHOP.as_str(), shop_routes()),
        of(
            "openapi-payments.json",
            "/shop/v1/openapi-payments.json",
            shop::openapi::PAYMENTS.as_str(),
            payment_routes(),
        ),
        of("openapi-door.json", "/door/v1/openapi.json", door::openapi::JSON.as_str(), door_routes()),
    ]
}

#[test]
fn the_committed_documents_are_those_that_are_served() {
    for document in documents() {
        if std::env::var_os("TAQUILLA_WRITE_OPENAPI").is_some() {
            std::fs::write(document.path(), document.json).unwrap();
        }
        let committed = std::fs::read_to_string(document.path()).unwrap_or_default();
        assert!(
            committed == document.json,
            "docs/{} is not what the code says: run `make openapi` and look at the difference",
            document.file
        );
    }
}

#[test]
fn the_documents_describe_every_route_and_no_other() {
    for document in documents() {
        let parsed = document.parsed();
        assert!(parsed["openapi"].as_str().unwrap().starts_with("3.1"));
        let described: BTreeSet<&str> = parsed["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let served: BTreeSet<&str> = document.routes.iter().map(|(route, _)| *route).collect();
        assert_eq!(described, served, "{}", document.file);
        for (path, item) in parsed["paths"].as_object().unwrap() {
            let [(method, operation)] = item.as_object().unwrap().iter().collect::<Vec<_>>()[..] else {
                panic!("{path} takes one method")
            };
            assert!(operation["summary"].is_string() && operation["description"].is_string(), "{method} {path}");
            let key = &operation["security"][0];
            match document.file {
                "openapi.json" => assert!(method == "get" && key["key"].is_array(), "{path} is read with a key"),
                "openapi-door.json" => assert!(key["link"].is_array(), "{path} needs a door link"),
                "openapi-payments.json" => assert!(key["signature"].is_array(), "{path} is signed"),
                _ => assert!(operation["security"].is_null() && parsed["security"] == json!([]), "{path} is open"),
            }
        }
    }
}

/// A client that is made from a document has one class for a ticket, wherever a ticket is shown, and knows which fields
/// are always there.
#[test]
fn rows_are_named_and_what_is_always_sent_is_required() {
    for document in documents() {
        let parsed = document.parsed();
        for (name, schema) in parsed["components"]["schemas"].as_object().unwrap() {
            let Some(properties) = schema["properties"].as_object() else { continue };
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().flat_map(Value::as_str).collect();
            // What is sent to us may leave out a field that may be null. It takes no unknown fields.
            let is_request = schema["additionalProperties"] == false;
            for (field, property) in properties {
                let nullable = property["type"].as_array().is_some_and(|types| types.contains(&json!("null")))
                    || property["oneOf"].as_array().is_some_and(|kinds| kinds.contains(&json!({"type": "null"})));
                assert!(
                    is_request || !nullable || required.contains(&field.as_str()),
                    "{name}.{field} is sent as null, never left out: give it #[schema(required)]"
                );
                let inlined = property["type"] == "object" || property["items"]["type"] == "object";
                assert!(!inlined, "{name}.{field} has no schema of its own");
            }
        }
    }
    let parsed = documents()[0].parsed();
    let schemas = &parsed["components"]["schemas"];
    for row in ["Ticket", "Event", "TicketType", "Order"] {
        let rows = &schemas[format!("{row}Page")]["properties"]["data"]["items"];
        assert_eq!(*rows, json!({"$ref": format!("#/components/schemas/{row}")}));
    }
    assert!(!schemas["Problem"]["required"].as_array().unwrap().contains(&json!("param")), "it may be left out");
}

/// The default rules of both linters, without a list of exceptions.
#[test]
fn redocly_and_spectral_find_nothing() {
    let packages = std::env::var("TAQUILLA_TEST_NODE_MODULES").expect("run `make test`, which installs the linters");
    let files: Vec<PathBuf> = documents().iter().map(Document::path).collect();
    let redocly = Command::new(format!("{packages}/.bin/redocly"))
        .args(["lint", "--extends=recommended", "--format=json"])
        .args(&files)
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
        .output()
        .unwrap();
    // One report for each file follows another.
    let report = String::from_utf8_lossy(&redocly.stdout);
    let reports = serde_json::Deserializer::from_str(&report).into_iter::<Value>();
    let totals: Vec<Value> =
        reports.map(|found| found.unwrap_or_else(|_| panic!("{report}"))["totals"].take()).collect();
    assert_eq!(
        totals,
        vec![json!({"errors": 0, "warnings": 0, "ignored": 0}); files.len()],
        "{report}{}",
        String::from_utf8_lossy(&redocly.stderr)
    );
    let spectral = Command::new(format!("{packages}/.bin/spectral"))
        .args(["lint", "--ruleset=tests/npm/spectral.yaml", "--fail-severity=hint"])
        .args(&files)
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&spectral.stdout);
    assert!(spectral.status.success(), "{report}");
    assert!(report.contains("No results"), "{report}");
}

#[test]
fn nothing_is_filled_in_for_the_reader_of_the_console() {
    for document in documents() {
        for (path, item) in document.parsed()["paths"].as_object().unwrap() {
            for operation in item.as_object().unwrap().values() {
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    let example =
                        [&parameter["example"], &parameter["schema"]["example"]].iter().any(|given| !given.is_null());
                    assert!(!example, "{path}: {parameter}: a filter that finds nothing, or an id that is not there");
                }
            }
        }
    }
}

both_engines![
    pages_where_keys_are_pasted_are_protected,
    the_documents_and_their_pages_are_served_without_a_key,
    the_document_names_the_permission_that_each_call_needs,
    schemathesis_finds_nothing_in_the_read_api,
    schemathesis_finds_nothing_in_the_shop,
    schemathesis_finds_nothing_at_the_door,
];

// What the console does with what the API sends.
on_sqlite![the_console_works_in_a_browser];

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
        "picture": std::env::var("TAQUILLA_CONSOLE_PICTURE").ok(),
    });
    in_browser("console.mjs", asked).await;
}

async fn the_documents_and_their_pages_are_served_without_a_key(world: World) {
    let initializer = world.client.send(Method::GET, "/docs/swagger-initializer.js", &[]).await;
    for document in documents() {
        assert_eq!(world.client.send(Method::GET, document.url, &[]).await.text, document.json);
        assert!(initializer.text.contains(document.url), "the console lists {}", document.url);
    }
    let errors = world.client.send(Method::GET, "/docs/errors", &[]).await;
    for code in taquilla_http::codes::CODES {
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
    assert!(
        world.client.send(Method::GET, "/", &[]).await.text.contains("href=\"/docs/\""),
        "the front page leads here"
    );
}

async fn the_document_names_the_permission_that_each_call_needs(world: World) {
    let producer = world.producer("pr_a").await;
    for (path, item) in documents()[0].parsed()["paths"].as_object().unwrap() {
        let description = item["get"]["description"].as_str().unwrap();
        let named = Permission::ALL.iter().filter(|permission| description.contains(permission.as_str()));
        let [named] = named.collect::<Vec<_>>()[..] else { panic!("{path} names one permission") };
        let others: Vec<Permission> = Permission::ALL.iter().copied().filter(|other| other != named).collect();
        let (key, _) = world.key(producer.tenant, &others, None).await;
        let refused = world.client.get(&path.replace(['{', '}'], ""), &key).await;
        assert_eq!(refused.status, 403, "{path}");
        assert!(refused.text.contains(named.as_str()), "{path}: {}", refused.text);
    }
}

/// An event with an item, an order and tickets.
async fn something_to_find(world: &World) -> crate::harness::Producer {
    let producer = world.producer("pr_demo").await;
    let mut lines = vec![
        with(event("ev_summer_night"), json!({"starts_at": "2026-12-01"})),
        ticket_type("tt_general", "ev_summer_night"),
        order("or_1042", "ev_summer_night", "tt_general"),
    ];
    lines.extend((0..60).map(|number| {
        with(ticket(&format!("T{number}"), "ev_summer_night", "tt_general"), json!({"order_id": "or_1042"}))
    }));
    world.import(producer.tenant, &lines).await;
    producer
}

/// Runs schemathesis over the document at a URL. It calls what the document describes, in many right and wrong ways.
async fn schemathesis(url: String, arguments: &[String], settings: &[(&str, String)]) {
    let schemathesis =
        std::env::var("TAQUILLA_TEST_SCHEMATHESIS").expect("run `make test`, which installs schemathesis");
    let mut command = Command::new(schemathesis);
    command.args(["--config-file", "tests/schemathesis.toml", "run", &url]).args(arguments);
    if is_long() {
        command.args(["--max-examples", "200"]);
    }
    command.envs(settings.iter().map(|(name, value)| (name, value.as_str())));
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.contains("passed"), "{report}");
}

/// The settings of a server that takes as many calls as come, and whatever they may ask for.
fn unlimited() -> Config {
    configured(without_shop_limits(), |config| {
        config.rates.door = None;
        config.holds.longest = HOLD_MAX;
    })
}

async fn schemathesis_finds_nothing_in_the_read_api(world: World) {
    let producer = something_to_find(&world).await;
    let key = ["--header".to_owned(), format!("Authorization: Bearer {}", producer.key)];
    schemathesis(format!("{}/api/v1/openapi.json", world.client.base), &key, &[]).await;
}

async fn schemathesis_finds_nothing_in_the_shop(world: World) {
    let producer = something_to_find(&world).await;
    let secret = world.connect_processor(&producer).await;
    let settings =
        [("TAQUILLA_TEST_SECRET", secret), ("TAQUILLA_TEST_NOW", (world.now().micros() / 1_000_000).to_string())];
    let (_server, client) = world.another_server(unlimited()).await;
    for document in ["openapi.json", "openapi-payments.json"] {
        schemathesis(format!("{}/shop/v1/{document}", client.base), &[], &settings).await;
    }
    let placed = world.client.get("/api/v1/orders?status=pending", &producer.key).await.data();
    assert!(!placed.is_empty(), "some of the calls are right");
    assert_eq!(world.findings().await, []);
}

async fn schemathesis_finds_nothing_at_the_door(world: World) {
    let producer = something_to_find(&world).await;
    let (token, _) = world.door(producer.tenant, "ev_summer_night", &[Category::Ticket]).await;
    let link = ["--header".to_owned(), format!("Authorization: Bearer {token}")];
    let (_server, client) = world.another_server(unlimited()).await;
    schemathesis(format!("{}/door/v1/openapi.json", client.base), &link, &[]).await;
    let entered = world.client.get("/api/v1/tickets?status=scanned", &producer.key).await.data();
    assert!(!entered.is_empty(), "some of the calls are right");
    assert_eq!(world.findings().await, []);
}
