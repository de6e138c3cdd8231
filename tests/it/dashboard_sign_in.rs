//! Signing in: who gets in, with what, and for how long.

use std::time::Duration;

use taquilla_domain::{
    config::{Config, SESSION_IDLE, SESSION_LONGEST, SIGN_IN_EVERY, SIGN_INS_MAX},
    role::BuiltInRole,
    second_factor::TotpSecret,
};

use crate::harness::{Engine, PASSWORD, Page, Staff, World};

both_engines![
    who_signs_in_again_is_told_why_and_goes_back_to_the_form,
    a_wrong_password_and_an_unknown_user_look_the_same,
    failed_attempts_are_limited_by_account_and_by_address,
    a_session_is_new_at_every_sign_in,
    cookies_have_their_flags,
    sessions_end_by_themselves_and_are_ended_by_their_owner,
    sessions_are_told_in_words_and_by_clocks_that_are_named,
    a_new_password_ends_all_other_sessions,
    nobody_is_led_to_another_site,
    a_code_of_the_second_factor_is_taken_once,
    a_recovery_code_is_taken_once,
    codes_are_not_guessed,
    one_signs_in_on_one_server_and_goes_on_on_another,
    secrets_are_in_no_table_as_they_are,
];

async fn a_wrong_password_and_an_unknown_user_look_the_same(world: World) {
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@x.example", "viewer").await;
    world.user(producer.tenant, "gone@x.example", "viewer").await;
    world.raw().await.batch("UPDATE users SET disabled_at = 1 WHERE email = 'gone@x.example'").await;
    let browser = Staff::new(&world.client.base);
    let mut pages = Vec::new();
    for (email, password) in [
        ("ana@x.example", "not her password"),
        ("nobody@x.example", PASSWORD),
        ("gone@x.example", PASSWORD),
        ("no address", PASSWORD),
    ] {
        let page = browser.post("/dashboard/sign-in", &[("email", email), ("password", password)]).await;
        assert_eq!(page.status, 422, "{email}");
        assert!(browser.cookies().is_empty(), "{email}");
        pages.push(page.text.replace(email, "X"));
    }
    assert!(pages.iter().all(|page| *page == pages[0]), "{pages:#?}");
    // An unknown user costs the same writes as a known one, and the same hash (`domain/password.rs`), so the time says nothing.
    let failed = world
        .raw()
        .await
        .rows("SELECT subject, actor FROM audit WHERE action = 'user.sign_in_failed' AND producer_id = 0")
        .await;
    assert_eq!(failed.len(), 4, "each failure is written down once: {failed:?}");
}

async fn failed_attempts_are_limited_by_account_and_by_address(world: World) {
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@x.example", "viewer").await;
    world.user(producer.tenant, "bea@x.example", "viewer").await;
    let (_server, client) = world.another_server(Config { trust_proxy: true, ..Config::default() }).await;
    let from = |address: &str| Staff::new(&client.base).with_header("x-forwarded-for", address);
    let wrong = async |address: &str, email: &str| {
        from(address)
            .post("/dashboard/sign-in", &[("email", email), ("password", "wrong password")])
            .await
            .status
            .as_u16()
    };
    // One account, from many addresses.
    for number in 0..SIGN_INS_MAX {
        assert_eq!(wrong(&format!("198.51.100.{number}"), "ana@x.example").await, 422);
    }
    let right = from("198.51.100.99").sign_in("ana@x.example").await;
    assert_eq!(right.status, 429, "also the right password waits");
    assert!(right.text.contains("Wait a minute"), "{}", right.text);
    assert_eq!(from("198.51.100.99").sign_in("bea@x.example").await.status, 303);
    // Many accounts, from one address, known or not.
    for number in 0..SIGN_INS_MAX {
        assert_eq!(wrong("203.0.113.5", &format!("user{number}@x.example")).await, 422);
    }
    assert_eq!(from("203.0.113.5").sign_in("bea@x.example").await.status, 429);
    assert_eq!(from("203.0.113.6").sign_in("bea@x.example").await.status, 303);
    world.step(SIGN_IN_EVERY);
    assert_eq!(from("198.51.100.98").sign_in("ana@x.example").await.status, 303);
}

async fn a_session_is_new_at_every_sign_in(world: World) {
    let producer = world.producer("pr_a").await;
    let browser = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    let first = browser.cookies()["taquilla"].clone();
    browser.sign_in("ana@x.example").await;
    let second = browser.cookies()["taquilla"].clone();
    assert_ne!(first, second);
    // The old one ended, and one that somebody planted is not taken over.
    let old = Staff::new(&world.client.base);
    old.set_cookie("taquilla", &first);
    assert!(old.get("/dashboard/p/pr_a").await.leads_to().starts_with("/dashboard/sign-in"));
    let planted = taquilla_domain::key::Secret::generate(taquilla_domain::key::Opens::Session).reveal().to_owned();
    let victim = Staff::new(&world.client.base);
    victim.set_cookie("taquilla", &planted);
    victim.sign_in("ana@x.example").await;
    assert_ne!(victim.cookies()["taquilla"], planted);
}

fn cookie(page: &Page) -> &str {
    page.headers.get("set-cookie").unwrap().to_str().unwrap()
}

async fn cookies_have_their_flags(world: World) {
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@x.example", "viewer").await;
    let plain = Staff::new(&world.client.base).sign_in("ana@x.example").await;
    assert!(
        cookie(&plain).starts_with("taquilla=tqs_")
            && cookie(&plain).ends_with("; HttpOnly; SameSite=Lax; Path=/; Max-Age=1209600"),
        "{}",
        cookie(&plain)
    );
    assert_eq!(plain.header("strict-transport-security"), "");
    let https = Config { public_url: Some("https://tickets.example".into()), ..Config::default() };
    let behind = Config { trust_proxy: true, ..Config::default() };
    for (config, header) in [(https, ("x-a", "b")), (behind, ("x-forwarded-proto", "https"))] {
        let (_server, client) = world.another_server(config).await;
        let browser = Staff::new(&client.base).with_header(header.0, header.1);
        let page = browser.sign_in("ana@x.example").await;
        let set = cookie(&page);
        assert!(
            set.starts_with("__Host-taquilla=tqs_")
                && set.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=1209600"),
            "{set}"
        );
        assert!(page.header("strict-transport-security").starts_with("max-age="), "{page:?}");
        assert_eq!(browser.get("/dashboard/p/pr_a").await.status, 200);
        // The plain name is not read there: somebody on the same network could have set it.
        let token = browser.cookies()["__Host-taquilla"].clone();
        let other = Staff::new(&client.base).with_header(header.0, header.1);
        other.set_cookie("taquilla", &token);
        assert!(other.get("/dashboard/p/pr_a").await.leads_to().starts_with("/dashboard/sign-in"));
    }
}

async fn sessions_end_by_themselves_and_are_ended_by_their_owner(world: World) {
    let producer = world.producer("pr_a").await;
    let here = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    let there = Staff::new(&world.client.base).with_header("user-agent", "Phone \"><script>alert(1)</script>");
    there.sign_in("ana@x.example").await;
    let account = here.get("/dashboard/account").await;
    assert!(account.text.contains("Phone &#34;&#62;&#60;script&#62;"), "{}", account.text);
    let id = account.between("/dashboard/account/sessions/se_", "/end").to_owned();
    here.post(&format!("/dashboard/account/sessions/se_{id}/end"), &[]).await.leads_to();
    assert!(there.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
    assert_eq!(here.post(&format!("/dashboard/account/sessions/se_{id}/end"), &[]).await.status, 404);
    // Somebody else's session does not exist.
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Viewer).await;
    let own = world
        .raw()
        .await
        .rows("SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = 'ana@x.example'")
        .await;
    assert_eq!(bea.post(&format!("/dashboard/account/sessions/{}/end", own[0][0]), &[]).await.status, 404);
    assert_eq!(here.get("/dashboard/account").await.status, 200);
    // Idle.
    world.step(SESSION_IDLE - Duration::from_secs(1));
    assert_eq!(here.get("/dashboard/account").await.status, 200);
    world.step(SESSION_IDLE);
    assert!(here.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
    // However often it is used.
    here.sign_in("ana@x.example").await;
    let steps = SESSION_LONGEST.as_secs() / (SESSION_IDLE.as_secs() / 2);
    for _ in 1..steps {
        world.step(SESSION_IDLE / 2);
        assert_eq!(here.get("/dashboard/account").await.status, 200);
    }
    world.step(SESSION_IDLE / 2);
    assert!(here.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
    // Signing out ends the session, not only the cookie.
    here.sign_in("ana@x.example").await;
    let copy = here.at(&world.client.base);
    here.post("/dashboard/sign-out", &[]).await.leads_to();
    assert!(!here.cookies().contains_key("taquilla"));
    assert!(copy.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
}

async fn who_signs_in_again_is_told_why_and_goes_back_to_the_form(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let page = "/dashboard/p/pr_a/team/roles/new";
    let ana = ana.with_header("referer", &format!("{}{page}", world.client.base));
    world.step(SESSION_IDLE);
    let turned = ana.post("/dashboard/p/pr_a/team/roles", &[("name", "Till"), ("right", "orders.sell")]).await;
    let gate = ana.get(turned.leads_to()).await;
    assert!(gate.text.contains("Your session had ended before the form was sent"), "{}", gate.text);
    assert!(gate.text.contains(&format!("name=\"next\" value=\"{page}\"")), "{}", gate.text);
    // A mistyped password does not take the reason away.
    let fields = [("email", "ana@x.example"), ("password", "wrong"), ("next", page), ("ended", "form")];
    assert!(ana.post("/dashboard/sign-in", &fields).await.text.contains("nothing of it was saved"));
    let fields = [fields[0], ("password", PASSWORD), fields[2], fields[3]];
    assert_eq!(ana.post("/dashboard/sign-in", &fields).await.leads_to(), page);
    assert_eq!(world.raw().await.rows("SELECT name FROM roles WHERE name = 'Till'").await.len(), 0);
    world.step(SESSION_IDLE);
    let turned = ana.get("/dashboard/p/pr_a/keys").await;
    let gate = ana.get(turned.leads_to()).await;
    assert!(gate.text.contains("Your session has ended."), "{}", gate.text);
    assert!(gate.text.contains("name=\"next\" value=\"/dashboard/p/pr_a/keys\""), "{}", gate.text);
    // Somebody who had no session is not told of one.
    let stranger = Staff::new(&world.client.base);
    let gate = stranger.get(stranger.get("/dashboard/p/pr_a/keys").await.leads_to()).await;
    assert!(!gate.text.contains("session"), "{}", gate.text);
}

async fn sessions_are_told_in_words_and_by_clocks_that_are_named(world: World) {
    let producer = world.producer("pr_a").await;
    world.raw().await.batch("UPDATE producers SET time_zone = 'Europe/Madrid'").await;
    world.user(producer.tenant, "ana@x.example", "viewer").await;
    let agent = "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0";
    let ana = Staff::new(&world.client.base).with_header("user-agent", agent);
    ana.sign_in("ana@x.example").await;
    let page = ana.get("/dashboard/account").await.text;
    assert!(page.contains(">Firefox on Android <") && !page.contains("Gecko"), "{page}");
    // Without a script the clocks are those of the organisation; with one they are the browser's.
    assert!(page.contains("<time datetime=\"2026-11-01T12:00:00Z\">Sun 1 Nov, 13:00</time>"), "{page}");
    assert!(page.contains(">Times are those of Europe/Madrid.<"), "{page}");
    assert!(page.contains("data-times-in=\"Times are those of {zone}.\""), "{page}");
    let spanish = ana.at(&world.client.base).with_header("accept-language", "es");
    assert!(spanish.get("/dashboard/account").await.text.contains(">Firefox en Android <"));
}

async fn a_new_password_ends_all_other_sessions(world: World) {
    let producer = world.producer("pr_a").await;
    let here = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    let there = Staff::new(&world.client.base);
    there.sign_in("ana@x.example").await;
    let change = async |current: &str, new: &str| {
        here.post("/dashboard/account/password", &[("current", current), ("password", new)]).await
    };
    assert!(change("wrong", "a new long password").await.text.contains("That is not your password."));
    for (weak, said) in
        [("short", "8 to 128"), ("password123", "guessed first"), ("ana@x.example", "in your e-mail address")]
    {
        let page = change(PASSWORD, weak).await;
        assert!(page.status == 422 && page.text.contains(said), "{weak}: {}", page.text);
    }
    assert_eq!(change(PASSWORD, "a new long password").await.leads_to(), "/dashboard/account?done=password");
    assert_eq!(here.get("/dashboard/account").await.status, 200, "the session that changed it goes on");
    assert!(there.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
    assert_eq!(there.sign_in("ana@x.example").await.status, 422);
}

async fn nobody_is_led_to_another_site(world: World) {
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@x.example", "viewer").await;
    for (next, to) in [
        ("/dashboard/p/pr_a/webhooks", "/dashboard/p/pr_a/webhooks"),
        ("https://evil.example", "/dashboard"),
        ("//evil.example", "/dashboard"),
        ("/dashboard//evil.example", "/dashboard"),
        ("/\\evil.example", "/dashboard"),
        ("/dashboard/\r\nset-cookie: a=b", "/dashboard"),
        ("javascript:alert(1)", "/dashboard"),
    ] {
        let browser = Staff::new(&world.client.base);
        let page = browser
            .post("/dashboard/sign-in", &[("email", "ana@x.example"), ("password", PASSWORD), ("next", next)])
            .await;
        assert_eq!(page.leads_to(), to, "{next}");
        assert!(!browser.cookies().contains_key("a"));
        let query: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        let form = Staff::new(&world.client.base).get(&format!("/dashboard/sign-in?next={query}")).await;
        assert!(form.text.contains(&format!("name=\"next\" value=\"{to}\"")), "{next}: {}", form.text);
        let back = browser.post("/language", &[("language", "es"), ("next", next)]).await;
        assert_eq!(back.leads_to(), if to == next { next } else { "/" }, "{next}");
    }
}

/// Signs in as somebody who has set up a second factor. Gives the secret of the app and the recovery codes.
pub async fn with_second_factor(world: &World, email: &str) -> (TotpSecret, Vec<String>, Staff) {
    let producer = world.producer(&format!("pr_{}", &email[..3])).await;
    let browser = world.staff(producer.tenant, email, BuiltInRole::Viewer).await;
    let page = browser.get("/dashboard/account/second-factor").await;
    let secret = TotpSecret::stored(page.between("<code id=\"totp-secret\">", "</code>"));
    assert!(page.text.contains("<svg viewBox"));
    let wrong = browser.post("/dashboard/account/second-factor", &[("change", "set-up"), ("code", "000000")]).await;
    assert!(wrong.status == 422 && wrong.text.contains("This code is not right"));
    assert_eq!(wrong.between("<code id=\"totp-secret\">", "</code>"), secret.reveal(), "the app need not scan again");
    let code = code_at(&secret, world);
    let codes = browser.post("/dashboard/account/second-factor", &[("change", "set-up"), ("code", &code)]).await;
    let list = codes.between("<ul class=\"codes\">", "</ul>");
    let codes: Vec<String> =
        list.split("</li>").filter_map(|line| line.split_once("<li>")).map(|(_, code)| code.to_owned()).collect();
    assert_eq!(codes.len(), 10, "{list}");
    (secret, codes, browser)
}

/// The code that the app shows now.
pub fn code_at(secret: &TotpSecret, world: &World) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret.reveal()).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    totp.generate(world.now().millis() / 1_000).to_string()
}

pub const STEP: Duration = Duration::from_secs(30);

async fn a_code_of_the_second_factor_is_taken_once(world: World) {
    let (secret, _, browser) = with_second_factor(&world, "ana@x.example").await;
    let sign_in = async |code: &str| {
        let browser = Staff::new(&world.client.base);
        let asked = browser
            .post(
                "/dashboard/sign-in",
                &[("email", "ana@x.example"), ("password", PASSWORD), ("next", "/dashboard/account")],
            )
            .await;
        assert_eq!(asked.leads_to(), "/dashboard/second-factor?next=%2Fdashboard%2Faccount");
        assert!(!browser.cookies().contains_key("taquilla"), "the password alone opens nothing");
        assert!(browser.get("/dashboard/account").await.leads_to().starts_with("/dashboard/sign-in"));
        assert_eq!(browser.get(asked.leads_to()).await.status, 200);
        (browser.post("/dashboard/second-factor", &[("code", code), ("next", "/dashboard/account")]).await, browser)
    };
    let used = code_at(&secret, &world);
    assert_eq!(sign_in(&used).await.0.status, 422, "the code that set it up was taken");
    world.step(STEP);
    let code = code_at(&secret, &world);
    let (page, there) = sign_in(&code).await;
    assert_eq!(page.leads_to(), "/dashboard/account");
    assert_eq!(there.get("/dashboard/account").await.status, 200);
    assert_eq!(sign_in(&code).await.0.status, 422, "replayed");
    assert_eq!(sign_in(&used).await.0.status, 422, "nor an older one");
    // Of two who use the same code at the same moment, one gets in.
    world.step(STEP);
    let code = code_at(&secret, &world);
    let (first, second) = tokio::join!(sign_in(&code), sign_in(&code));
    let mut both = [first.0.status.as_u16(), second.0.status.as_u16()];
    both.sort_unstable();
    assert_eq!(both, [303, 422]);
    // The step between password and code does not last, and works for one sign-in.
    let slow = Staff::new(&world.client.base);
    slow.sign_in("ana@x.example").await;
    world.step(Duration::from_mins(10));
    let code = code_at(&secret, &world);
    assert_eq!(slow.post("/dashboard/second-factor", &[("code", &code)]).await.leads_to(), "/dashboard/sign-in");
    // Without it, the password is enough again.
    browser.post("/dashboard/confirm", &[("password", PASSWORD)]).await.leads_to();
    assert_eq!(
        browser.post("/dashboard/account/second-factor", &[("change", "remove"), ("code", &code)]).await.leads_to(),
        "/dashboard/account?done=second-factor-off"
    );
    assert_eq!(Staff::new(&world.client.base).sign_in("ana@x.example").await.leads_to(), "/dashboard");
}

async fn a_recovery_code_is_taken_once(world: World) {
    let (_, codes, browser) = with_second_factor(&world, "ana@x.example").await;
    let sign_in = async |code: &str| {
        let browser = Staff::new(&world.client.base);
        browser.sign_in("ana@x.example").await;
        browser.post("/dashboard/second-factor", &[("code", code)]).await.status.as_u16()
    };
    assert_eq!(sign_in(&codes[3].to_uppercase().replace('-', " ")).await, 303);
    assert_eq!(sign_in(&codes[3]).await, 422);
    assert!(browser.get("/dashboard/account").await.text.contains("9 recovery codes are left"));
    let renewed = browser.post("/dashboard/account/second-factor", &[("change", "renew"), ("code", &codes[5])]).await;
    assert!(renewed.status == 200 && !renewed.text.contains(&codes[4]), "{}", renewed.text);
    assert_eq!(sign_in(&codes[4]).await, 422, "those from before no longer work");
}

async fn codes_are_not_guessed(world: World) {
    let (secret, _, _) = with_second_factor(&world, "ana@x.example").await;
    let browser = Staff::new(&world.client.base);
    browser.sign_in("ana@x.example").await;
    for _ in 0..SIGN_INS_MAX {
        assert_eq!(browser.post("/dashboard/second-factor", &[("code", "000000")]).await.status, 422);
    }
    world.step(STEP);
    let right = code_at(&secret, &world);
    assert_eq!(browser.post("/dashboard/second-factor", &[("code", &right)]).await.status, 429);
}

async fn one_signs_in_on_one_server_and_goes_on_on_another(world: World) {
    let producer = world.producer("pr_a").await;
    let id = world.user(producer.tenant, "ana@x.example", "viewer").await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let ana = Staff::new(&here.base);
    ana.sign_in("ana@x.example").await;
    let elsewhere = ana.at(&there.base);
    assert_eq!(elsewhere.get("/dashboard/p/pr_a").await.status, 200);
    taquilla_rules::admin::staff::users::disable(&world.store, &id, &world.by()).await.unwrap();
    for staff in [&ana, &elsewhere] {
        assert!(
            staff.get("/dashboard/p/pr_a").await.leads_to().starts_with("/dashboard/sign-in"),
            "at the next request"
        );
    }
    assert!(world.engine == Engine::Sqlite || world.engine == Engine::Postgres);
}

async fn secrets_are_in_no_table_as_they_are(world: World) {
    let (_, codes, browser) = with_second_factor(&world, "ana@x.example").await;
    let token = browser.cookies()["taquilla"].clone();
    let rows = format!("{:?}", world.contents(&[("users", "totp_secret")]).await);
    for secret in [token.as_str(), PASSWORD, &codes[0]] {
        assert!(!rows.contains(secret), "{secret}");
    }
}
