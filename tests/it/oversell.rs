//! G3 under pressure: two hundred buyers at two servers for the last fifty, and payments in any order, twice, late and
//! never.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{config::HOLD, person::Person, stock::Channel};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest, PastHolds, Placed};
use taquilla_store::ChangeError;

use crate::harness::{
    Answer, Client, Producer, World, cart, crowd::buy, event, problem, seed, taquilla, tell_of_payment, ticket_type,
    with,
};

const BUYERS: usize = 200;
const LEFT: usize = 50;

both_engines![the_last_fifty_are_given_away_once, the_last_fifty_are_paid_for_once,];

/// An item and a bundle at this price, with fifty left of each.
async fn a_shop(world: &World, price: i64) -> Producer {
    let producer = world.producer("pr_a").await;
    let left = json!({"price": price, "limit": LEFT});
    let inside = json!([{"ticket_type_id": "tt_seat", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}]);
    let lines = [
        event("ev"),
        with(ticket_type("tt", "ev"), left.clone()),
        ticket_type("tt_seat", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"limit": 5})),
        with(with(ticket_type("bu", "ev"), json!({"kind": "bundle", "includes": inside})), left),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

/// How many tickets one unit becomes.
fn tickets_of(item: &str) -> usize {
    if item == "bu" { 3 } else { 1 }
}

/// Compares what is sold, by the counts, by the orders and by the tickets: fifty of each.
async fn are_sold_exactly(world: &World, producer: &Producer) {
    let types = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    let sold: BTreeMap<&str, i64> =
        types.iter().map(|item| (item["id"].as_str().unwrap(), item["sold"].as_i64().unwrap())).collect();
    let fifty = LEFT as i64;
    assert_eq!(sold, BTreeMap::from([("tt", fifty), ("bu", fifty), ("tt_seat", 0), ("tt_beer", 0)]));
    let live = world
        .raw()
        .await
        .rows("SELECT ticket_type_id, count(*) FROM tickets WHERE status = 'valid' GROUP BY 1 ORDER BY 1")
        .await;
    assert_eq!(live, [["tt", "50"], ["tt_beer", "100"], ["tt_seat", "50"]]);
    let approved = world.client.get("/api/v1/orders?status=approved&limit=200", &producer.key).await.ids();
    assert_eq!(approved.len(), 2 * LEFT);
    assert_eq!(world.findings().await, []);
    let checked = taquilla(&world.address).arg("check").output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

/// What the buyer sees: the order's status, and how many valid tickets.
async fn bought(client: &Client, reference: &Value) -> (String, usize) {
    let path = format!("/shop/v1/orders/{}", reference.as_str().unwrap());
    let shown = client.send(Method::GET, &path, &[]).await.json();
    let tickets = shown["tickets"].as_array().unwrap();
    assert!(tickets.iter().all(|ticket| ticket["status"] == "valid"), "{shown}");
    (shown["order"]["status"].as_str().unwrap().to_owned(), tickets.len())
}

async fn the_last_fifty_are_given_away_once(world: World) {
    let producer = a_shop(&world, 0).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let clients = [here, there];
    let mut buyers: Vec<(usize, &str)> = (0..BUYERS).flat_map(|number| [(number, "tt"), (number, "bu")]).collect();
    buyers.shuffle(&mut StdRng::seed_from_u64(seed()));
    let orders: Vec<_> = buyers
        .into_iter()
        .map(|(number, item)| {
            let (one, other) = (clients[number % 2].clone(), clients[1 - number % 2].clone());
            tokio::spawn(async move {
                let (key, body) = (format!("{item}-{number}"), cart(item, 1));
                let answer = buy(one, key.clone(), body.clone());
                // Some lose patience and send the same order to the other server, too.
                if number % 4 == 0 {
                    let (answer, again) = tokio::join!(answer, buy(other, key, body));
                    assert_eq!(answer.status, again.status);
                    if answer.status == 201 {
                        assert_eq!(answer.text, again.text);
                    }
                    return (item, answer);
                }
                (item, answer.await)
            })
        })
        .collect();
    let mut sold = BTreeMap::new();
    for order in orders {
        let (item, answer) = order.await.unwrap();
        if answer.status != 201 {
            assert_eq!(answer.problem(), problem(409, "sold_out", None));
            continue;
        }
        *sold.entry(item).or_insert(0) += 1;
        let placed = answer.json();
        assert_eq!(placed["order"]["status"], "approved");
        assert_eq!(bought(&clients[0], &placed["reference"]).await, ("approved".into(), tickets_of(item)));
    }
    assert_eq!(sold, BTreeMap::from([("tt", LEFT), ("bu", LEFT)]));
    assert_eq!(world.client.get("/api/v1/orders?limit=200", &producer.key).await.ids().len(), 2 * LEFT);
    are_sold_exactly(&world, &producer).await;
}

/// How a buyer pays for a pending order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pays {
    Once,
    /// The processor sends the same notice twice at the same time, to both servers.
    ToldTwice,
    /// The buyer pays two times for one order.
    Twice,
    Never,
    /// After the hold has ended.
    Late,
}

impl Pays {
    fn of(number: usize) -> Self {
        [Self::Once, Self::ToldTwice, Self::Twice, Self::Never, Self::Late][number % 5]
    }
}

/// Two servers, and the processor of `pr_a`.
struct Till<'w> {
    world: &'w World,
    producer: &'w Producer,
    clients: [Client; 2],
    secret: String,
}

/// An order that somebody has placed.
struct Ordered {
    number: usize,
    item: &'static str,
    placed: Value,
}

impl Till<'_> {
    /// Everybody comes at the same time, at both servers, and staff sell beside them. Gives the orders that hold their stock,
    /// those who are to come again, and how many staff sold.
    async fn sell(
        &self,
        buyers: Vec<(usize, &'static str)>,
        round: usize,
    ) -> (Vec<Ordered>, Vec<(usize, &'static str)>, BTreeMap<&'static str, usize>) {
        let (mut ordered, mut refused) = (Vec::new(), Vec::new());
        let buying = join_all(buyers.into_iter().map(async |(number, item)| {
            let key = format!("{item}-{number}-{round}");
            (number, item, buy(self.clients[number % 2].clone(), key, cart(item, 1)).await)
        }));
        let (answers, staff) = tokio::join!(buying, join_all((0..6).map(|number| self.sell_by_hand(number))));
        for (number, item, answer) in answers {
            if answer.status == 201 {
                let placed = answer.json();
                assert_eq!(placed["order"]["status"], "pending");
                ordered.push(Ordered { number, item, placed });
            } else if answer.problem() == problem(409, "held", None) {
                assert!(answer.header("retry-after").is_some_and(|wait| wait.parse::<u64>().unwrap() > 0));
                refused.push((number, item));
            } else {
                assert_eq!(answer.problem(), problem(409, "sold_out", None));
            }
        }
        let mut sold = BTreeMap::new();
        for item in staff.into_iter().flatten() {
            *sold.entry(item).or_insert(0) += 1;
        }
        (ordered, refused, sold)
    }

    /// Staff sell one unit for cash, if there is one that nobody holds.
    async fn sell_by_hand(&self, number: usize) -> Option<&'static str> {
        let (store, tenant, now) = (&self.world.store, self.producer.tenant, self.world.now());
        let item = ["tt", "bu"][number % 2];
        let wanted = ItemRequest {
            ticket_type_id: item.into(),
            quantity: 1,
            unit_price: None,
            attendees: vec![],
            access_code: None,
        };
        let buyer = Person { name: "Cash".into(), ..Person::default() };
        let request = OrderRequest::new("ev".into(), buyer, vec![wanted], Channel::Staff);
        match boxoffice::place(store, tenant, &request, None, now).await {
            Ok(Placed::New(placed)) => {
                boxoffice::approve(store, tenant, &placed.order.id, PastHolds::No, now).await.unwrap();
                Some(item)
            }
            Err(ChangeError::Refused(refusal)) => {
                assert!(["held", "sold_out"].contains(&refusal.code()), "{refusal:?}");
                None
            }
            _ => panic!("staff could not sell"),
        }
    }

    /// Tells a server of a payment, again while it is told to come back.
    async fn tell(&self, server: usize, payment: &str, order: &Value) -> Answer {
        let notice = json!({"payment_id": payment, "reference": order["reference"], "status": "paid",
            "amount": order["order"]["total"], "currency": "EUR"});
        loop {
            let now_s = self.world.now().micros() / 1_000_000;
            let answer = tell_of_payment(&self.clients[server % 2], now_s, &notice, &self.secret).await;
            if answer.status != 503 {
                return answer;
            }
        }
    }

    /// Pays for an order, and gives the answers by payment.
    async fn pay(&self, number: usize, order: &Value, pays: Pays) -> Vec<(String, Answer)> {
        let id = order["order"]["id"].as_str().unwrap();
        let (first, second) = (format!("pay-{id}"), format!("pay-again-{id}"));
        match pays {
            Pays::Never => vec![],
            Pays::Once | Pays::Late => vec![(first.clone(), self.tell(number, &first, order).await)],
            Pays::ToldTwice => {
                let told = tokio::join!(self.tell(number, &first, order), self.tell(number + 1, &first, order));
                assert_eq!(
                    (told.0.status, &told.0.json()["code"]),
                    (told.1.status, &told.1.json()["code"]),
                    "{told:?}"
                );
                vec![(first, told.0)]
            }
            Pays::Twice => {
                let told = tokio::join!(self.tell(number, &first, order), self.tell(number + 1, &second, order));
                vec![(first, told.0), (second, told.1)]
            }
        }
    }
}

/// What became of every payment: payment, order and result.
#[derive(Default)]
struct Paid {
    settled: BTreeSet<(String, String, String)>,
    unsettled: BTreeSet<(String, String, String)>,
    sold: BTreeMap<&'static str, usize>,
}

impl Paid {
    /// Notes what the processor was told about the payments of an order.
    async fn note(&mut self, till: &Till<'_>, order: &Ordered, pays: Pays, answers: Vec<(String, Answer)>) {
        let (paid, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(_, answer)| answer.status == 200);
        let id = order.placed["order"]["id"].as_str().unwrap();
        // Who holds the stock pays for it: nobody pays in vain in time.
        let settles = match pays {
            Pays::Never => 0..=0,
            Pays::Late => 0..=1,
            _ => 1..=1,
        };
        assert!(settles.contains(&paid.len()), "{pays:?} {paid:?} {refused:?}");
        let expected = match paid.first() {
            Some((payment, answer)) => {
                assert_eq!(answer.json(), json!({"order_id": id, "status": "approved"}));
                *self.sold.entry(order.item).or_insert(0) += 1;
                self.settled.insert((payment.clone(), id.to_owned(), "settled".to_owned()));
                ("approved".to_owned(), tickets_of(order.item))
            }
            None => ("pending".to_owned(), 0),
        };
        assert_eq!(bought(&till.clients[0], &order.placed["reference"]).await, expected, "{pays:?}");
        let reason = if paid.is_empty() { "sold_out" } else { "order_not_pending" };
        for (payment, answer) in refused {
            assert_eq!(answer.problem(), problem(409, reason, None), "{pays:?}");
            self.unsettled.insert((payment, id.to_owned(), reason.to_owned()));
        }
    }
}

async fn the_last_fifty_are_paid_for_once(world: World) {
    let producer = a_shop(&world, 25).await;
    let secret = world.connect_processor(&producer).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let till = Till { world: &world, producer: &producer, clients: [here, there], secret };
    let mut chance = StdRng::seed_from_u64(seed());
    let mut buyers: Vec<(usize, &str)> = (0..BUYERS).flat_map(|number| [(number, "tt"), (number, "bu")]).collect();
    let (mut paid, mut late) = (Paid::default(), Vec::new());
    for round in 0.. {
        buyers.shuffle(&mut chance);
        // Those who are late pay while the others come for what they no longer hold.
        let paying_late = join_all(
            late.iter().map(async |order: &Ordered| (order, till.pay(order.number, &order.placed, Pays::Late).await)),
        );
        let (told_late, (mut ordered, refused, by_hand)) = tokio::join!(paying_late, till.sell(buyers, round));
        for (order, answers) in told_late {
            paid.note(&till, order, Pays::Late, answers).await;
        }
        for (item, units) in by_hand {
            *paid.sold.entry(item).or_insert(0) += units;
        }
        // All that is left is held now, as far as anybody was refused.
        for item in ["tt", "bu"] {
            let held = ordered.iter().filter(|order| order.item == item).count();
            let taken = paid.sold.get(item).copied().unwrap_or_default() + held;
            let is_full = taken == LEFT;
            assert!(
                taken <= LEFT && (is_full || !refused.iter().any(|(_, wanted)| *wanted == item)),
                "{item}: {taken}"
            );
        }
        ordered.shuffle(&mut chance);
        // Whoever comes again after the second round pays, so that there is an end.
        let pays = |order: &Ordered| if round < 2 { Pays::of(order.number / 2 + round) } else { Pays::Once };
        let (later, now): (Vec<_>, Vec<_>) = ordered.into_iter().partition(|order| pays(order) == Pays::Late);
        let told = join_all(now.iter().map(async |order| till.pay(order.number, &order.placed, pays(order)).await));
        for (order, answers) in now.iter().zip(told.await) {
            paid.note(&till, order, pays(order), answers).await;
        }
        (late, buyers) = (later, refused);
        world.step(HOLD + HOLD / 120);
        if late.is_empty() && buyers.is_empty() {
            break;
        }
        assert!(round < 10, "it does not end");
    }
    assert_eq!(paid.sold, BTreeMap::from([("tt", LEFT), ("bu", LEFT)]));
    are_sold_exactly(&world, &producer).await;
    // Money that bought nothing is in the list that staff work through, with the reason.
    assert_eq!(listed(&world, &["--unsettled"]), paid.unsettled);
    assert_eq!(listed(&world, &[]), paid.settled.union(&paid.unsettled).cloned().collect());
    for item in ["tt", "bu"] {
        let refused = buy(till.clients[0].clone(), format!("{item}-too-late"), cart(item, 1)).await;
        assert_eq!(refused.problem(), problem(409, "sold_out", None), "nothing is held for ever");
    }
}

/// The payments that staff see: payment, order and result.
fn listed(world: &World, flags: &[&str]) -> BTreeSet<(String, String, String)> {
    let mut command = taquilla(&world.address);
    let output = command.args(["payment", "list", "--producer", "pr_a", "--json"]).args(flags).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(row, "id"), text(row, "order_id"), text(row, "result"))).collect()
}
