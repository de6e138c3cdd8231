//! A right that is taken away while a request is under way: the request changes nothing, and a file ends.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use taquilla_domain::{
    endpoint_url::EndpointUrl,
    key::Permission,
    role::{BuiltInRole, Rights},
    status::Category,
    webhook::MessageKind,
};
use taquilla_rules::admin;
use taquilla_store::staff::members;

use crate::{
    dashboard_access::table,
    harness::{Held, Producer, Staff, World, event, order, ticket, ticket_type, with},
    shop_look::a_picture,
};

both_engines![
    no_form_is_taken_from_who_may_no_longer_send_it,
    whatever_is_withdrawn_a_key_is_not_made,
    an_operator_who_is_none_any_more_changes_nobody,
    who_takes_away_their_own_right_may,
    a_file_ends_when_its_reader_may_not_have_it,
];

/// Routes whose forms have nothing in them, so that their bodies are not waited for.
const WITHOUT_FORM: &[&str] = &[
    "/refunds/{id}/stop",
    "/refunds/{id}/go-on",
    "/imports/{id}/import",
    "/imports/{id}/give-up",
    "/events/{id}/coupons/{coupon_id}/end",
    "/events/{id}/surcharges/{surcharge_id}/end",
    "/settings/shop/picture/remove",
];

const PARTS: &str = "multipart/form-data; boundary=seam";

/// A form with a picture.
fn picture_form() -> Vec<u8> {
    let head = "--seam\r\ncontent-disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\n\r\n";
    [head.as_bytes(), &a_picture(700, 400), b"\r\n--seam--\r\n"].concat()
}

type Fields = Vec<(&'static str, String)>;

/// Everything that the forms below change.
async fn a_producer(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let (store, tenant, by) = (&world.store, producer.tenant, world.by());
    let lines = [
        with(event("ev"), json!({"status": "published"})),
        with(event("ev_draft"), json!({"status": "draft"})),
        with(event("ev_over"), json!({"status": "cancelled"})),
        ticket_type("tt", "ev"),
        ticket_type("tt_2", "ev"),
        ticket_type("tt_gone", "ev"),
        json!({"kind": "pool", "id": "pool_1", "event_id": "ev", "name": "Hall", "limit": 50, "ticket_type_ids": ["tt"]}),
        with(order("or_open", "ev", "tt"), json!({"status": "pending"})),
        with(order("or_paid", "ev", "tt"), json!({"status": "approved"})),
        with(order("or_back", "ev", "tt"), json!({"status": "approved"})),
        with(ticket("CODE1", "ev", "tt"), json!({"order_id": "or_paid"})),
        with(ticket("CODE2", "ev", "tt"), json!({"checked_in_at": "2026-10-02"})),
    ];
    world.import(tenant, &lines).await;
    let ana = world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
    ana.post("/dashboard/p/pr_a/events/ev/items/tt_gone/delete", &[]).await.leads_to();
    world.user(tenant, "bea@x.example", "viewer").await;
    world.user(tenant, "root@x.example", "administrator").await;
    world.key(tenant, Permission::ALL, None).await;
    world.door(tenant, "ev", &[Category::Ticket]).await;
    let url = EndpointUrl::parse("https://nobody.invalid/", &[]).unwrap();
    admin::endpoints::create(store, tenant, &url, &[MessageKind::TicketScanned], false, Rights::all(), &by)
        .await
        .unwrap();
    ana.post("/dashboard/p/pr_a/orders/or_back/refund", &[]).await.leads_to();
    ana.post("/dashboard/p/pr_a/team/invite", &[("email", "carl@x.example"), ("role", "viewer")]).await;
    ana.post("/dashboard/p/pr_a/team/roles", &[("name", "Spare"), ("right", "keys.see")]).await.leads_to();
    let page = |name: &str| format!("/dashboard/p/pr_a/events/ev/{name}");
    ana.post(&page("coupons"), &[("code", "Friends"), ("kind", "percent"), ("rate", "5")]).await.leads_to();
    let fee = [("name", "Fee"), ("kind", "amount"), ("rate", "3"), ("per", "ticket")];
    ana.post(&page("surcharges"), &fee).await.leads_to();
    let promoter = [("form", "AAAABBBBCCCCDDDD"), ("name", "Nita"), ("complimentary", "2")];
    assert_eq!(ana.post(&page("promoters"), &promoter).await.status, 200);
    let secret = world.connect_processor(&producer).await;
    let money =
        json!({"payment_id": "pay_1", "reference": "no such", "status": "paid", "amount": 5, "currency": "EUR"});
    crate::harness::pay(world, &money, &secret, 0).await;
    (producer, ana)
}

/// A form that would be taken, for every route that takes one: the route, the address, and the fields.
async fn forms(world: &World) -> Vec<(&'static str, String, Fields)> {
    let raw = world.raw().await;
    let one = async |sql: &str| raw.rows(sql).await[0].join("-");
    let place = one("SELECT issued_at, seq FROM tickets WHERE id = 'CODE1'").await;
    let entered = one("SELECT issued_at, seq FROM tickets WHERE id = 'CODE2'").await;
    let entered_at = one("SELECT checked_in_at FROM tickets WHERE id = 'CODE2'").await;
    let key = one("SELECT id FROM api_keys").await;
    let link = one("SELECT id FROM door_links").await;
    let endpoint = one("SELECT id FROM webhook_endpoints").await;
    let invitation = one("SELECT id FROM staff_links WHERE purpose = 'invitation'").await;
    let role = one("SELECT id FROM roles").await;
    let bea = one("SELECT id FROM users WHERE email = 'bea@x.example'").await;
    let stamp = async |table: &str, id: &str| one(&format!("SELECT updated_at FROM {table} WHERE id = '{id}'")).await;
    let (of_ev, of_draft, of_tt) =
        (stamp("events", "ev").await, stamp("events", "ev_draft").await, stamp("ticket_types", "tt").await);
    let item = |name: &str| {
        let item = [("name", name), ("price", "7"), ("status", "active"), ("kind", "ticket_type")];
        fields(&[item.as_slice(), &[("category", "ticket"), ("max_per_order", "9"), ("sort_order", "1")]].concat())
    };
    let an_event = fields(&[("name", "Renamed"), ("time_zone", "Europe/Madrid"), ("currency", "EUR")]);
    let of_promoter = format!("ev {}", one("SELECT id FROM promoters").await);
    let renewed = fields(&[("form", "CCCCBBBBAAAADDDD")]);
    let of_pool = stamp("pools", "pool_1").await;
    let a_pool = fields(&[("name", "Room"), ("limit", "40"), ("ticket_type", "tt_2")]);
    let endpoint_fields = fields(&[("url", "https://example.com/x"), ("kind", "ticket.scanned")]);
    let person = fields(&[("by", "email"), ("detail", "ana@example.com"), ("sure", "yes")]);
    let at = |fields: &Fields, stamp: &str| [fields.clone(), vec![("updated_at", stamp.to_owned())]].concat();
    let forms: Vec<(&'static str, &str, Fields)> = vec![
        ("/events", "", an_event.clone()),
        ("/events/{id}/change", "ev", at(&an_event, &of_ev)),
        ("/events/{id}/publish", "ev_draft", at(&fields(&[("sure", "yes")]), &of_draft)),
        ("/events/{id}/finish", "ev", at(&vec![], &of_ev)),
        ("/events/{id}/cancel", "ev", at(&vec![], &of_ev)),
        ("/events/{id}/duplicate", "ev", fields(&[("name", "Again")])),
        ("/events/{id}/items", "ev", item("New")),
        ("/events/{id}/items/{item_id}/change", "ev tt", at(&item("Renamed"), &of_tt)),
        ("/events/{id}/items/{item_id}/delete", "ev tt", vec![]),
        ("/events/{id}/items/{item_id}/restore", "ev tt_gone", vec![]),
        ("/events/{id}/items/{item_id}/move", "ev tt_2", fields(&[("direction", "up")])),
        ("/events/{id}/pools", "ev", a_pool.clone()),
        ("/events/{id}/pools/{pool_id}", "ev pool_1", at(&a_pool, &of_pool)),
        ("/events/{id}/pools/{pool_id}/end", "ev pool_1", vec![]),
        ("/events/{id}/coupons", "ev", fields(&[("code", "Late"), ("kind", "percent"), ("rate", "5")])),
        ("/events/{id}/checkout", "ev", fields(&[("attendees", "name")])),
        ("/events/{id}/terms", "ev", fields(&[("text", "No dogs.")])),
        (
            "/events/{id}/surcharges",
            "ev",
            fields(&[("name", "Late"), ("kind", "amount"), ("rate", "3"), ("per", "ticket")]),
        ),
        (
            "/events/{id}/promoters",
            "ev",
            fields(&[("form", "BBBBAAAACCCCDDDD"), ("name", "Late"), ("complimentary", "2")]),
        ),
        ("/events/{id}/promoters/{promoter_id}/renew", &of_promoter, renewed),
        ("/events/{id}/promoters/{promoter_id}/end", &of_promoter, vec![]),
        ("/events/{id}/refund", "ev_over", vec![]),
        ("/orders/new", "", fields(&[("event", "ev"), ("key", "AAAABBBBCCCCDDDD"), ("quantity_tt", "1")])),
        ("/orders/{id}/approve", "or_open", vec![]),
        ("/orders/{id}/reject", "or_open", vec![]),
        ("/orders/{id}/refund", "or_paid", vec![]),
        ("/orders/{id}/refund-tickets", "or_paid", fields(&[("ticket", place.as_str())])),
        ("/orders/{id}/notes", "or_paid", fields(&[("note", "She calls again.")])),
        ("/shift/begin", "", fields(&[("cash", "100")])),
        ("/shift/end", "", fields(&[("counted_EUR", "100")])),
        ("/tickets/{id}/cancel", &place, vec![]),
        ("/tickets/{id}/pass-on", &place, fields(&[("name", "Bea"), ("email", "b@x.example")])),
        ("/tickets/{id}/note", &place, fields(&[("door_note", "VIP")])),
        ("/tickets/{id}/hide", &place, vec![]),
        ("/door/{event_id}/by-hand/{id}", "ev PLACE", fields(&[("scan_id", "AAAABBBBCCCCDDDD")])),
        ("/door/{event_id}/entries/{id}/undo", "ev ENTERED", fields(&[("entered_at", entered_at.as_str())])),
        ("/door/{event_id}/limits", "ev", fields(&[("zone", ""), ("people", "100")])),
        ("/door/{event_id}/links", "ev", fields(&[("label", "North"), ("category", "ticket")])),
        ("/door/{event_id}/links/{id}/revoke", "ev LINK", vec![]),
        ("/people/find", "", person.clone()),
        ("/people/export", "", person.clone()),
        ("/people/erase", "", person),
        ("/keys", "", fields(&[("name", "Late"), ("permission", "EVENTS_READ"), ("expires", "30")])),
        ("/keys/{id}/revoke", &key, vec![]),
        ("/webhooks", "", endpoint_fields.clone()),
        ("/webhooks/{id}/change", &endpoint, endpoint_fields),
        ("/webhooks/{id}/pause", &endpoint, vec![]),
        ("/webhooks/{id}/resume", &endpoint, vec![]),
        ("/webhooks/{id}/rotate", &endpoint, vec![]),
        ("/webhooks/{id}/test", &endpoint, vec![]),
        ("/webhooks/{id}/replay", &endpoint, fields(&[("which", "failed")])),
        ("/webhooks/{id}/delete", &endpoint, vec![]),
        ("/payments/connect", "", vec![]),
        ("/payments/paid-back", "", fields(&[("payment", "pay_1"), ("note", "by transfer")])),
        ("/payments/settle", "", fields(&[("payment", "pay_1"), ("order", "or_open")])),
        ("/payments/owed/paid-back", "", fields(&[("order", "or_back"), ("note", "by transfer")])),
        ("/team/invite", "", fields(&[("email", "dan@x.example"), ("role", "viewer")])),
        ("/team/second-factor", "", vec![]),
        ("/team/invitations/{id}/withdraw", &invitation, vec![]),
        ("/team/members/{id}/role", &bea, fields(&[("role", "editor")])),
        ("/team/members/{id}/reset", &bea, vec![]),
        ("/team/members/{id}/remove", &bea, vec![]),
        ("/team/roles", "", fields(&[("name", "New"), ("right", "keys.see")])),
        ("/team/roles/{id}", &role, fields(&[("name", "Spare"), ("right", "team.see")])),
        ("/team/roles/{id}/delete", &role, vec![]),
        ("/settings", "", an_event),
        ("/settings/retention", "", fields(&[("retention_days", "9"), ("sure", "yes")])),
        ("/settings/terms", "", fields(&[("text", "No cats.")])),
        ("/settings/shop", "", fields(&[("colour", "#0a5c36")])),
        ("/settings/websites", "", fields(&[("origins", "https://other.example")])),
    ];
    let address = |route: &str, ids: &str| {
        let mut path = route.to_owned();
        for id in ids.replace("LINK", &link).replace("PLACE", &place).replace("ENTERED", &entered).split_whitespace() {
            let (begin, end) = (path.find('{').unwrap(), path.find('}').unwrap());
            path.replace_range(begin..=end, id);
        }
        assert!(!path.contains('{'), "{path}");
        format!("/dashboard/p/pr_a{path}")
    };
    forms.into_iter().map(|(route, ids, fields)| (route, address(route, ids), fields)).collect()
}

fn fields(fields: &[(&'static str, &str)]) -> Fields {
    fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
}

/// Takes away what somebody has, and gives it back.
const TO_VIEWER: (&str, &str) = (
    "UPDATE members SET role = 'viewer' WHERE user_id = (SELECT id FROM users WHERE email = 'ana@x.example')",
    "UPDATE members SET role = 'administrator' WHERE user_id = (SELECT id FROM users WHERE email = 'ana@x.example')",
);

async fn no_form_is_taken_from_who_may_no_longer_send_it(world: World) {
    let (_, ana) = a_producer(&world).await;
    let forms = forms(&world).await;
    let tried: BTreeSet<&str> = forms.iter().map(|(route, ..)| *route).chain(WITHOUT_FORM.iter().copied()).collect();
    let routes: BTreeSet<&str> =
        table().into_iter().filter(|(method, ..)| *method == "POST").map(|(_, route, _)| route).collect();
    let files = BTreeSet::from(["/imports", "/settings/shop/picture"]);
    assert_eq!(routes, &tried | &files, "left: routes that take a form; right: those that are tried here");
    let raw = world.raw().await;
    let before = kept(&world).await;
    for (route, address, fields) in &forms {
        let held = ana.hold(address, "application/x-www-form-urlencoded", &body(fields)).await;
        raw.batch(TO_VIEWER.0).await;
        let page = held.send().await;
        raw.batch(TO_VIEWER.1).await;
        assert_eq!(page.status, 403, "{route}: {}", page.text);
    }
    let part = "--seam\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n{}\r\n--seam--\r\n";
    let held = ana.hold("/dashboard/p/pr_a/imports", PARTS, part).await;
    raw.batch(TO_VIEWER.0).await;
    assert_eq!(held.send().await.status, 403);
    raw.batch(TO_VIEWER.1).await;
    let held = ana.hold("/dashboard/p/pr_a/settings/shop/picture", PARTS, picture_form()).await;
    raw.batch(TO_VIEWER.0).await;
    assert_eq!(held.send().await.status, 403);
    raw.batch(TO_VIEWER.1).await;
    let after = kept(&world).await;
    for (table, rows) in &before {
        assert_eq!(&after[table], rows, "{table} is as it was");
    }
    // The same forms are taken from who still may, each from the state before: this shows that they are good.
    for (route, address, fields) in &forms {
        if ["/keys", "/team/roles", "/door/{event_id}/links", "/orders/new", "/webhooks/{id}/pause"].contains(route) {
            let page = ana.hold(address, "application/x-www-form-urlencoded", &body(fields)).await.send().await;
            assert!([200, 303].contains(&page.status.as_u16()), "{route}: {}", page.text);
        }
    }
}

/// Everything but what servers write by themselves.
async fn kept(world: &World) -> BTreeMap<String, Vec<String>> {
    let mut contents = world.contents(&[]).await;
    let by_servers =
        ["sessions", "search_words", "search_marks", "webhook_endpoints", "webhook_deliveries", "producers", "clocks"];
    by_servers.iter().for_each(|table| drop(contents.remove(*table)));
    // A group of requests takes a stamp before it finds that none of them may be granted.
    let settings = "SELECT name, time_zone, currency, needs_second_factor, retention_days, shop_origins, shop_colour, \
         shop_picture FROM producers";
    for (name, sql) in [("endpoints", "SELECT url, state FROM webhook_endpoints"), ("settings", settings)] {
        let rows = world.raw().await.rows(sql).await;
        contents.insert(format!("what staff set of {name}"), rows.into_iter().map(|row| row.join("|")).collect());
    }
    contents
}

fn body(fields: &Fields) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).append_pair("end", "").finish()
}

const KEY: &str = "name=Late&permission=EVENTS_READ&expires=30";

async fn hold_key(ana: &Staff) -> Held {
    ana.hold("/dashboard/p/pr_a/keys", "application/x-www-form-urlencoded", KEY).await
}

async fn whatever_is_withdrawn_a_key_is_not_made(world: World) {
    let (_, ana) = a_producer(&world).await;
    let raw = world.raw().await;
    let own = "(SELECT id FROM users WHERE email = 'ana@x.example')";
    let (taken, back) = (
        format!("UPDATE users SET disabled_at = 1 WHERE id = {own}"),
        format!("UPDATE users SET disabled_at = NULL WHERE id = {own}"),
    );
    let (left, joined) = (
        format!("DELETE FROM members WHERE user_id = {own}"),
        format!(
            "INSERT INTO members (producer_id, user_id, role, joined_at) \
             SELECT producer_id, {own}, 'administrator', 1 FROM producers WHERE id = 'pr_a'"
        ),
    );
    for (taken, back) in [
        TO_VIEWER,
        (taken.as_str(), back.as_str()),
        (left.as_str(), joined.as_str()),
        ("UPDATE producers SET needs_second_factor = 1", "UPDATE producers SET needs_second_factor = 0"),
    ] {
        let held = hold_key(&ana).await;
        raw.batch(taken).await;
        assert_eq!(held.send().await.status, 403, "{taken}");
        raw.batch(back).await;
        // Nothing of it stays: the next form is taken.
        assert_eq!(hold_key(&ana).await.send().await.status, 200, "{back}");
    }
    // A session that was ended elsewhere.
    let held = hold_key(&ana).await;
    raw.batch("DELETE FROM sessions").await;
    assert_eq!(held.send().await.status, 403);
    assert_eq!(raw.rows("SELECT count(*) FROM api_keys WHERE name = 'Late'").await, [["4"]]);
    // A right that has nothing to do with it is not asked for twice: who gained one is still let through.
    ana.sign_in("ana@x.example").await;
    raw.batch("UPDATE members SET role = (SELECT id FROM roles) WHERE user_id <> 'x'").await;
    raw.batch("UPDATE roles SET rights = 'producer.administer'").await;
    let held = hold_key(&ana).await;
    raw.batch("UPDATE roles SET rights = 'producer.administer keys.see'").await;
    assert_eq!(held.send().await.status, 200);
}

async fn an_operator_who_is_none_any_more_changes_nobody(world: World) {
    let (_, ana) = a_producer(&world).await;
    world.make_operator("ana@x.example").await;
    let raw = world.raw().await;
    let bea = raw.rows("SELECT id FROM users WHERE email = 'bea@x.example'").await[0][0].clone();
    let form = "application/x-www-form-urlencoded";
    let held = ana.hold(&format!("/dashboard/service/users/{bea}"), form, "change=disable").await;
    let producer = "name=Other&time_zone=Europe%2FMadrid&currency=EUR";
    let other = ana.hold("/dashboard/service/producers", form, producer).await;
    raw.batch("UPDATE users SET is_operator = 0").await;
    assert_eq!(held.send().await.status, 403);
    assert_eq!(other.send().await.status, 403);
    assert_eq!(raw.rows("SELECT count(*) FROM users WHERE disabled_at IS NOT NULL").await, [["0"]]);
    assert_eq!(raw.rows("SELECT count(*) FROM producers").await, [["1"]]);
}

/// Signing out, leaving a team and giving up a role take away what they rest on.
async fn who_takes_away_their_own_right_may(world: World) {
    let (producer, ana) = a_producer(&world).await;
    let mut conn = world.store.read().await.unwrap();
    let team = members::of_producer(&mut conn, producer.tenant).await.unwrap();
    drop(conn);
    let id_of = |email: &str| team.iter().find(|member| member.email == email).unwrap().user_id.clone();
    let path = |email: &str, act: &str| format!("/dashboard/p/pr_a/team/members/{}/{act}", id_of(email));
    ana.post(&path("ana@x.example", "role"), &[("role", "editor")]).await.leads_to();
    let root = Staff::new(&world.client.base);
    root.sign_in("root@x.example").await;
    root.post(&path("ana@x.example", "role"), &[("role", "administrator")]).await.leads_to();
    root.post(&path("root@x.example", "remove"), &[]).await.leads_to();
    assert_eq!(root.get("/dashboard/p/pr_a").await.status, 404);
    assert_eq!(root.post("/dashboard/sign-out", &[]).await.status, 303);
    assert!(root.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
}

/// The reader takes a file slowly; its rows end when the reader may not have them, and the file is not taken for a whole one.
async fn a_file_ends_when_its_reader_may_not_have_it(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    lines.extend((0..20_000).map(|number| {
        let name = format!("{}{number}", "x".repeat(400));
        with(ticket(&format!("CODE{number}"), "ev", "tt"), json!({"attendee": {"name": name, "email": "a@x.example"}}))
    }));
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let raw = world.raw().await;
    let own = "(SELECT id FROM users WHERE email = 'ana@x.example')";
    for (taken, back) in [
        (
            format!("UPDATE users SET disabled_at = 1 WHERE id = {own}"),
            format!("UPDATE users SET disabled_at = NULL WHERE id = {own}"),
        ),
        (TO_VIEWER.0.to_owned(), TO_VIEWER.1.to_owned()),
    ] {
        for file in ["tickets.csv", "tickets.jsonl"] {
            let path = format!("/dashboard/p/pr_a/exports/{file}");
            let reading = ana.read_slowly(&path).await;
            raw.batch(&taken).await;
            let rest = reading.rest().await;
            raw.batch(&back).await;
            assert!(rest.is_err(), "{file} went on to its end after {taken}");
        }
    }
    let whole = ana.read_slowly("/dashboard/p/pr_a/exports/tickets.jsonl").await.rest().await.unwrap();
    assert_eq!(whole.matches("CODE").count(), 20_000);
}
