//! Shifts at the box office: they balance to the unit, whoever sells and pays back meanwhile and whatever is killed.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use taquilla_domain::role::BuiltInRole;

use crate::{
    harness::{
        Page, Producer, Running, Staff, World, address_in, event, seed, serve, start, taquilla, ticket_type, with,
    },
    hold_kills::kill_within,
};

both_engines![
    a_shift_is_begun_counted_and_kept,
    a_shift_is_seen_by_its_person_and_by_who_sees_reports,
    who_has_no_shift_has_sums_of_the_day,
    shifts_balance_whatever_is_killed,
];

const BASE: &str = "/dashboard/p/pr_a";

async fn house(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"status": "published", "starts_at": "2027-11-20T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"limit": 1000, "max_per_order": 9})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

/// The fields of a sale.
fn sale<'a>(key: &'a str, quantity: &'a str, method: &'a str) -> [(&'a str, &'a str); 4] {
    [("event", "ev"), ("key", key), ("quantity_tt", quantity), ("method", method)]
}

async fn sell(staff: &Staff, key: &str, quantity: &str, method: &str) -> String {
    let sold = staff.post(&format!("{BASE}/orders/new"), &sale(key, quantity, method)).await;
    sold.leads_to().split("/tickets").next().unwrap().to_owned()
}

async fn begin(staff: &Staff, cash: &str) {
    staff.post(&format!("{BASE}/shift/begin"), &[("cash", cash)]).await.leads_to();
}

async fn end(staff: &Staff, counted: &str) -> Page {
    let ended = staff.post(&format!("{BASE}/shift/end"), &[("counted_EUR", counted)]).await;
    staff.get(ended.leads_to()).await
}

async fn a_shift_is_begun_counted_and_kept(world: World) {
    let producer = house(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::BoxOffice).await;
    sell(&ana, "before", "1", "cash").await;
    assert_eq!(ana.post(&format!("{BASE}/shift/begin"), &[("cash", "1.5")]).await.status, 422);
    begin(&ana, "100").await;
    // Who has one goes on with it: a second form changes nothing.
    begin(&ana, "999").await;
    let raw = world.raw().await;
    assert_eq!(raw.rows("SELECT begun_with FROM shift_cash").await, [["100"]]);
    assert!(ana.get(&format!("{BASE}/orders/new")).await.text.contains("Your shift has been open since"));
    let back = sell(&ana, "k1", "3", "cash").await;
    sell(&ana, "k2", "2", "card").await;
    sell(&ana, "k3", "1", "cash").await;
    ana.post(&format!("{back}/refund"), &[("method", "cash")]).await.leads_to();
    let page = ana.get(&format!("{BASE}/shift")).await.text;
    assert!(page.contains("Expected: €125"), "100 + 100 − 75: {page}");
    // What was counted has to be a number, for each currency.
    for wrong in [vec![], vec![("counted_EUR", "")], vec![("counted_EUR", "a lot")]] {
        assert_eq!(ana.post(&format!("{BASE}/shift/end"), &wrong).await.status, 422, "{wrong:?}");
    }
    let ended = end(&ana, "120").await.text;
    assert!(ended.contains("<span class=\"badge warn\">-€5</span>"), "{ended}");
    let rows = raw.rows("SELECT begun_with, expected, counted FROM shift_cash").await;
    assert_eq!(rows, [["100", "125", "120"]]);
    // It stays as it is, whatever is sold and paid back afterwards.
    let later = sell(&ana, "k4", "4", "cash").await;
    ana.post(&format!("{later}/refund"), &[("method", "cash")]).await.leads_to();
    let shift = raw.rows("SELECT id FROM shifts").await[0][0].clone();
    let kept = ana.get(&format!("{BASE}/shift/{shift}")).await.text;
    assert!(kept.contains("<span class=\"badge warn\">-€5</span>") && kept.contains("€100"), "{kept}");
    assert_eq!(
        ana.post(&format!("{BASE}/shift/end"), &[("counted_EUR", "1")]).await.leads_to(),
        format!("{BASE}/shift")
    );
    let told = raw.rows("SELECT action, actor, details FROM audit WHERE action LIKE 'shift.%' ORDER BY action").await;
    assert_eq!(told.len(), 2);
    assert!(told[1][2].contains("-5 EUR") && told.iter().all(|row| row[1] == "ana@x.example"), "{told:?}");
    assert!(world.findings().await.is_empty());
    // A sum that does not follow from its rows is found.
    raw.batch("UPDATE shift_cash SET expected = 126").await;
    let found = world.findings().await;
    assert!(found.len() == 1 && found[0].kind == "shift" && found[0].problem.contains("126"), "{found:?}");
}

async fn a_shift_is_seen_by_its_person_and_by_who_sees_reports(world: World) {
    let producer = house(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::BoxOffice).await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::BoxOffice).await;
    let cal = world.staff(producer.tenant, "cal@x.example", BuiltInRole::Accountant).await;
    for (staff, cash) in [(&ana, "10"), (&bea, "20")] {
        begin(staff, cash).await;
    }
    sell(&ana, "k1", "1", "cash").await;
    sell(&bea, "k2", "2", "other").await;
    end(&ana, "35").await;
    let ids = world.raw().await.rows("SELECT id FROM shifts ORDER BY person").await;
    let page = async |staff: &Staff, path: String| staff.get(&path).await;
    let own = |at: usize| format!("{BASE}/shift/{}", ids[at][0]);
    let any = |at: usize| format!("{BASE}/reports/shifts/{}", ids[at][0]);
    assert_eq!(page(&ana, own(0)).await.status, 200);
    assert_eq!(page(&ana, own(1)).await.status, 404, "another's shift looks like none");
    assert_eq!(page(&ana, any(0)).await.status, 403);
    assert!(!page(&ana, format!("{BASE}/shift")).await.text.contains("bea@x.example"));
    let list = page(&cal, format!("{BASE}/reports/shifts")).await.text;
    assert!(list.contains("ana@x.example") && list.contains("bea@x.example") && list.contains("€35"), "{list}");
    assert!(page(&cal, any(0)).await.text.contains("ana@x.example"));
    assert!(page(&cal, any(1)).await.text.contains("Other"), "one that is open is seen as it stands");
    assert_eq!(page(&cal, format!("{BASE}/shift")).await.status, 403, "who does not sell has no shift");
    assert!(page(&cal, format!("{BASE}/reports")).await.text.contains("/reports/shifts"));
    // The command line lists them, too.
    let listed = taquilla(&world.address).args(["shift", "list", "--producer", "pr_a", "--json"]).output().unwrap();
    let listed: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed.len(), 2);
    let cash = json!([{"currency": "EUR", "begun_with": 10, "expected": 35, "counted": 35, "difference": 0}]);
    assert!(listed.iter().any(|shift| shift["cash"] == cash && shift["person"] == "ana@x.example"), "{listed:?}");
}

async fn who_has_no_shift_has_sums_of_the_day(world: World) {
    let producer = house(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::BoxOffice).await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::BoxOffice).await;
    sell(&ana, "k1", "2", "cash").await;
    sell(&bea, "k2", "3", "cash").await;
    let page = ana.get(&format!("{BASE}/shift")).await.text;
    assert!(page.contains("summed by person and day") && page.contains("€50") && !page.contains("€75"), "{page}");
    // Whoever sees payments sees everybody's, on any day; whoever sees reports alone does not.
    let cal = world.staff(producer.tenant, "cal@x.example", BuiltInRole::Accountant).await;
    let vic = world.staff(producer.tenant, "vic@x.example", BuiltInRole::Viewer).await;
    let list = cal.get(&format!("{BASE}/reports/shifts")).await.text;
    for part in ["Everybody’s sums of a day", ">ana@x.example<", "€50", ">bea@x.example<", "€75"] {
        assert!(list.contains(part), "{part}: {list}");
    }
    let other = cal.get(&format!("{BASE}/reports/shifts?day=2020-02-29")).await.text;
    assert!(
        other.contains("value=\"2020-02-29\"") && other.contains("Nothing was sold") && !other.contains("€50"),
        "{other}"
    );
    assert_eq!(cal.get(&format!("{BASE}/reports/shifts?day=9999-99-99")).await.status, 200);
    let hers = vic.get(&format!("{BASE}/reports/shifts")).await.text;
    assert!(!hers.contains("€50") && !hers.contains("name=\"day\""), "{hers}");
    // PostgreSQL's stamps are of its own clock, which the test does not step.
    if world.engine == crate::harness::Engine::Sqlite {
        world.step(crate::harness::DAY);
        ana.sign_in("ana@x.example").await;
        assert!(ana.get(&format!("{BASE}/shift")).await.text.contains("Nothing was sold or paid back."));
    }
}

const CLERKS: usize = 3;
const ROUNDS: usize = 3;
const SALES: usize = 6;
const METHODS: [&str; 4] = ["cash", "card", "other", ""];

fn start_server(world: &World) -> (Running, String) {
    let (running, text, _log) = start(serve(&world.address), "listening");
    (running, format!("http://{}", address_in(&text)))
}

/// One sale of a clerk, and what is to become of it.
struct Sale {
    clerk: usize,
    key: String,
    quantity: i64,
    method: &'static str,
    is_paid_back: bool,
    /// The order's page, once it is known.
    path: String,
}

/// Sells, and gives the order's page if an answer came. The same form sells once, however often it is sent.
async fn try_to_sell(sale: &Sale, clerk: &Staff) -> Option<String> {
    let quantity = sale.quantity.to_string();
    let fields = self::sale(&sale.key, &quantity, sale.method);
    let page = clerk.try_post(&format!("{BASE}/orders/new"), &fields).await?;
    match page.status.as_u16() {
        303 => Some(page.leads_to().split("/tickets").next().unwrap().to_owned()),
        409 => Some(page.between("<dd><a href=\"", "\"").to_owned()),
        status => panic!("{status}: {}", page.text),
    }
}

async fn shifts_balance_whatever_is_killed(mut world: World) {
    let mut chance = StdRng::seed_from_u64(seed());
    let producer = house(&world).await;
    let emails: Vec<String> = (0..CLERKS).map(|clerk| format!("clerk{clerk}@x.example")).collect();
    for email in &emails {
        world.user(producer.tenant, email, BuiltInRole::BoxOffice.as_str()).await;
    }
    world.server.stop().await;
    let (mut server, base) = start_server(&world);
    let mut clerks: Vec<Staff> = Vec::new();
    for email in &emails {
        let clerk = Staff::new(&base);
        assert_eq!(clerk.sign_in(email).await.status, 303);
        begin(&clerk, "100").await;
        clerks.push(clerk);
    }
    let mut all: Vec<Sale> = Vec::new();
    for round in 0..ROUNDS {
        let mut sales: Vec<Sale> = (0..CLERKS * SALES)
            .map(|number| Sale {
                clerk: number % CLERKS,
                key: format!("KEY{round}X{number:04}"),
                quantity: chance.random_range(1..4),
                method: METHODS[chance.random_range(0..METHODS.len())],
                is_paid_back: number == 0 || chance.random_range(0..3) == 0,
                path: String::new(),
            })
            .collect();
        // Everybody sells at once, and the server is killed in the midst of it.
        let asked: Vec<_> = sales.iter().map(|sale| try_to_sell(sale, &clerks[sale.clerk])).collect();
        let told = kill_within(server, asked, chance.random_range(1..CLERKS * SALES)).await;
        let base;
        (server, base) = start_server(&world);
        clerks = clerks.iter().map(|clerk| clerk.at(&base)).collect();
        for (sale, told) in sales.iter_mut().zip(told) {
            let path = try_to_sell(sale, &clerks[sale.clerk]).await.unwrap();
            assert!(told.is_none_or(|told| told == path), "a sale that was told of is gone");
            sale.path = path;
        }
        // Some of it is paid back in cash, and the server is killed again.
        let refunded: Vec<&Sale> = sales.iter().filter(|sale| sale.is_paid_back).collect();
        let refund = async |sale: &&Sale| {
            let path = format!("{}/refund", sale.path);
            clerks[sale.clerk].try_post(&path, &[("method", "cash")]).await
        };
        let asked: Vec<_> = refunded.iter().map(refund).collect();
        kill_within(server, asked, chance.random_range(1..=refunded.len())).await;
        let base;
        (server, base) = start_server(&world);
        clerks = clerks.iter().map(|clerk| clerk.at(&base)).collect();
        for sale in refunded {
            let again = clerks[sale.clerk].post(&format!("{}/refund", sale.path), &[("method", "cash")]).await;
            assert!([303, 422].contains(&again.status.as_u16()), "{}", again.text);
        }
        all.extend(sales);
    }
    let raw = world.raw().await;
    for (at, clerk) in clerks.iter().enumerate() {
        let own = || all.iter().filter(|sale| sale.clerk == at);
        let taken: i64 = own().filter(|sale| sale.method == "cash").map(|sale| sale.quantity * 25).sum();
        let paid_back: i64 = own().filter(|sale| sale.is_paid_back).map(|sale| sale.quantity * 25).sum();
        let expected = 100 + taken - paid_back;
        let counted = expected.max(0).to_string();
        end(clerk, &counted).await;
        let rows = raw
            .rows(&format!(
                "SELECT c.expected, c.counted FROM shift_cash c JOIN shifts s ON s.producer_id = c.producer_id \
                 AND s.id = c.shift_id WHERE s.person = '{}'",
                emails[at]
            ))
            .await;
        assert_eq!(rows, [[expected.to_string(), counted]], "clerk {at}");
    }
    let sold = raw.rows("SELECT count(*) FROM orders").await;
    assert_eq!(sold, [[(CLERKS * SALES * ROUNDS).to_string()]], "each form has sold once");
    let checked = taquilla(&world.address).arg("check").output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}
