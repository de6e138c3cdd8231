//! Teams: the first start, invitations, roles of one's own, and who may change whom.

use taquilla_domain::{
    config::INVITATION_LASTS,
    role::{BuiltInRole, Right},
};
use taquilla_rules::admin::staff::first_start;

use crate::harness::{PASSWORD, Staff, World};

both_engines![
    the_first_start_makes_an_administrator_and_a_producer_once,
    an_invitation_is_accepted_once,
    an_invitation_does_not_take_over_a_user,
    nobody_gives_away_more_than_they_have,
    one_administrator_stays,
    a_role_of_ones_own_does_what_it_says,
    a_team_can_require_a_second_factor,
    an_administrator_gives_a_new_password_to_who_is_only_here,
    operators_look_after_all_producers,
];

async fn the_first_start_makes_an_administrator_and_a_producer_once(world: World) {
    let first = first_start::link(&world.store, world.now()).await.unwrap().unwrap();
    let link = first_start::link(&world.store, world.now()).await.unwrap().unwrap();
    let browser = Staff::new(&world.client.base);
    assert_eq!(
        browser.get(&format!("/dashboard/links/{}", first.reveal())).await.status,
        404,
        "a later start replaced it"
    );
    let path = format!("/dashboard/links/{}", link.reveal());
    for _ in 0..3 {
        assert_eq!(browser.get(&path).await.status, 200, "looking does not use it up");
    }
    let fields = [
        ("name", "Ana <b>Ruiz"),
        ("email", " Ana@Example.com "),
        ("password", "short"),
        ("producer", ""),
        ("time_zone", "Europe/Nowhere"),
        ("currency", "euro"),
    ];
    let wrong = browser.post(&path, &fields).await;
    assert_eq!(wrong.status, 422);
    for said in [
        "8 to 128 characters",
        "Write a name",
        "There is no such time zone",
        "There is no such currency",
        "value=\"Ana &#60;b&#62;Ruiz\"",
    ] {
        assert!(wrong.text.contains(said), "{said}: {}", wrong.text);
    }
    assert!(!wrong.text.contains("short\""), "a password is not sent back");
    let fields = [
        ("name", "Ana Ruiz"),
        ("email", " Ana@Example.com "),
        ("password", PASSWORD),
        ("producer", "Sala Aurora"),
        ("time_zone", "Europe/Madrid"),
        ("currency", "eur"),
    ];
    let begun = browser.post(&path, &fields).await;
    let home = begun.leads_to().to_owned();
    assert!(home.starts_with("/dashboard/p/pr_") && home.ends_with("?done=begun"), "{home}");
    let page = browser.get(&home).await;
    assert!(page.text.contains("Sala Aurora") && page.text.contains("Your organisation is ready"), "{}", page.text);
    assert_eq!(Staff::new(&world.client.base).post(&path, &fields).await.status, 404, "it works once");
    assert!(first_start::link(&world.store, world.now()).await.unwrap().is_none(), "somebody can sign in now");
    // From here to the first key, without the command line.
    let base = home.split('?').next().unwrap();
    let made = browser
        .post(&format!("{base}/keys"), &[("name", "Accounting"), ("permission", "EVENTS_READ"), ("expires", "365")])
        .await;
    let key = made.between("<code id=\"key\">", "</code>");
    assert_eq!(world.client.get("/api/v1/me", key).await.status, 200);
    let listed = browser.get(&format!("{base}/keys")).await;
    assert!(listed.text.contains(&format!("…{}", &key[key.len() - 4..])) && !listed.text.contains(key));
    let id = format!("key_{}", listed.between(&format!("{base}/keys/key_"), "/revoke"));
    assert!(browser.get(&format!("{base}/keys/{id}/revoke")).await.text.contains("stops working at once"));
    browser.post(&format!("{base}/keys/{id}/revoke"), &[]).await;
    assert_eq!(world.client.get("/api/v1/me", key).await.status, 401);
    let history = browser.get(&format!("{base}/history")).await;
    for entry in ["API key made", "API key revoked", "Organisation created", "ana@example.com", "127.0.0.1", &id] {
        assert!(history.text.contains(entry), "{entry}: {}", history.text);
    }
    assert!(!history.text.contains(key) && !history.text.contains(PASSWORD));
}

/// Invites somebody and gives the path of the link.
pub async fn invite(ana: &Staff, email: &str, role: &str) -> String {
    let page = ana.post("/dashboard/p/pr_a/team/invite", &[("email", email), ("role", role)]).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let url = page.between("<code id=\"link\">", "</code>");
    format!("/dashboard/links/{}", url.split_once("/dashboard/links/").unwrap().1)
}

async fn an_invitation_is_accepted_once(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let link = invite(&ana, "bea@x.example", "editor").await;
    assert!(ana.get("/dashboard/p/pr_a/team").await.text.contains("bea@x.example"));
    let bea = Staff::new(&world.client.base);
    let page = bea.get(&link).await;
    assert!(page.text.contains("pr_a Ltd") && page.text.contains("bea@x.example"), "{}", page.text);
    let joined = bea.post(&link, &[("name", "Bea"), ("password", "another good password")]).await;
    assert_eq!(joined.leads_to(), "/dashboard/p/pr_a?done=joined");
    assert_eq!(bea.get("/dashboard/p/pr_a/webhooks").await.status, 200);
    assert_eq!(bea.get("/dashboard/p/pr_a/history").await.status, 403);
    assert_eq!(bea.get(&link).await.status, 404);
    assert_eq!(bea.post(&link, &[("name", "Bea"), ("password", "another good password")]).await.status, 404);
    // A second invitation replaces the first; one that was withdrawn or has expired opens nothing.
    let first = invite(&ana, "carl@x.example", "viewer").await;
    let second = invite(&ana, "carl@x.example", "viewer").await;
    let stranger = Staff::new(&world.client.base);
    assert_eq!(
        (stranger.get(&first).await.status, stranger.get(&second).await.status.as_u16()),
        (reqwest::StatusCode::NOT_FOUND, 200)
    );
    let team = ana.get("/dashboard/p/pr_a/team").await;
    let id = team.between("/team/invitations/", "/withdraw").to_owned();
    ana.post(&format!("/dashboard/p/pr_a/team/invitations/{id}/withdraw"), &[]).await;
    assert_eq!(stranger.get(&second).await.status, 404);
    let late = invite(&ana, "dora@x.example", "viewer").await;
    world.step(INVITATION_LASTS);
    assert_eq!(stranger.get(&late).await.status, 404);
    // An invitation ends with the rights of who made it.
    world.user(producer.tenant, "eva@x.example", "administrator").await;
    let eva = Staff::new(&world.client.base);
    eva.sign_in("eva@x.example").await;
    let orphan = invite(&eva, "fred@x.example", "administrator").await;
    world
        .raw()
        .await
        .batch(
            "UPDATE members SET role = 'editor' WHERE user_id = (SELECT id FROM users WHERE email = 'eva@x.example')",
        )
        .await;
    assert_eq!(stranger.post(&orphan, &[("name", "Fred"), ("password", "a password of Fred")]).await.status, 404);
    for guess in ["tql_guess", "x", "%00", "tql_000000000000000000000000000000000000"] {
        assert_eq!(stranger.get(&format!("/dashboard/links/{guess}")).await.status, 404, "{guess}");
    }
}

async fn an_invitation_does_not_take_over_a_user(world: World) {
    let (own, other) = (world.producer("pr_a").await, world.producer("pr_b").await);
    let ana = world.staff(own.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea = world.staff(other.tenant, "bea@x.example", BuiltInRole::Viewer).await;
    let link = invite(&ana, "bea@x.example", "viewer").await;
    // Who has the link and not the password cannot set one.
    let thief = Staff::new(&world.client.base);
    assert!(thief.get(&link).await.text.contains("Do you have an account already?"));
    assert_eq!(thief.post(&link, &[("name", "Thief"), ("password", "a password of mine")]).await.status, 422);
    assert_eq!(
        thief
            .post("/dashboard/sign-in", &[("email", "bea@x.example"), ("password", "a password of mine")])
            .await
            .status,
        422
    );
    // The user joins after signing in, and switches between both.
    assert!(bea.get(&link).await.text.contains("You are signed in as bea@x.example"));
    assert_eq!(bea.post(&link, &[]).await.leads_to(), "/dashboard/p/pr_a?done=joined");
    let choice = bea.get("/dashboard").await;
    assert!(
        choice.text.contains("/dashboard/p/pr_a\"") && choice.text.contains("/dashboard/p/pr_b\""),
        "{}",
        choice.text
    );
    assert_eq!(bea.get("/dashboard/p/pr_b").await.status, 200);
}

async fn nobody_gives_away_more_than_they_have(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let made = ana
        .post("/dashboard/p/pr_a/team/roles", &[("name", "People"), ("right", "team.see"), ("right", "team.manage")])
        .await;
    assert_eq!(made.leads_to(), "/dashboard/p/pr_a/team/roles?done=role-saved");
    let role =
        ana.get("/dashboard/p/pr_a/team/roles").await.between("/dashboard/p/pr_a/team/roles/ro_", "\"").to_owned();
    let role = format!("ro_{role}");
    let bea_id = world.user(producer.tenant, "bea@x.example", &role).await;
    let bea = Staff::new(&world.client.base);
    bea.sign_in("bea@x.example").await;
    let ana_id = world.raw().await.rows("SELECT id FROM users WHERE email = 'ana@x.example'").await[0][0].clone();
    let before = world.contents(&[("sessions", "seen_at"), ("audit", "id")]).await;
    for (path, fields) in [
        ("/team/invite".to_owned(), vec![("email", "carl@x.example"), ("role", "administrator")]),
        ("/team/invite".to_owned(), vec![("email", "carl@x.example"), ("role", "editor")]),
        (format!("/team/members/{bea_id}/role"), vec![("role", "administrator")]),
        (format!("/team/members/{ana_id}/role"), vec![("role", "viewer")]),
        (format!("/team/members/{ana_id}/remove"), vec![]),
        ("/team/roles".to_owned(), vec![("name", "More"), ("right", "producer.administer")]),
        (format!("/team/roles/{role}"), vec![("name", "More"), ("right", "producer.administer")]),
    ] {
        let page = bea.post(&format!("/dashboard/p/pr_a{path}"), &fields).await;
        assert_eq!(page.status, 422, "{path} {fields:?}");
        assert!(page.text.contains("more than your own role does"), "{path}: {}", page.text);
    }
    assert_eq!(bea.post(&format!("/dashboard/p/pr_a/team/members/{ana_id}/reset"), &[]).await.status, 403);
    assert_eq!(world.contents(&[("sessions", "seen_at"), ("audit", "id")]).await, before);
    // Nor by a detour: what gives personal data, or takes away what others may give.
    let more =
        [("name", "Keys"), ("right", "producer.administer"), ("right", "webhooks.manage"), ("right", "webhooks.see")];
    ana.post("/dashboard/p/pr_a/team/roles", &more).await.leads_to();
    let keys = world.raw().await.rows("SELECT id FROM roles WHERE name = 'Keys'").await[0][0].clone();
    world.user(producer.tenant, "dan@x.example", &keys).await;
    let dan = Staff::new(&world.client.base);
    dan.sign_in("dan@x.example").await;
    for (permission, status) in [("ORDERS_READ", 422), ("TICKETS_READ", 422), ("EVENTS_READ", 200)] {
        let fields = [("name", "x"), ("permission", permission), ("expires", "30")];
        assert_eq!(dan.post("/dashboard/p/pr_a/keys", &fields).await.status, status, "{permission}");
    }
    let url = [("url", "https://example.com/"), ("kind", "order.created"), ("personal_data", "yes")];
    assert_eq!(dan.post("/dashboard/p/pr_a/webhooks", &url).await.status, 422);
    assert_eq!(dan.post("/dashboard/p/pr_a/webhooks", &url[..2]).await.status, 200);
    assert_eq!(bea.post(&format!("/dashboard/p/pr_a/team/roles/{keys}/delete"), &[]).await.status, 422);
    invite(&ana, "gus@x.example", "administrator").await;
    let open = ana.get("/dashboard/p/pr_a/team").await.between("/team/invitations/", "/withdraw").to_owned();
    assert_eq!(bea.post(&format!("/dashboard/p/pr_a/team/invitations/{open}/withdraw"), &[]).await.status, 422);
    // Within the own rights it works.
    assert_eq!(
        bea.post("/dashboard/p/pr_a/team/invite", &[("email", "carl@x.example"), ("role", role.as_str())]).await.status,
        200
    );
}

async fn one_administrator_stays(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let id = |email: &'static str| {
        let world = &world;
        async move { world.raw().await.rows(&format!("SELECT id FROM users WHERE email = '{email}'")).await[0][0].clone() }
    };
    let ana_id = id("ana@x.example").await;
    for (path, fields) in [("role", vec![("role", "viewer")]), ("remove", vec![])] {
        let page = ana.post(&format!("/dashboard/p/pr_a/team/members/{ana_id}/{path}"), &fields).await;
        assert!(page.status == 422 && page.text.contains("keeps one administrator"), "{path}: {}", page.text);
    }
    // Of two who remove each other at the same time, one stays.
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Administrator).await;
    let bea_id = id("bea@x.example").await;
    let remove = async |staff: &Staff, id: &str| {
        staff.post(&format!("/dashboard/p/pr_a/team/members/{id}/remove"), &[]).await.status.as_u16()
    };
    tokio::join!(remove(&ana, &bea_id), remove(&bea, &ana_id));
    let left = world.raw().await.rows("SELECT user_id FROM members WHERE role = 'administrator'").await;
    assert_eq!(left.len(), 1, "{left:?}");
}

async fn a_role_of_ones_own_does_what_it_says(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for right in Right::ALL {
        let name = format!("Only {}", right.as_str());
        ana.post("/dashboard/p/pr_a/team/roles", &[("name", &name), ("right", right.as_str())]).await;
    }
    let roles = world.raw().await.rows("SELECT id, rights FROM roles ORDER BY rights").await;
    assert_eq!(roles.len(), Right::ALL.len());
    for (number, role) in roles.iter().enumerate() {
        let email = format!("m{number}@x.example");
        world.user(producer.tenant, &email, &role[0]).await;
        let member = Staff::new(&world.client.base);
        member.sign_in(&email).await;
        for (page, right) in [
            ("/keys", "keys.see"),
            ("/webhooks", "webhooks.see"),
            ("/payments", "payments.see"),
            ("/team", "team.see"),
            ("/history", "history.see"),
            ("/settings", "producer.administer"),
        ] {
            let status = member.get(&format!("/dashboard/p/pr_a{page}")).await.status;
            assert_eq!(status == 200, role[1] == right, "{page} with {}", role[1]);
        }
    }
    let used = &roles[0][0];
    let refused = ana.post(&format!("/dashboard/p/pr_a/team/roles/{used}/delete"), &[]).await;
    assert!(refused.status == 422 && refused.text.contains("Somebody has this role"));
    world.raw().await.batch(&format!("DELETE FROM members WHERE role = '{used}'")).await;
    ana.post(&format!("/dashboard/p/pr_a/team/roles/{used}/delete"), &[]).await.leads_to();
}

async fn a_team_can_require_a_second_factor(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let refused = ana.post("/dashboard/p/pr_a/team/second-factor", &[("required", "yes")]).await;
    assert!(refused.status == 422 && refused.text.contains("of your own first"), "nobody locks themselves out");
    world.raw().await.batch("UPDATE producers SET needs_second_factor = 1").await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Viewer).await;
    for page in ["", "/webhooks"] {
        let to = bea.get(&format!("/dashboard/p/pr_a{page}")).await.leads_to().to_owned();
        assert_eq!(to, "/dashboard/account/second-factor?done=second-factor-required");
    }
    assert!(
        bea.get("/dashboard/account/second-factor?done=second-factor-required")
            .await
            .text
            .contains("asks for a second factor")
    );
}

async fn an_administrator_gives_a_new_password_to_who_is_only_here(world: World) {
    let (own, other) = (world.producer("pr_a").await, world.producer("pr_b").await);
    let ana = world.staff(own.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea_id = world.user(own.tenant, "bea@x.example", "viewer").await;
    let bea = Staff::new(&world.client.base);
    bea.sign_in("bea@x.example").await;
    let page = ana.post(&format!("/dashboard/p/pr_a/team/members/{bea_id}/reset"), &[]).await;
    let url = page.between("<code id=\"link\">", "</code>");
    let link = format!("/dashboard/links/{}", url.split_once("/dashboard/links/").unwrap().1);
    assert_eq!(bea.get("/dashboard/p/pr_a").await.status, 200, "the password from before works until then");
    let elsewhere = Staff::new(&world.client.base);
    assert_eq!(elsewhere.post(&link, &[("password", "12345678")]).await.status, 422);
    assert_eq!(
        elsewhere.post(&link, &[("password", "a new long password")]).await.leads_to(),
        "/dashboard?done=password"
    );
    assert!(bea.get("/dashboard/p/pr_a").await.leads_to().starts_with("/dashboard/sign-in"), "old sessions ended");
    assert_eq!(bea.sign_in("bea@x.example").await.status, 422, "the old password is gone");
    assert_eq!(elsewhere.post(&link, &[("password", "a new long password")]).await.status, 404);
    // Somebody who also works elsewhere is not reset from here: that would open the other producer.
    world.user(other.tenant, "bea@x.example", "administrator").await;
    assert_eq!(ana.post(&format!("/dashboard/p/pr_a/team/members/{bea_id}/reset"), &[]).await.status, 403);
}

async fn operators_look_after_all_producers(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea_id = world.user(producer.tenant, "bea@x.example", "viewer").await;
    let bea = Staff::new(&world.client.base);
    bea.sign_in("bea@x.example").await;
    world.make_operator("ana@x.example").await;
    let service = ana.get("/dashboard/service").await;
    assert!(service.text.contains("pr_a") && service.text.contains("bea@x.example"));
    let made = ana
        .post(
            "/dashboard/service/producers",
            &[("name", "Festival"), ("time_zone", "Europe/Lisbon"), ("currency", "EUR")],
        )
        .await;
    let home = made.leads_to().to_owned();
    assert!(ana.get(&home).await.text.contains("Festival"));
    let user = format!("/dashboard/service/users/{bea_id}");
    assert_eq!(ana.post(&user, &[("change", "disable")]).await.leads_to(), "/dashboard/service?done=user-disabled");
    assert!(bea.get("/dashboard/p/pr_a").await.leads_to().starts_with("/dashboard/sign-in"), "at the next click");
    assert_eq!(bea.sign_in("bea@x.example").await.status, 422);
    ana.post(&user, &[("change", "enable")]).await.leads_to();
    assert_eq!(bea.sign_in("bea@x.example").await.status, 303);
    let own = world.raw().await.rows("SELECT id FROM users WHERE email = 'ana@x.example'").await[0][0].clone();
    assert_eq!(ana.post(&format!("/dashboard/service/users/{own}"), &[("change", "disable")]).await.status, 403);
}
