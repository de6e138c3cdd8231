//! Keys: which key may call what, and what all others are answered.

use std::time::Duration;

use reqwest::Method;
use taquilla::routes::api_routes;
use taquilla_domain::{
    clock::Stamp,
    config::Config,
    key::{Opens, Permission, Secret},
};
use taquilla_store::{Tenant, keys};

use crate::harness::configured;
use crate::harness::{Engine, World, event, order, problem, run, taquilla, ticket, ticket_type, until};

/// Every route that takes a key, the permission it needs, and a path that exists for it.
const ROUTES: &[(&str, Permission, &str)] = &[
    ("/api/v1/tickets", Permission::TicketsRead, "/api/v1/tickets"),
    ("/api/v1/tickets/{ticket_id}", Permission::TicketsRead, "/api/v1/tickets/T1"),
    ("/api/v1/tickets/{ticket_id}/chain", Permission::TicketsRead, "/api/v1/tickets/T1/chain"),
    ("/api/v1/events", Permission::EventsRead, "/api/v1/events"),
    ("/api/v1/events/{event_id}", Permission::EventsRead, "/api/v1/events/ev"),
    ("/api/v1/events/{event_id}/ticket-types", Permission::EventsRead, "/api/v1/events/ev/ticket-types"),
    ("/api/v1/orders", Permission::OrdersRead, "/api/v1/orders"),
    ("/api/v1/orders/{order_id}", Permission::OrdersRead, "/api/v1/orders/or"),
    ("/api/v1/me", Permission::EventsRead, "/api/v1/me"),
];

async fn a_little_of_everything(world: &World) -> crate::harness::Producer {
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt"), ticket("T1", "ev", "tt")];
    world.import(producer.tenant, &lines).await;
    producer
}

#[test]
fn the_table_holds_every_route_there_is() {
    let mut known: Vec<&str> = ROUTES.iter().map(|(route, ..)| *route).collect();
    let mut served: Vec<&str> = api_routes().iter().map(|(route, _)| *route).collect();
    known.sort_unstable();
    served.sort_unstable();
    assert_eq!(known, served, "a route was added or removed: say here which permission it needs");
}

both_engines![
    every_route_answers_every_state_of_a_key,
    checks_come_in_order_key_then_permission_then_parameters_then_existence,
    only_the_authorization_header_is_read_with_any_case_of_bearer,
    the_next_call_with_a_revoked_key_fails_on_every_server,
    the_next_calls_with_a_key_that_another_process_revoked_all_fail,
    a_key_works_until_the_moment_it_expires,
    the_last_use_is_noted_at_most_once_a_minute,
    a_server_that_knows_a_key_notes_its_use_again_after_a_minute,
    a_key_with_a_wrong_checksum_is_refused_without_asking_the_database,
    failed_authentications_are_limited_per_address_and_known_keys_are_not,
    a_key_over_its_rate_is_told_when_to_come_back,
];

async fn every_route_answers_every_state_of_a_key(world: World) {
    let producer = a_little_of_everything(&world).await;
    let (revoked, key) = world.key(producer.tenant, Permission::ALL, None).await;
    world.revoke_key(producer.tenant, &key.id).await;
    let soon = world.now().plus(Duration::from_secs(1));
    let (expired, _) = world.key(producer.tenant, Permission::ALL, Some(soon)).await;
    world.step(Duration::from_secs(1));
    let unknown = Secret::generate(Opens::Api).reveal().to_owned();

    for (_, permission, path) in ROUTES {
        let missing = world.client.send(Method::GET, path, &[]).await;
        assert_eq!(missing.problem(), problem(401, "missing_token", None), "{path}");
        assert_eq!(missing.header("www-authenticate"), Some("Bearer realm=\"taquilla\""));
        for (state, token) in
            [("malformed", "tq_nonsense"), ("unknown", &unknown), ("revoked", &revoked), ("expired", &expired)]
        {
            let answer = world.client.get(path, token).await;
            assert_eq!(answer.problem(), problem(401, "invalid_token", None), "{path} {state}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"taquilla\", error=\"invalid_token\""));
        }
        for held in Permission::ALL {
            let (token, _) = world.key(producer.tenant, &[*held], None).await;
            let answer = world.client.get(path, &token).await;
            if held == permission {
                assert_eq!(answer.status, 200, "{path} {held:?}: {}", answer.text);
            } else {
                assert_eq!(answer.problem(), problem(403, "insufficient_scope", None), "{path} {held:?}");
                let scope = format!("scope=\"{}\"", permission.as_str());
                assert!(answer.header("www-authenticate").unwrap().ends_with(&scope), "{path}");
                assert!(answer.json()["detail"].as_str().unwrap().contains(permission.as_str()), "{path}");
            }
        }
    }
}

async fn checks_come_in_order_key_then_permission_then_parameters_then_existence(world: World) {
    let producer = a_little_of_everything(&world).await;
    let (events_only, _) = world.key(producer.tenant, &[Permission::EventsRead], None).await;
    assert_eq!(world.client.get("/api/v1/tickets/%0A?bogus=1", &producer.key).await.status, 400);
    let wrong_everything = "/api/v1/tickets/NOPE?bogus=1";
    assert_eq!(world.client.get(wrong_everything, "tq_x").await.status, 401);
    assert_eq!(world.client.get(wrong_everything, &events_only).await.status, 403);
    assert_eq!(
        world.client.get(wrong_everything, &producer.key).await.problem(),
        problem(400, "unknown_parameter", Some("bogus"))
    );
    assert_eq!(
        world.client.get("/api/v1/tickets/NOPE", &producer.key).await.problem(),
        problem(404, "not_found", None)
    );
}

async fn only_the_authorization_header_is_read_with_any_case_of_bearer(world: World) {
    let producer = a_little_of_everything(&world).await;
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        let value = format!("{scheme} {}", producer.key);
        assert_eq!(
            world.client.send(Method::GET, "/api/v1/me", &[("authorization", &value)]).await.status,
            200,
            "{scheme}"
        );
    }
    let basic = format!("Basic {}", producer.key);
    let refused = [
        (vec![("authorization", producer.key.as_str())], "missing_token"),
        (vec![("authorization", basic.as_str())], "missing_token"),
        (vec![("x-api-key", producer.key.as_str())], "missing_token"),
        (vec![("cookie", producer.key.as_str())], "missing_token"),
        (vec![("authorization", "Bearer ")], "invalid_token"),
        (vec![("authorization", "Bearer tq_a"), ("authorization", "Bearer tq_b")], "invalid_token"),
    ];
    for (headers, code) in refused {
        let answer = world.client.send(Method::GET, "/api/v1/me", &headers).await;
        assert_eq!(answer.problem(), problem(401, code, None), "{headers:?}");
    }
    for name in ["key", "api_key", "access_token", "token"] {
        let answer = world.client.send(Method::GET, &format!("/api/v1/me?{name}={}", producer.key), &[]).await;
        assert_eq!(answer.problem(), problem(401, "missing_token", None));
    }
}

async fn the_next_call_with_a_revoked_key_fails_on_every_server(world: World) {
    let producer = a_little_of_everything(&world).await;
    let (_server, elsewhere) = world.another_server(Config::default()).await;
    let (token, key) = world.key(producer.tenant, &[Permission::EventsRead], None).await;
    assert_eq!(world.client.get("/api/v1/me", &token).await.status, 200);
    assert_eq!(elsewhere.get("/api/v1/me", &token).await.status, 200);
    world.revoke_key(producer.tenant, &key.id).await;
    assert_eq!(world.client.get("/api/v1/me", &token).await.status, 401);
    assert_eq!(elsewhere.get("/api/v1/me", &token).await.status, 401);
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200, "other keys keep working");
}

async fn the_next_calls_with_a_key_that_another_process_revoked_all_fail(world: World) {
    let producer = a_little_of_everything(&world).await;
    let (token, key) = world.key(producer.tenant, Permission::ALL, None).await;
    // Several calls at a time use several connections to the database, and each of those remembers the key.
    let ask = async |expected: &[u16]| {
        for _ in 0..3 {
            let paths = ROUTES.iter().map(|(_, _, path)| *path).chain([
                "/api/v1/tickets/NOPE",
                "/api/v1/tickets?scanned_after=2099-01-01",
                "/api/v1/tickets?nonsense=1",
            ]);
            let (client, token) = (&world.client, &token);
            let answers = paths.map(async |path| (path, client.get(path, token).await.status.as_u16()));
            for (path, status) in futures_util::future::join_all(answers).await {
                assert!(expected.contains(&status), "{path} {status}");
            }
        }
    };
    ask(&[200, 400, 404]).await;
    // A server trusts its memory only once the use of the key has been noted.
    assert!(until(async || noted(&world, producer.tenant, &key.id).await.is_some()).await);
    ask(&[200, 400, 404]).await;
    let revoked = taquilla(&world.address).args(["key", "revoke", &key.id]).output().unwrap();
    assert!(revoked.status.success(), "{revoked:?}");
    ask(&[401]).await;
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200, "other keys keep working");
}

/// When the last use of a key was, as it was noted.
async fn noted(world: &World, tenant: Tenant, id: &str) -> Option<Stamp> {
    let key = keys::find(&mut world.store.read().await.unwrap(), tenant, id).await.unwrap();
    key.unwrap().life.last_used_at
}

async fn a_server_that_knows_a_key_notes_its_use_again_after_a_minute(world: World) {
    let producer = a_little_of_everything(&world).await;
    let (token, key) = world.key(producer.tenant, Permission::ALL, None).await;
    for pause in [0, 60, 61] {
        world.step(Duration::from_secs(pause));
        for _ in 0..3 {
            assert_eq!(world.client.get("/api/v1/tickets/T1", &token).await.status, 200);
        }
        let now = world.now();
        assert!(until(async || noted(&world, producer.tenant, &key.id).await == Some(now)).await, "{pause}");
        // From here on the server knows that this use was noted.
        world.step(Duration::from_secs(59));
        assert_eq!(world.client.get("/api/v1/tickets/T1", &token).await.status, 200);
        world.step(Duration::from_secs(1));
        assert_eq!(world.client.get("/api/v1/tickets/T1", &token).await.status, 200);
        let now = world.now();
        assert!(
            until(async || noted(&world, producer.tenant, &key.id).await == Some(now)).await,
            "{pause} and a minute"
        );
    }
}

/// PostgreSQL only: on SQLite there is one writer, and everybody waits for it.
#[test]
fn a_key_is_revoked_also_while_somebody_holds_the_producers_clock() {
    run(Engine::Postgres, async |world: World| {
        let producer = world.producer("pr_a").await;
        let key = world.client.get("/api/v1/me", &producer.key).await.json()["key"]["id"].as_str().unwrap().to_owned();
        let _import = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
        world.revoke_key(producer.tenant, &key).await;
        assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 401);
    });
}

async fn a_key_works_until_the_moment_it_expires(world: World) {
    let producer = a_little_of_everything(&world).await;
    let expiry = world.now().plus(Duration::from_secs(10));
    let (token, _) = world.key(producer.tenant, Permission::ALL, Some(expiry)).await;
    world.step(Duration::from_micros(9_999_999));
    let me = world.client.get("/api/v1/me", &token).await;
    assert_eq!(me.json()["key"]["expires_at"], expiry.to_string());
    world.step(Duration::from_micros(1));
    assert_eq!(world.client.get("/api/v1/me", &token).await.status, 401);
}

async fn the_last_use_is_noted_at_most_once_a_minute(mut world: World) {
    let producer = a_little_of_everything(&world).await;
    let last_used = async |world: &World| {
        let keys = keys::list(&mut world.store.read().await.unwrap(), producer.tenant).await.unwrap();
        keys[0].life.last_used_at
    };
    assert_eq!(last_used(&world).await, None);
    let mut uses = Vec::new();
    for pause in [0, 59, 1, 30] {
        world.step(Duration::from_secs(pause));
        assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200);
        uses.push(world.now());
        // A stopped server has written all its notes; the next use goes to a new server.
        world.server.stop().await;
        let (server, client) = world.another_server(Config::default()).await;
        world.server = server;
        world.client = client;
        let expected = match pause {
            0 | 59 => uses[0],
            _ => uses[2],
        };
        assert_eq!(last_used(&world).await, Some(expected), "{pause}");
    }
    let me = world.client.get("/api/v1/me", &producer.key).await;
    assert_eq!(me.json()["key"]["last_used_at"], uses[2].to_string());
}

async fn a_key_with_a_wrong_checksum_is_refused_without_asking_the_database(world: World) {
    let unknown = Secret::generate(Opens::Api).reveal().to_owned();
    let mistyped = format!("{}{}", &unknown[..38], if unknown.ends_with('x') { 'y' } else { 'x' });
    world.raw().await.batch("ALTER TABLE api_keys RENAME TO api_keys_gone").await;
    assert_eq!(world.client.get("/api/v1/me", &mistyped).await.problem(), problem(401, "invalid_token", None));
    assert!(world.client.get("/api/v1/me", &unknown).await.status.is_server_error(), "a well-formed one is looked up");
}

async fn failed_authentications_are_limited_per_address_and_known_keys_are_not(world: World) {
    let producer = a_little_of_everything(&world).await;
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200);
    let mut limited = None;
    for _ in 0..1_000 {
        let answer = world.client.get("/api/v1/me", "tq_guess").await;
        if answer.status == 429 {
            limited = Some(answer);
            break;
        }
        assert_eq!(answer.status, 401);
    }
    let limited = limited.expect("a thousand failures were all let through");
    assert_eq!(limited.problem(), problem(429, "rate_limited", None));
    assert!(limited.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200);
}

async fn a_key_over_its_rate_is_told_when_to_come_back(world: World) {
    let producer = a_little_of_everything(&world).await;
    let (_server, client) = world
        .another_server(configured(Config::default(), |config| config.rates.key = std::num::NonZeroU32::new(3)))
        .await;
    let first = client.get("/api/v1/me", &producer.key).await;
    assert_eq!(first.header("ratelimit-policy"), Some("\"key\";q=3;w=1"));
    assert_eq!(first.header("ratelimit"), Some("\"key\";r=2;t=1"));
    let mut limited = None;
    for _ in 0..200 {
        let answer = client.get("/api/v1/me", &producer.key).await;
        if answer.status == 429 {
            limited = Some(answer);
            break;
        }
    }
    let limited = limited.expect("two hundred requests at once were all let through");
    assert_eq!(limited.problem(), problem(429, "rate_limited", None));
    assert_eq!(limited.header("retry-after"), Some("1"));
    assert_eq!(limited.header("ratelimit"), Some("\"key\";r=0;t=1"));
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.header("ratelimit"), None, "no limit is set there");
}
