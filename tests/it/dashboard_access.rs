//! Who may open which page: every route, every right, every role.

use std::collections::BTreeSet;

use reqwest::Method;
use taquilla::routes::{page_routes, producer_routes, staff_routes};
use taquilla_domain::{
    config::{CONFIRMED_FOR, CONFIRMED_GRACE},
    endpoint_url::EndpointUrl,
    key::Permission,
    role::{BuiltInRole, Right, Rights},
    webhook::MessageKind,
};
use taquilla_rules::admin;

use crate::harness::{Producer, Staff, World};

both_engines![
    every_route_asks_for_its_right,
    what_belongs_to_others_does_not_exist,
    pages_send_strangers_to_sign_in,
    forms_of_other_sites_are_refused,
    what_can_do_damage_asks_for_the_password_again,
    a_right_that_is_taken_away_is_gone_at_the_next_click,
];

use Right::{
    Administer, Import, ManageDoor, ManageEvents, ManagePayments, ManageTeam, ManageWebhooks, Refund, SeeDoor,
    SeeEvents, SeeHistory, SeeKeys, SeePayments, SeeTeam, SeeWebhooks,
};

/// Every route of a producer's pages, with what it takes and the right that it asks for.
pub fn table() -> Vec<Route> {
    [SET_UP, EVENTS, ORDERS, TICKETS, LIVE_DOOR, REPORTS, EXPORTS, WORK, PEOPLE].concat()
}

/// A method, a path, and the right that it asks for.
pub type Route = (&'static str, &'static str, Option<Right>);

const EVENTS: &[Route] = &[
    ("GET", "/events", Some(SeeEvents)),
    ("POST", "/events", Some(ManageEvents)),
    ("GET", "/events/new", Some(ManageEvents)),
    ("GET", "/events/{id}", Some(SeeEvents)),
    ("GET", "/events/{id}/change", Some(ManageEvents)),
    ("POST", "/events/{id}/change", Some(ManageEvents)),
    ("POST", "/events/{id}/publish", Some(ManageEvents)),
    ("GET", "/events/{id}/finish", Some(ManageEvents)),
    ("POST", "/events/{id}/finish", Some(ManageEvents)),
    ("GET", "/events/{id}/cancel", Some(ManageEvents)),
    ("POST", "/events/{id}/cancel", Some(ManageEvents)),
    ("GET", "/events/{id}/duplicate", Some(ManageEvents)),
    ("POST", "/events/{id}/duplicate", Some(ManageEvents)),
    ("GET", "/events/{id}/coupons", Some(ManageEvents)),
    ("POST", "/events/{id}/coupons", Some(ManageEvents)),
    ("POST", "/events/{id}/coupons/{coupon_id}/end", Some(ManageEvents)),
    ("GET", "/events/{id}/checkout", Some(ManageEvents)),
    ("POST", "/events/{id}/checkout", Some(ManageEvents)),
    ("POST", "/events/{id}/terms", Some(ManageEvents)),
    ("GET", "/events/{id}/surcharges", Some(ManageEvents)),
    ("POST", "/events/{id}/surcharges", Some(ManageEvents)),
    ("POST", "/events/{id}/surcharges/{surcharge_id}/end", Some(ManageEvents)),
    ("POST", "/events/{id}/items", Some(ManageEvents)),
    ("GET", "/events/{id}/items/new", Some(ManageEvents)),
    ("GET", "/events/{id}/items/{item_id}", Some(SeeEvents)),
    ("GET", "/events/{id}/items/{item_id}/change", Some(ManageEvents)),
    ("POST", "/events/{id}/items/{item_id}/change", Some(ManageEvents)),
    ("POST", "/events/{id}/items/{item_id}/delete", Some(ManageEvents)),
    ("POST", "/events/{id}/items/{item_id}/restore", Some(ManageEvents)),
    ("POST", "/events/{id}/items/{item_id}/move", Some(ManageEvents)),
    ("POST", "/events/{id}/pools", Some(ManageEvents)),
    ("GET", "/events/{id}/pools/new", Some(ManageEvents)),
    ("GET", "/events/{id}/pools/{pool_id}", Some(ManageEvents)),
    ("POST", "/events/{id}/pools/{pool_id}", Some(ManageEvents)),
    ("POST", "/events/{id}/pools/{pool_id}/end", Some(ManageEvents)),
    ("GET", "/events/{id}/promoters", Some(SeeEvents)),
    ("POST", "/events/{id}/promoters", Some(ManageEvents)),
    ("GET", "/events/{id}/promoters/new", Some(ManageEvents)),
    ("GET", "/events/{id}/promoters/{promoter_id}/renew", Some(ManageEvents)),
    ("POST", "/events/{id}/promoters/{promoter_id}/renew", Some(ManageEvents)),
    ("GET", "/events/{id}/promoters/{promoter_id}/end", Some(ManageEvents)),
    ("POST", "/events/{id}/promoters/{promoter_id}/end", Some(ManageEvents)),
];

const ORDERS: &[Route] = &[
    ("GET", "/events/{id}/attendees", Some(Right::SeeOrders)),
    ("GET", "/orders", Some(Right::SeeOrders)),
    ("GET", "/orders/new", Some(Right::Sell)),
    ("POST", "/orders/new", Some(Right::Sell)),
    ("GET", "/orders/{id}", Some(Right::SeeOrders)),
    ("GET", "/orders/{id}/tickets", Some(Right::SeeOrders)),
    ("POST", "/orders/{id}/approve", Some(Right::Sell)),
    ("POST", "/orders/{id}/notes", Some(Right::Sell)),
    ("GET", "/orders/{id}/reject", Some(Right::Sell)),
    ("POST", "/orders/{id}/reject", Some(Right::Sell)),
    ("GET", "/orders/{id}/refund", Some(Right::Refund)),
    ("POST", "/orders/{id}/refund", Some(Right::Refund)),
    ("GET", "/shift", Some(Right::Sell)),
    ("POST", "/shift/begin", Some(Right::Sell)),
    ("POST", "/shift/end", Some(Right::Sell)),
    ("GET", "/shift/{id}", Some(Right::Sell)),
    ("GET", "/orders/{id}/refund-tickets", Some(Right::Refund)),
    ("POST", "/orders/{id}/refund-tickets", Some(Right::Refund)),
];

const TICKETS: &[Route] = &[
    ("GET", "/tickets", Some(Right::SeeOrders)),
    ("GET", "/tickets/{id}", Some(Right::SeeOrders)),
    ("GET", "/tickets/{id}/cancel", Some(Right::ManageTickets)),
    ("POST", "/tickets/{id}/cancel", Some(Right::ManageTickets)),
    ("GET", "/tickets/{id}/pass-on", Some(Right::ManageTickets)),
    ("POST", "/tickets/{id}/pass-on", Some(Right::ManageTickets)),
    ("GET", "/tickets/{id}/hide", Some(Right::ManageTickets)),
    ("POST", "/tickets/{id}/hide", Some(Right::ManageTickets)),
    ("GET", "/tickets/{id}/note", Some(Right::ManageTickets)),
    ("POST", "/tickets/{id}/note", Some(Right::ManageTickets)),
];

const LIVE_DOOR: &[Route] = &[
    ("GET", "/door", Some(SeeDoor)),
    ("GET", "/door/{event_id}", Some(SeeDoor)),
    ("GET", "/door/{event_id}/stream", Some(SeeDoor)),
    ("GET", "/door/{event_id}/screen", Some(SeeDoor)),
    ("GET", "/door/{event_id}/by-hand", Some(ManageDoor)),
    ("POST", "/door/{event_id}/by-hand/{id}", Some(ManageDoor)),
    ("GET", "/door/{event_id}/entries/{id}/undo", Some(ManageDoor)),
    ("POST", "/door/{event_id}/entries/{id}/undo", Some(ManageDoor)),
    ("GET", "/door/{event_id}/limits", Some(ManageDoor)),
    ("POST", "/door/{event_id}/limits", Some(ManageDoor)),
    ("GET", "/door/{event_id}/links", Some(ManageDoor)),
    ("POST", "/door/{event_id}/links", Some(ManageDoor)),
    ("GET", "/door/{event_id}/links/new", Some(ManageDoor)),
    ("GET", "/door/{event_id}/links/{id}/revoke", Some(ManageDoor)),
    ("POST", "/door/{event_id}/links/{id}/revoke", Some(ManageDoor)),
];

const REPORTS: &[Route] = &[
    ("GET", "/reports", Some(Right::SeeReports)),
    ("GET", "/reports/sales", Some(Right::SeeReports)),
    ("GET", "/reports/promoters", Some(Right::SeeReports)),
    ("GET", "/reports/orders", Some(Right::SeeOrders)),
    ("GET", "/reports/entries", Some(Right::SeeReports)),
    ("GET", "/reports/no-shows", Some(Right::SeeReports)),
    ("GET", "/reports/stock", Some(Right::SeeReports)),
    ("GET", "/reports/shifts", Some(Right::SeeReports)),
    ("GET", "/reports/shifts/{id}", Some(Right::SeeReports)),
];

const EXPORTS: &[Route] = &[("GET", "/data", Some(Right::Export)), ("GET", "/exports/{file}", Some(Right::Export))];

const WORK: &[Route] = &[
    ("GET", "/events/{id}/refund", Some(Refund)),
    ("POST", "/events/{id}/refund", Some(Refund)),
    ("GET", "/refunds/{id}", Some(Refund)),
    ("POST", "/refunds/{id}/stop", Some(Refund)),
    ("POST", "/refunds/{id}/go-on", Some(Refund)),
    ("GET", "/imports", Some(Import)),
    ("POST", "/imports", Some(Import)),
    ("GET", "/imports/example.csv", Some(Import)),
    ("GET", "/imports/{id}", Some(Import)),
    ("POST", "/imports/{id}/import", Some(Import)),
    ("POST", "/imports/{id}/give-up", Some(Import)),
];

const PEOPLE: &[Route] = &[
    ("GET", "/people", Some(Right::ManagePersonalData)),
    ("POST", "/people/find", Some(Right::ManagePersonalData)),
    ("POST", "/people/export", Some(Right::ManagePersonalData)),
    ("POST", "/people/erase", Some(Right::ManagePersonalData)),
    ("GET", "/people/{id}", Some(Right::ManagePersonalData)),
];

const SET_UP: &[Route] = &[
    ("GET", "", None),
    ("GET", "/keys", Some(SeeKeys)),
    ("POST", "/keys", Some(Administer)),
    ("GET", "/keys/new", Some(Administer)),
    ("GET", "/keys/{id}/revoke", Some(Administer)),
    ("POST", "/keys/{id}/revoke", Some(Administer)),
    ("GET", "/webhooks", Some(SeeWebhooks)),
    ("POST", "/webhooks", Some(ManageWebhooks)),
    ("GET", "/webhooks/new", Some(ManageWebhooks)),
    ("GET", "/webhooks/{id}", Some(SeeWebhooks)),
    ("GET", "/webhooks/{id}/change", Some(ManageWebhooks)),
    ("POST", "/webhooks/{id}/change", Some(ManageWebhooks)),
    ("POST", "/webhooks/{id}/pause", Some(ManageWebhooks)),
    ("POST", "/webhooks/{id}/resume", Some(ManageWebhooks)),
    ("POST", "/webhooks/{id}/rotate", Some(ManageWebhooks)),
    ("POST", "/webhooks/{id}/test", Some(ManageWebhooks)),
    ("POST", "/webhooks/{id}/replay", Some(ManageWebhooks)),
    ("GET", "/webhooks/{id}/delete", Some(ManageWebhooks)),
    ("POST", "/webhooks/{id}/delete", Some(ManageWebhooks)),
    ("GET", "/webhooks/{id}/messages/{message_id}", Some(SeeWebhooks)),
    ("GET", "/payments", Some(SeePayments)),
    ("GET", "/payments/connect", Some(ManagePayments)),
    ("POST", "/payments/connect", Some(ManagePayments)),
    ("GET", "/payments/open", Some(SeePayments)),
    ("GET", "/payments/one", Some(ManagePayments)),
    ("POST", "/payments/settle", Some(ManagePayments)),
    ("POST", "/payments/paid-back", Some(ManagePayments)),
    ("GET", "/payments/owed", Some(SeePayments)),
    ("GET", "/payments/owed/paid-back", Some(ManagePayments)),
    ("POST", "/payments/owed/paid-back", Some(ManagePayments)),
    ("GET", "/team", Some(SeeTeam)),
    ("GET", "/team/invite", Some(ManageTeam)),
    ("POST", "/team/invite", Some(ManageTeam)),
    ("POST", "/team/second-factor", Some(ManageTeam)),
    ("POST", "/team/invitations/{id}/withdraw", Some(ManageTeam)),
    ("GET", "/team/members/{id}", Some(ManageTeam)),
    ("POST", "/team/members/{id}/role", Some(ManageTeam)),
    ("POST", "/team/members/{id}/reset", Some(ManageTeam)),
    ("POST", "/team/members/{id}/remove", Some(ManageTeam)),
    ("GET", "/team/roles", Some(SeeTeam)),
    ("POST", "/team/roles", Some(ManageTeam)),
    ("GET", "/team/roles/new", Some(ManageTeam)),
    ("GET", "/team/roles/{id}", Some(ManageTeam)),
    ("POST", "/team/roles/{id}", Some(ManageTeam)),
    ("POST", "/team/roles/{id}/delete", Some(ManageTeam)),
    ("GET", "/history", Some(SeeHistory)),
    ("GET", "/settings", Some(Administer)),
    ("POST", "/settings", Some(Administer)),
    ("POST", "/settings/retention", Some(Right::ManagePersonalData)),
    ("GET", "/settings/terms", Some(Administer)),
    ("POST", "/settings/terms", Some(Administer)),
    ("GET", "/settings/shop", Some(Administer)),
    ("POST", "/settings/shop", Some(Administer)),
    ("POST", "/settings/shop/picture", Some(Administer)),
    ("POST", "/settings/shop/picture/remove", Some(Administer)),
    ("GET", "/settings/websites", Some(Administer)),
    ("POST", "/settings/websites", Some(Administer)),
];

const PREFIX: &str = "/dashboard/p/{producer_id}";

/// A route that is in the server and not in the table fails here.
#[test]
fn the_table_is_complete() {
    let routes: BTreeSet<String> = producer_routes().iter().map(|(path, _)| path.replace(PREFIX, "")).collect();
    let tabled: BTreeSet<String> = table().iter().map(|(_, path, _)| (*path).to_owned()).collect();
    assert_eq!(routes, tabled, "left: routes of the server; right: those of the table above");
    assert!(producer_routes().iter().all(|(path, _)| path.starts_with(PREFIX)));
    assert!(staff_routes().iter().all(|(path, _)| path.starts_with("/dashboard") && !path.contains("producer_id")));
}

fn address(producer: &str, path: &str) -> String {
    format!("/dashboard/p/{producer}{}", path.replace("{id}", "no-such").replace("{message_id}", "no-such"))
}

async fn ask(staff: &Staff, method: &str, path: &str) -> u16 {
    match method {
        "GET" => staff.get(path).await.status.as_u16(),
        _ => staff.post(path, &[]).await.status.as_u16(),
    }
}

async fn every_route_asks_for_its_right(world: World) {
    let producer = world.producer("pr_a").await;
    for role in BuiltInRole::ALL {
        let staff = world.staff(producer.tenant, &format!("{}@x.example", role.as_str()), *role).await;
        for (method, path, right) in table() {
            let allowed = right.is_none_or(|right| role.rights().allow(right));
            let status = ask(&staff, method, &address("pr_a", path)).await;
            let case = format!("{method} {path} as {}: {status}", role.as_str());
            match allowed {
                true => assert!([200, 303, 404, 409, 422].contains(&status), "{case}"),
                false => assert_eq!(status, 403, "{case}"),
            }
        }
        // Methods that are not in the table are not taken.
        for (path, _) in producer_routes() {
            let path = path.replace(PREFIX, "");
            for method in ["GET", "POST"] {
                if !table().iter().any(|(known, there, _)| *known == method && *there == path) {
                    assert_eq!(ask(&staff, method, &address("pr_a", &path)).await, 405, "{method} {path}");
                }
            }
        }
    }
    // Each refusal is written down.
    let refused = world.raw().await.rows("SELECT actor, details FROM audit WHERE action = 'refused'").await;
    let viewers = refused.iter().filter(|row| row[0] == "viewer@x.example").count();
    let forbidden = table()
        .into_iter()
        .filter(|(_, _, right)| right.is_some_and(|right| !BuiltInRole::Viewer.rights().allow(right)));
    assert_eq!(viewers, forbidden.count());
    assert!(refused.iter().any(|row| row[1].contains("keys.see") && row[1].contains("GET")), "{refused:?}");
}

async fn an_endpoint(world: &World, producer: &Producer) -> String {
    let url = EndpointUrl::parse("https://example.com/hook", &[]).unwrap();
    let kinds = [MessageKind::TicketScanned];
    let made =
        admin::endpoints::create(&world.store, producer.tenant, &url, &kinds, false, Rights::all(), &world.by()).await;
    made.unwrap().0.id
}

async fn what_belongs_to_others_does_not_exist(world: World) {
    let (own, other) = (world.producer("pr_a").await, world.producer("pr_b").await);
    let ana = world.staff(own.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for (method, path, _) in table() {
        assert_eq!(ask(&ana, method, &address("pr_b", path)).await, 404, "{method} {path}");
        assert_eq!(ask(&ana, method, &address("pr_none", path)).await, 404, "{method} {path}");
    }
    // Things of others, asked for through the own producer.
    let (_, key) = world.key(other.tenant, Permission::ALL, None).await;
    let endpoint = an_endpoint(&world, &other).await;
    let member = world.user(other.tenant, "bea@x.example", "viewer").await;
    let before = world.contents(&[("sessions", "seen_at")]).await;
    for path in [
        format!("/keys/{}/revoke", key.id),
        format!("/webhooks/{endpoint}"),
        format!("/webhooks/{endpoint}/change"),
        format!("/webhooks/{endpoint}/delete"),
        format!("/team/members/{member}"),
    ] {
        assert_eq!(ana.get(&format!("/dashboard/p/pr_a{path}")).await.status, 404, "{path}");
    }
    let valid = [("url", "https://example.com/x"), ("kind", "ticket.scanned"), ("which", "failed"), ("role", "viewer")];
    for path in [
        format!("/keys/{}/revoke", key.id),
        format!("/webhooks/{endpoint}/change"),
        format!("/webhooks/{endpoint}/pause"),
        format!("/webhooks/{endpoint}/resume"),
        format!("/webhooks/{endpoint}/rotate"),
        format!("/webhooks/{endpoint}/test"),
        format!("/webhooks/{endpoint}/replay"),
        format!("/webhooks/{endpoint}/delete"),
        format!("/team/members/{member}/role"),
        format!("/team/members/{member}/reset"),
        format!("/team/members/{member}/remove"),
    ] {
        assert_eq!(ana.post(&format!("/dashboard/p/pr_a{path}"), &valid).await.status, 404, "{path}");
    }
    assert_eq!(world.contents(&[("sessions", "seen_at")]).await, before, "nothing was changed");
    // What concerns all producers does not exist for who is no operator.
    for path in ["/dashboard/service", "/dashboard/service/users/x", "/dashboard/service/producers"] {
        assert!([404, 405].contains(&ana.get(path).await.status.as_u16()), "{path}");
        assert!([404, 405].contains(&ana.post(path, &[("change", "disable")]).await.status.as_u16()), "{path}");
    }
}

async fn pages_send_strangers_to_sign_in(world: World) {
    world.producer("pr_a").await;
    let stranger = Staff::new(&world.client.base);
    for (method, path, _) in table() {
        let path = address("pr_a", path);
        let page = match method {
            "GET" => stranger.get(&path).await,
            _ => stranger.post(&path, &[]).await,
        };
        assert!(page.leads_to().starts_with("/dashboard/sign-in?next=%2Fdashboard%2Fp%2Fpr_a"), "{method} {path}");
    }
    for wrong in ["", "tqs_guess", "x", "tqs_000000000000000000000000000000000000"] {
        stranger.set_cookie("taquilla", wrong);
        assert!(stranger.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"), "{wrong}");
    }
}

async fn forms_of_other_sites_are_refused(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let fields = [("name", "From elsewhere"), ("permission", "EVENTS_READ"), ("expires", "30")];
    let host = world.client.base.replace("http://", "");
    let own_origin = world.client.base.clone();
    for (headers, status) in [
        (vec![("sec-fetch-site", "cross-site")], 403),
        (vec![("sec-fetch-site", "same-site")], 403),
        (vec![("origin", "https://evil.example")], 403),
        (vec![("origin", "null")], 403),
        (vec![("origin", "https://evil.example"), ("x-forwarded-host", "evil.example")], 403),
        (vec![("origin", own_origin.as_str())], 200),
        (vec![("sec-fetch-site", "same-origin")], 200),
        (vec![], 200),
    ] {
        let page = ana.send(Method::POST, "/dashboard/p/pr_a/keys", Some(&fields), &headers).await;
        assert_eq!(page.status, status, "{headers:?} to {host}");
    }
    // Every route that takes a form is behind the same check.
    for (path, _) in producer_routes().iter().chain(&staff_routes()).chain(&page_routes()) {
        let path = path
            .replace("{producer_id}", "pr_a")
            .replace("{id}", "x")
            .replace("{token}", "x")
            .replace("{message_id}", "x");
        let page = ana.send(Method::POST, &path, Some(&[]), &[("sec-fetch-site", "cross-site")]).await;
        assert!([403, 405].contains(&page.status.as_u16()), "{path}: {}", page.status);
    }
    let made = world.raw().await.rows("SELECT id FROM api_keys WHERE name = 'From elsewhere'").await;
    assert_eq!(made.len(), 3);
    // A page that only looks is not changed by a GET.
    assert_eq!(ana.get("/dashboard/sign-out").await.status, 405);
}

async fn what_can_do_damage_asks_for_the_password_again(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    assert_eq!(ana.get("/dashboard/p/pr_a/keys/new").await.status, 200);
    world.step(CONFIRMED_FOR);
    for page in ["/keys/new", "/webhooks/new", "/payments/connect", "/team/invite", "/settings", "/people"] {
        let path = format!("/dashboard/p/pr_a{page}");
        let next = url::form_urlencoded::byte_serialize(path.as_bytes()).collect::<String>();
        assert_eq!(ana.get(&path).await.leads_to(), format!("/dashboard/confirm?next={next}"));
    }
    // A form that was open a while longer is still taken, so that nobody loses what they wrote.
    let fields = [("name", "Late"), ("permission", "EVENTS_READ"), ("expires", "30")];
    assert_eq!(ana.post("/dashboard/p/pr_a/keys", &fields).await.status, 200);
    world.step(CONFIRMED_GRACE);
    assert_eq!(ana.post("/dashboard/p/pr_a/keys", &fields).await.leads_to(), "/dashboard/confirm?next=%2Fdashboard");
    let from = format!("{}/dashboard/p/pr_a/keys/new", world.client.base);
    let back = ana.send(Method::POST, "/dashboard/p/pr_a/keys", Some(&fields), &[("referer", &from)]).await;
    assert_eq!(back.leads_to(), "/dashboard/confirm?next=%2Fdashboard%2Fp%2Fpr_a%2Fkeys%2Fnew");
    assert!(ana.post("/dashboard/p/pr_a/payments/connect", &[]).await.leads_to().starts_with("/dashboard/confirm?"));
    // Looking needs no password.
    assert_eq!(ana.get("/dashboard/p/pr_a/keys").await.status, 200);
    let next = [("next", "/dashboard/p/pr_a/keys/new")];
    let wrong = ana.post("/dashboard/confirm", &[next[0], ("password", "not the password")]).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text.contains("That is not your password."));
    let right = ana.post("/dashboard/confirm", &[next[0], ("password", crate::harness::PASSWORD)]).await;
    assert_eq!(right.leads_to(), "/dashboard/p/pr_a/keys/new");
    assert_eq!(ana.get("/dashboard/p/pr_a/keys/new").await.status, 200);
}

async fn a_right_that_is_taken_away_is_gone_at_the_next_click(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea_id = world.user(producer.tenant, "bea@x.example", "editor").await;
    let bea = Staff::new(&world.client.base);
    bea.sign_in("bea@x.example").await;
    assert_eq!(bea.get("/dashboard/p/pr_a/keys").await.status, 200);
    let role = format!("/dashboard/p/pr_a/team/members/{bea_id}/role");
    assert_eq!(ana.post(&role, &[("role", "viewer")]).await.leads_to(), "/dashboard/p/pr_a/team?done=role-changed");
    assert_eq!(bea.get("/dashboard/p/pr_a/keys").await.status, 403);
    ana.post(&format!("/dashboard/p/pr_a/team/members/{bea_id}/remove"), &[]).await;
    assert_eq!(bea.get("/dashboard/p/pr_a").await.status, 404, "somebody who left finds nothing");
}
