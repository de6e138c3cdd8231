//! What strangers and colleagues try with somebody's account.

use std::time::Duration;

use taquilla_domain::{
    config::{Config, REFUSAL_NOTED_EVERY, SESSION_IDLE, SIGN_INS_MAX},
    role::BuiltInRole,
};

use crate::{
    cli_user::json,
    dashboard_sign_in::{STEP, code_at, with_second_factor},
    dashboard_team::invite,
    exports::with_rights,
    harness::{PASSWORD, Staff, Stream, World, event},
};

both_engines![
    a_password_link_ends_when_its_user_joins_another_team,
    a_password_link_of_a_team_is_looked_at_when_it_is_used,
    who_is_signed_in_uses_a_password_link,
    nobody_makes_a_password_link_for_themselves,
    who_took_an_address_first_is_not_raised,
    an_invitation_says_the_same_of_every_address,
    a_stranger_locks_nobody_out,
    a_browser_is_known_for_those_who_signed_in_with_it,
    sessions_from_before_the_second_factor_end,
    the_second_factor_is_changed_with_a_code,
    a_secret_that_was_shown_ends_with_the_password,
    who_manages_the_team_does_not_free_administrators_of_the_second_factor,
    the_same_refusal_is_written_down_once_an_hour,
    a_live_page_is_no_use_of_a_session,
];

async fn id_of(world: &World, email: &str) -> String {
    world.raw().await.rows(&format!("SELECT id FROM users WHERE email = '{email}'")).await[0][0].clone()
}

/// Makes a link for a member's new password and gives its path.
async fn password_link(maker: &Staff, user_id: &str) -> String {
    let page = maker.post(&format!("/dashboard/p/pr_a/team/members/{user_id}/reset"), &[]).await;
    let url = page.between("<code id=\"link\">", "</code>");
    format!("/dashboard/links/{}", url.split_once("/dashboard/links/").unwrap().1)
}

const NEW: [(&str, &str); 1] = [("password", "a password of somebody else")];

/// Whether whoever has the link gets in.
async fn opens(world: &World, link: &str) -> bool {
    let page = Staff::new(&world.client.base).post(link, &NEW).await;
    assert!(page.status == 303 || page.status == 404, "{}", page.text);
    page.status == 303
}

async fn a_password_link_ends_when_its_user_joins_another_team(world: World) {
    let (own, other) = (world.producer("pr_a").await, world.producer("pr_b").await);
    let ana = world.staff(own.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let olga = world.staff(other.tenant, "olga@x.example", BuiltInRole::Administrator).await;
    let bea = world.staff(own.tenant, "bea@x.example", BuiltInRole::Viewer).await;
    let link = password_link(&ana, &id_of(&world, "bea@x.example").await).await;
    let invited = olga.post("/dashboard/p/pr_b/team/invite", &[("email", "bea@x.example"), ("role", "editor")]).await;
    let invitation = invited.between("<code id=\"link\">", "</code>").split_once("/dashboard/").unwrap().1.to_owned();
    bea.post(&format!("/dashboard/{invitation}"), &[]).await.leads_to();
    assert_eq!(Staff::new(&world.client.base).get(&link).await.status, 404, "it was withdrawn");
    assert!(!opens(&world, &link).await);
    // Nor does it matter that she leaves that team again.
    let bea_id = id_of(&world, "bea@x.example").await;
    olga.post(&format!("/dashboard/p/pr_b/team/members/{bea_id}/remove"), &[]).await.leads_to();
    assert!(!opens(&world, &link).await);
    let link = password_link(&ana, &bea_id).await;
    assert!(opens(&world, &link).await, "one that is made now works");
}

async fn a_password_link_of_a_team_is_looked_at_when_it_is_used(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let team = ["team.see", "team.manage", "events.see"];
    let host = with_rights(&world, &producer, "host@x.example", &team).await;
    let role = world.raw().await.rows("SELECT id FROM roles WHERE name = 'host@x.example'").await[0][0].clone();
    let bea = world.user(producer.tenant, "bea@x.example", &role).await;
    // She may do more by now than who made the link.
    let link = password_link(&host, &bea).await;
    let promote = async |role: &str| {
        ana.post(&format!("/dashboard/p/pr_a/team/members/{bea}/role"), &[("role", role)]).await.leads_to().to_owned()
    };
    promote("administrator").await;
    assert!(!opens(&world, &link).await);
    promote(&role).await;
    // She is an operator by now.
    let link = password_link(&host, &bea).await;
    world.make_operator("bea@x.example").await;
    assert!(!opens(&world, &link).await);
    world.raw().await.batch("UPDATE users SET is_operator = 0").await;
    // Who made it is no longer in the team.
    let link = password_link(&host, &bea).await;
    let host_id = id_of(&world, "host@x.example").await;
    ana.post(&format!("/dashboard/p/pr_a/team/members/{host_id}/remove"), &[]).await.leads_to();
    assert!(!opens(&world, &link).await);
    let link = password_link(&ana, &bea).await;
    assert!(opens(&world, &link).await);
}

async fn who_is_signed_in_uses_a_password_link(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Viewer).await;
    let link = password_link(&ana, &id_of(&world, "bea@x.example").await).await;
    // The new password ends her session, and the browser gets another one.
    bea.post(&link, &NEW).await.leads_to();
    assert_eq!(bea.get("/dashboard/p/pr_a").await.status, 200);
}

async fn nobody_makes_a_password_link_for_themselves(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let own = id_of(&world, "ana@x.example").await;
    assert_eq!(ana.post(&format!("/dashboard/p/pr_a/team/members/{own}/reset"), &[]).await.status, 403);
    world.make_operator("ana@x.example").await;
    assert_eq!(ana.post(&format!("/dashboard/service/users/{own}"), &[("change", "reset")]).await.status, 403);
    let page = ana.get("/dashboard/service").await;
    assert!(!page.text.contains("value=\"reset\""), "there is nobody else: {}", page.text);
}

async fn who_took_an_address_first_is_not_raised(world: World) {
    let producer = world.producer("pr_a").await;
    world.producer("pr_b").await;
    let mallory = world.staff(producer.tenant, "mallory@x.example", BuiltInRole::Administrator).await;
    // She invites somebody else's address and accepts it herself.
    let squatter = Staff::new(&world.client.base);
    let link = invite(&mallory, "boss@x.example", "viewer").await;
    squatter.post(&link, &[("name", "Boss"), ("password", "a password of Mallory")]).await.leads_to();
    let create = ["user", "create", "--producer", "pr_b", "--email", "boss@x.example", "--role", "administrator"];
    let rest = ["--operator", "--public-url", "https://tickets.example"];
    let made = json(&world, &[&create[..], &rest].concat());
    assert_eq!(made["operator"], false);
    for page in ["/dashboard/service", "/dashboard/p/pr_b"] {
        assert_eq!(squatter.get(page).await.status, 404, "{page}");
    }
    // The invitation is for that account alone, and for who has the link.
    let link = made["url"].as_str().unwrap().strip_prefix("https://tickets.example").unwrap().to_owned();
    let refused = mallory.post(&link, &[]).await;
    assert!(refused.status == 422 && refused.text.contains("is for boss@x.example"), "{}", refused.text);
    let boss = Staff::new(&world.client.base);
    assert!(boss.get(&link).await.text.contains("boss@x.example has an account here"));
    assert_eq!(boss.post(&link, &[("name", "Boss"), ("password", "a password of mine")]).await.status, 422);
    assert_eq!(mallory.get("/dashboard/service").await.status, 404);
}

async fn an_invitation_says_the_same_of_every_address(world: World) {
    let (own, other) = (world.producer("pr_a").await, world.producer("pr_b").await);
    let ana = world.staff(own.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    world.user(other.tenant, "known@x.example", "viewer").await;
    let stranger = Staff::new(&world.client.base);
    let mut pages = Vec::new();
    for email in ["known@x.example", "nobody@x.example"] {
        let made = ana.post("/dashboard/p/pr_a/team/invite", &[("email", email), ("role", "viewer")]).await;
        let url = made.between("<code id=\"link\">", "</code>").to_owned();
        let token = url.split_once("/dashboard/links/").unwrap().1.to_owned();
        let opened = stranger.get(&format!("/dashboard/links/{token}")).await;
        let same = |text: &str| text.replace(&token, "TOKEN").replace(email, "EMAIL");
        pages.push((made.status, same(&made.text), opened.status, same(&opened.text)));
    }
    assert_eq!(pages[0], pages[1]);
}

/// A browser behind a proxy, at this address.
fn at(base: &str, address: &str) -> Staff {
    Staff::new(base).with_header("x-forwarded-for", address)
}

async fn a_stranger_locks_nobody_out(world: World) {
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@x.example", "administrator").await;
    let (_server, client) = world.another_server(Config { trust_proxy: true, ..Config::default() }).await;
    let office = at(&client.base, "198.51.100.1");
    office.sign_in("ana@x.example").await.leads_to();
    let stranger = at(&client.base, "203.0.113.5");
    let wrong = [("email", "ana@x.example"), ("password", "not her password")];
    let mut compared = 0;
    // Four tries a second, for three minutes.
    for number in 0..720 {
        compared += u32::from(stranger.post("/dashboard/sign-in", &wrong).await.status == 422);
        world.step(Duration::from_millis(250));
        if number % 120 == 60 {
            assert_eq!(
                office.post("/dashboard/confirm", &[("password", PASSWORD)]).await.status,
                303,
                "in the session that is open"
            );
            let new = at(&client.base, "198.51.100.1");
            new.set_cookie("taquilla-known", &office.cookies()["taquilla-known"]);
            assert_eq!(new.sign_in("ana@x.example").await.status, 303, "in the browser that is known");
        }
    }
    assert_eq!(
        compared, SIGN_INS_MAX,
        "what was refused cost the stranger's address the tries that the account got back"
    );
    assert_eq!(at(&client.base, "192.0.2.7").sign_in("ana@x.example").await.status, 303, "nor elsewhere");
    // Who found a session open guesses no password in it.
    let mut found = Vec::new();
    for _ in 0..=SIGN_INS_MAX {
        found.push(office.post("/dashboard/confirm", &[("password", "a guess")]).await.status.as_u16());
    }
    assert_eq!(found[SIGN_INS_MAX as usize - 1..], [422, 429]);
    let change = [("current", PASSWORD), ("password", "a new long password")];
    assert_eq!(office.post("/dashboard/account/password", &change).await.status, 429);
}

async fn a_browser_is_known_for_those_who_signed_in_with_it(world: World) {
    let producer = world.producer("pr_a").await;
    for email in ["ana@x.example", "bea@x.example", "carl@x.example"] {
        world.user(producer.tenant, email, "viewer").await;
    }
    let shared = Staff::new(&world.client.base);
    let signed_in = shared.sign_in("ana@x.example").await;
    let mut set = signed_in.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let set = set.find(|set| set.starts_with("taquilla-known=")).unwrap();
    assert!(set.ends_with("; HttpOnly; SameSite=Lax; Path=/; Max-Age=15552000"), "{set}");
    shared.sign_in("bea@x.example").await.leads_to();
    let stranger = Staff::new(&world.client.base);
    for email in ["ana@x.example", "bea@x.example", "carl@x.example"] {
        for _ in 0..SIGN_INS_MAX {
            stranger.post("/dashboard/sign-in", &[("email", email), ("password", "wrong password")]).await;
        }
    }
    for (email, status) in [("ana@x.example", 303), ("bea@x.example", 303), ("carl@x.example", 429)] {
        assert_eq!(shared.sign_in(email).await.status, status, "{email}");
    }
    // It is no way to guess: it has as many tries as an account has, and nobody makes one up.
    let cookie = shared.cookies()["taquilla-known"].clone();
    let (id, passes) = cookie.split_once('.').unwrap();
    let last = if id.ends_with('0') { '1' } else { '0' };
    let of_another = format!("{}{last}.{passes}", &id[..id.len() - 1]);
    let cut = cookie[..cookie.len() - 1].to_owned();
    for made_up in [id.to_owned(), of_another, cut, "x.y".to_owned()] {
        let guesser = Staff::new(&world.client.base);
        guesser.set_cookie("taquilla-known", &made_up);
        assert_eq!(guesser.sign_in("ana@x.example").await.status, 429, "{made_up}");
    }
    let mut guesses = Vec::new();
    for _ in 0..=SIGN_INS_MAX {
        let fields = [("email", "ana@x.example"), ("password", "a guess")];
        guesses.push(shared.post("/dashboard/sign-in", &fields).await.status.as_u16());
    }
    assert_eq!(guesses[SIGN_INS_MAX as usize - 1..], [422, 429]);
}

async fn sessions_from_before_the_second_factor_end(world: World) {
    let producer = world.producer("pr_b").await;
    world.user(producer.tenant, "ana@x.example", "viewer").await;
    let before = Staff::new(&world.client.base);
    before.sign_in("ana@x.example").await.leads_to();
    let (_, _, browser) = with_second_factor(&world, "ana@x.example").await;
    assert_eq!(browser.get("/dashboard/account").await.status, 200, "the one that set it up goes on");
    assert!(before.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
}

const FACTOR: &str = "/dashboard/account/second-factor";

async fn the_second_factor_is_changed_with_a_code(world: World) {
    let (secret, codes, browser) = with_second_factor(&world, "ana@x.example").await;
    let change = async |change: &str, code: &str| browser.post(FACTOR, &[("change", change), ("code", code)]).await;
    for what in ["renew", "remove"] {
        for wrong in ["", "000000", &code_at(&secret, &world)] {
            let page = change(what, wrong).await;
            assert!(
                page.status == 422 && page.text.contains("This code is not right"),
                "{what} {wrong}: {}",
                page.text
            );
        }
    }
    world.step(STEP);
    let code = code_at(&secret, &world);
    assert_eq!(change("renew", &code).await.status, 200);
    assert_eq!(change("remove", &code).await.status, 422, "a code is taken once");
    assert_eq!(change("remove", &codes[0]).await.status, 422, "and those from before are gone");
    // Codes are not guessed here either: eight were wrong.
    assert_eq!(change("remove", "000000").await.status, 422);
    assert_eq!(change("remove", "000000").await.status, 422);
    assert_eq!(change("remove", "000000").await.status, 429);
    world.step(Duration::from_mins(2));
    let code = code_at(&secret, &world);
    assert_eq!(change("remove", &code).await.leads_to(), "/dashboard/account?done=second-factor-off");
}

async fn a_secret_that_was_shown_ends_with_the_password(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    let shown = async || ana.get(FACTOR).await.between("<code id=\"totp-secret\">", "</code>").to_owned();
    let first = shown().await;
    assert_eq!(shown().await, first, "the app need not scan again");
    let change = [("current", PASSWORD), ("password", "a new long password")];
    ana.post("/dashboard/account/password", &change).await.leads_to();
    let second = shown().await;
    assert_ne!(second, first);
    // So it does when all others are signed out: one of them may have looked.
    let other = Staff::new(&world.client.base);
    other
        .post("/dashboard/sign-in", &[("email", "ana@x.example"), ("password", "a new long password")])
        .await
        .leads_to();
    ana.post("/dashboard/account/sessions/end", &[]).await.leads_to();
    assert_ne!(shown().await, second);
}

async fn who_manages_the_team_does_not_free_administrators_of_the_second_factor(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let host = with_rights(&world, &producer, "host@x.example", &["team.see", "team.manage"]).await;
    let set = "UPDATE users SET totp_secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'";
    world.raw().await.batch(&format!("UPDATE producers SET needs_second_factor = 1; {set}")).await;
    let page = host.get("/dashboard/p/pr_a/team").await;
    assert!(page.text.contains("An administrator can change that") && !page.text.contains("/team/second-factor\""));
    assert_eq!(host.post("/dashboard/p/pr_a/team/second-factor", &[]).await.status, 422);
    let needs = async || world.raw().await.rows("SELECT needs_second_factor FROM producers").await[0][0].clone();
    assert_eq!(needs().await, "1");
    ana.post("/dashboard/p/pr_a/team/second-factor", &[]).await.leads_to();
    assert_eq!(needs().await, "0");
}

async fn the_same_refusal_is_written_down_once_an_hour(world: World) {
    let producer = world.producer("pr_a").await;
    let viewer = world.staff(producer.tenant, "viewer@x.example", BuiltInRole::Viewer).await;
    let entries = async || world.raw().await.rows("SELECT id FROM audit").await.len();
    let before = entries().await;
    for _ in 0..50 {
        assert_eq!(viewer.get("/dashboard/p/pr_a/keys").await.status, 403);
        assert_eq!(viewer.get("/dashboard/p/pr_a/team").await.status, 403);
        // There is no other session to end.
        viewer.post("/dashboard/account/sessions/end", &[]).await.leads_to();
    }
    assert_eq!(entries().await, before + 2);
    world.step(REFUSAL_NOTED_EVERY);
    viewer.get("/dashboard/p/pr_a/keys").await;
    assert_eq!(entries().await, before + 3);
}

async fn a_live_page_is_no_use_of_a_session(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev")]).await;
    let screen = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    let door = "/dashboard/p/pr_a/door/ev";
    assert_eq!(screen.get(door).await.status, 200);
    for _ in 0..11 {
        world.step(SESSION_IDLE / 12);
        assert_eq!(screen.get(&format!("{door}?part=figures")).await.status, 200);
        assert_eq!(screen.get(&format!("{door}/screen?part=figures")).await.status, 200);
        drop(Stream::open(&world.client.base, &screen, &format!("{door}/stream"), None).await);
    }
    world.step(SESSION_IDLE / 12);
    assert!(screen.get(door).await.leads_to().starts_with("/dashboard/sign-in"));
}
