//! G3 with pools against a simple model: after each random move at one of two servers, whatever was sold, held, cancelled,
//! imported or shared anew, items and pools have sold and hold what the model says, and no more than there is.

use std::time::Duration;

use futures_util::future::join_all;
use proptest::prelude::*;
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{
    audit::By, clock::Stamp, count::Count, person::Person, pool::NewPool, stock::Channel, text::Name,
};
use taquilla_rules::{
    admin::catalogue::{PoolChange, change_pool, create_pool, end_pool},
    boxoffice::{self, ItemRequest, OrderRequest, PastHolds, Placed},
    import::Error as ImportError,
};
use taquilla_store::{ChangeError, catalogue::pools};

use crate::harness::{
    self, Answer, Client, Engine, Producer, World, event, ticket, ticket_type, with, without_shop_limits,
};

/// Three single items, and a bundle of the first and two of the second.
const ITEMS: [&str; 4] = ["tt_a", "tt_b", "tt_c", "bu"];
const PRICES: [i64; 4] = [25, 0, 0, 30];
const LIMITS: [Option<i64>; 4] = [Some(6), None, Some(5), Some(3)];
const BUNDLE: usize = 3;
const INCLUDES: [(usize, i64); 2] = [(0, 1), (1, 2)];
const POOLS: [&str; 2] = ["pool_1", "pool_2"];

#[derive(Clone, Debug)]
enum Step {
    /// A buyer places an order of one or two items at a server.
    Place {
        server: usize,
        item: usize,
        quantity: i64,
        other: Option<usize>,
    },
    /// Several buyers want one of the same at the same moment, at both servers.
    Burst {
        item: usize,
        buyers: usize,
    },
    Staff {
        item: usize,
        quantity: i64,
        past_holds: bool,
    },
    Approve {
        order: usize,
        past_holds: bool,
    },
    Reject(usize),
    Refund(usize),
    /// What was sold with a ticket as one is refunded alone.
    RefundTicket(usize),
    Cancel(usize),
    Hide(usize),
    Transfer(usize),
    /// Tickets without an order are imported.
    Import {
        item: usize,
        tickets: usize,
    },
    /// A pool is made, or becomes another.
    Share {
        pool: usize,
        limit: i64,
        members: Vec<usize>,
        past_holds: bool,
    },
    End(usize),
    Pass {
        seconds: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let (any_order, any_ticket, any_item) = (|| 0..40_usize, || 0..80_usize, || 0..4_usize);
    let members = prop::sample::subsequence(vec![0, 1, 2], 1..=3);
    prop_oneof![
        8 => (0..2_usize, any_item(), 1..3_i64, prop::option::weighted(0.4, any_item()))
            .prop_map(|(server, item, quantity, other)| Step::Place { server, item, quantity, other }),
        2 => (any_item(), 2..6_usize).prop_map(|(item, buyers)| Step::Burst { item, buyers }),
        2 => (any_item(), 1..3_i64, any::<bool>())
            .prop_map(|(item, quantity, past_holds)| Step::Staff { item, quantity, past_holds }),
        5 => (any_order(), any::<bool>()).prop_map(|(order, past_holds)| Step::Approve { order, past_holds }),
        1 => any_order().prop_map(Step::Reject),
        2 => any_order().prop_map(Step::Refund),
        2 => any_ticket().prop_map(Step::RefundTicket),
        3 => any_ticket().prop_map(Step::Cancel),
        1 => any_ticket().prop_map(Step::Hide),
        1 => any_ticket().prop_map(Step::Transfer),
        2 => (0..3_usize, 1..4_usize).prop_map(|(item, tickets)| Step::Import { item, tickets }),
        4 => (0..2_usize, 0..12_i64, members, any::<bool>())
            .prop_map(|(pool, limit, members, past_holds)| Step::Share { pool, limit, members, past_holds }),
        1 => (0..2_usize).prop_map(Step::End),
        2 => prop::sample::select(vec![61, 1_816]).prop_map(|seconds| Step::Pass { seconds }),
    ]
}

struct ModelOrder {
    id: String,
    status: &'static str,
    lines: Vec<(usize, i64)>,
    held_until: Option<Stamp>,
}

#[derive(Clone)]
struct ModelTicket {
    id: String,
    item: usize,
    order: Option<usize>,
    /// The unit of a bundle that it came out of.
    unit: Option<String>,
    is_live: bool,
    is_hidden: bool,
}

#[derive(Clone)]
struct ModelPool {
    limit: i64,
    members: Vec<usize>,
}

struct Model {
    now: Stamp,
    orders: Vec<ModelOrder>,
    tickets: Vec<ModelTicket>,
    pools: [Option<ModelPool>; 2],
}

type Outcome = Result<(), &'static str>;

/// The single items that one unit of an item becomes.
fn singles(item: usize) -> Vec<(usize, i64)> {
    if item == BUNDLE { INCLUDES.to_vec() } else { vec![(item, 1)] }
}

impl ModelPool {
    /// How many places these take.
    fn taken_by(&self, lines: &[(usize, i64)]) -> i64 {
        let parts =
            lines.iter().flat_map(|(item, units)| singles(*item).into_iter().map(move |(one, n)| (one, n * units)));
        parts.filter(|(one, _)| self.members.contains(one)).map(|(_, units)| units).sum()
    }
}

impl Model {
    fn counts(&self) -> impl Iterator<Item = &ModelTicket> {
        self.tickets.iter().filter(|ticket| ticket.is_live && !ticket.is_hidden)
    }

    fn sold(&self, item: usize) -> i64 {
        if item != BUNDLE {
            return self.counts().filter(|ticket| ticket.item == item && ticket.unit.is_none()).count() as i64;
        }
        let mut units: Vec<&String> = self.counts().filter_map(|ticket| ticket.unit.as_ref()).collect();
        units.sort();
        units.dedup();
        units.len() as i64
    }

    fn holding(&self) -> impl Iterator<Item = &ModelOrder> {
        let holds = |order: &&ModelOrder| order.status == "pending" && order.held_until.is_some_and(|at| at > self.now);
        self.orders.iter().filter(holds)
    }

    fn held(&self, item: usize) -> i64 {
        let lines = self.holding().flat_map(|order| &order.lines);
        lines.filter(|(line, _)| *line == item).map(|(_, units)| units).sum()
    }

    fn taken(&self, pool: &ModelPool) -> i64 {
        self.counts().filter(|ticket| pool.members.contains(&ticket.item)).count() as i64
    }

    fn held_of(&self, pool: &ModelPool) -> i64 {
        self.holding().map(|order| pool.taken_by(&order.lines)).sum()
    }

    /// Whether these can be sold: to somebody who holds nothing of them, or to whoever holds does not matter.
    fn has_room(&self, lines: &[(usize, i64)], past_holds: bool) -> Outcome {
        let units = |item: usize| lines.iter().filter(|(line, _)| *line == item).map(|(_, units)| units).sum::<i64>();
        let items = (0..4).filter_map(|item| Some((item, units(item), LIMITS[item]?)));
        let wanted: Vec<(i64, i64, i64)> = items
            .filter(|(_, units, _)| *units > 0)
            .map(|(item, units, limit)| (limit - self.sold(item), self.held(item), units))
            .chain(
                self.pools
                    .iter()
                    .flatten()
                    .filter(|pool| pool.taken_by(lines) > 0)
                    .map(|pool| (pool.limit - self.taken(pool), self.held_of(pool), pool.taken_by(lines))),
            )
            .collect();
        if wanted.iter().any(|(left, _, units)| units > left) {
            return Err("sold_out");
        }
        match wanted.iter().any(|(left, held, units)| *held > 0 && units + held > *left) && !past_holds {
            true => Err("held"),
            false => Ok(()),
        }
    }

    fn approve(&self, order: usize, past_holds: bool) -> Outcome {
        let known = &self.orders[order];
        if known.status != "pending" {
            return Err("order_not_pending");
        }
        let own = known.held_until.is_some_and(|until| until > self.now);
        self.has_room(&known.lines, past_holds || own).map_err(|_| "sold_out")
    }

    /// Whether a pool can be what it is to be.
    fn share(&self, pool: &ModelPool, before: Option<&ModelPool>, past_holds: bool) -> Outcome {
        let (taken, held) = (self.taken(pool), self.held_of(pool));
        let takes_away = before.is_none_or(|before| {
            pool.limit < before.limit || pool.members.iter().any(|member| !before.members.contains(member))
        });
        match (before, taken > pool.limit) {
            (Some(before), _) if (before.limit, &before.members) == (pool.limit, &pool.members) => Ok(()),
            (_, true) => Err("limit_below_sold"),
            _ if takes_away && !past_holds && held > 0 && taken + held > pool.limit => Err("held"),
            _ => Ok(()),
        }
    }
}

/// A producer of its own for each run.
struct Case<'w> {
    world: &'w World,
    clients: &'w [Client; 2],
    id: String,
    producer: Producer,
}

fn past(past_holds: bool) -> PastHolds {
    if past_holds { PastHolds::Yes } else { PastHolds::No }
}

fn code<T>(changed: Result<T, ChangeError>) -> Result<T, String> {
    changed.map_err(|error| match error {
        ChangeError::Refused(refusal) => refusal.code().to_owned(),
        ChangeError::Store(error) => panic!("{error:?}"),
    })
}

impl<'w> Case<'w> {
    async fn open(world: &'w World, clients: &'w [Client; 2]) -> Self {
        let id = format!("pr_{:x}", rand::random::<u64>());
        let producer = world.producer(&id).await;
        let inside: Vec<Value> = (INCLUDES.iter())
            .map(|(item, quantity)| json!({"ticket_type_id": ITEMS[*item], "quantity": quantity}))
            .collect();
        let item = |at: usize| with(ticket_type(ITEMS[at], "ev"), json!({"price": PRICES[at], "limit": LIMITS[at]}));
        let bundle = with(item(BUNDLE), json!({"kind": "bundle", "includes": inside}));
        world.import(producer.tenant, &[event("ev"), item(0), item(1), item(2), bundle]).await;
        Self { world, clients, id, producer }
    }

    fn body(lines: &[(usize, i64)]) -> Value {
        let items: Vec<Value> =
            lines.iter().map(|(item, units)| json!({"ticket_type_id": ITEMS[*item], "quantity": units})).collect();
        json!({"buyer": {"name": "Ana", "email": "ana@example.com"}, "items": items})
    }

    async fn send(&self, server: usize, body: &Value) -> Answer {
        let (path, key) = (format!("/shop/v1/{}/events/ev/orders", self.id), format!("{:x}", rand::random::<u128>()));
        loop {
            let answer = self.clients[server].post(&path, &[("idempotency-key", &key)], body).await;
            if answer.status != 503 {
                return answer;
            }
        }
    }

    /// Notes an order that was placed, and its tickets if it has them already.
    async fn placed(&self, model: &mut Model, lines: Vec<(usize, i64)>, id: &str, held_until: Option<Stamp>) {
        let status = if held_until.is_some() { "pending" } else { "approved" };
        model.orders.push(ModelOrder { id: id.to_owned(), status, lines, held_until });
        if status == "approved" {
            self.issued(model, model.orders.len() - 1).await;
        }
    }

    /// Notes the tickets of an order that was just approved: as many as it says.
    async fn issued(&self, model: &mut Model, order: usize) {
        let sql = format!(
            "SELECT id, ticket_type_id, coalesce(bundle_unit, '') FROM tickets WHERE order_id = '{}' ORDER BY seq, id",
            model.orders[order].id
        );
        let rows = self.world.raw().await.rows(&sql).await;
        for row in &rows {
            model.tickets.push(ModelTicket {
                id: row[0].clone(),
                item: ITEMS.iter().position(|item| *item == row[1]).unwrap(),
                order: Some(order),
                unit: Some(row[2].clone()).filter(|unit| !unit.is_empty()),
                is_live: true,
                is_hidden: false,
            });
        }
        for (item, id) in ITEMS.iter().enumerate().take(BUNDLE) {
            let parts = model.orders[order].lines.iter().flat_map(|(line, units)| {
                singles(*line).into_iter().filter(|(one, _)| *one == item).map(move |(_, each)| each * units)
            });
            let issued = rows.iter().filter(|row| row[1] == **id).count() as i64;
            assert_eq!(issued, parts.sum::<i64>(), "{id}");
        }
    }

    async fn run(&self, model: &mut Model, step: &Step) {
        let (store, tenant, now) = (&self.world.store, self.producer.tenant, self.world.now());
        let by = By::command_line("tester", now);
        let order_at = |order: usize, model: &Model| order.checked_rem(model.orders.len());
        let ticket_at = |ticket: usize, model: &Model| ticket.checked_rem(model.tickets.len());
        let (expected, got): (Outcome, Result<(), String>) = match step.clone() {
            Step::Place { server, item, quantity, other } => {
                let mut lines = vec![(item, quantity)];
                lines.extend(other.filter(|other| *other != item).map(|other| (other, 1)));
                let expected = model.has_room(&lines, false);
                let answer = self.send(server, &Self::body(&lines)).await;
                if answer.status == 201 {
                    self.note(model, lines, &answer.json()).await;
                    (expected, Ok(()))
                } else {
                    (expected, Err(answer.problem().1))
                }
            }
            Step::Burst { item, buyers } => {
                let body = Self::body(&[(item, 1)]);
                let answers = join_all((0..buyers).map(|number| self.send(number % 2, &body))).await;
                for answer in answers.iter().filter(|answer| answer.status == 201) {
                    assert_eq!(model.has_room(&[(item, 1)], false), Ok(()), "{step:?}");
                    self.note(model, vec![(item, 1)], &answer.json()).await;
                }
                // Whoever was refused came after the last who was not.
                let refused = answers.iter().find(|answer| answer.status != 201);
                let Some(refused) = refused else { return };
                (model.has_room(&[(item, 1)], false), Err(refused.problem().1))
            }
            Step::Staff { item, quantity, past_holds } => {
                let expected = model.has_room(&[(item, quantity)], past_holds);
                let wanted = ItemRequest {
                    ticket_type_id: ITEMS[item].into(),
                    quantity,
                    unit_price: None,
                    attendees: vec![],
                    access_code: None,
                };
                let buyer = Person { name: "Ana".into(), ..Person::default() };
                let request = OrderRequest::new("ev".into(), buyer, vec![wanted], Channel::Staff);
                let request = OrderRequest { past_holds: past(past_holds), ..request };
                let got = code(boxoffice::place(store, tenant, &request, None, now).await);
                if let Ok(Placed::New(placed)) = &got {
                    self.placed(model, vec![(item, quantity)], &placed.order.id, placed.order.held_until).await;
                }
                (expected, got.map(drop))
            }
            Step::Approve { order, past_holds } => {
                let Some(order) = order_at(order, model) else { return };
                let expected = model.approve(order, past_holds);
                let id = model.orders[order].id.clone();
                let got = code(boxoffice::approve(store, tenant, &id, past(past_holds), now).await);
                if got.is_ok() {
                    model.orders[order].status = "approved";
                    self.issued(model, order).await;
                }
                (expected, got.map(drop))
            }
            Step::Reject(order) => {
                let Some(order) = order_at(order, model) else { return };
                let known = &mut model.orders[order];
                let expected = if known.status == "pending" { Ok(()) } else { Err("order_not_pending") };
                if expected.is_ok() {
                    known.status = "rejected";
                }
                (expected, code(boxoffice::reject(store, tenant, &known.id.clone(), now).await).map(drop))
            }
            Step::Refund(order) => {
                let Some(order) = order_at(order, model) else { return };
                let id = model.orders[order].id.clone();
                let is_approved = model.orders[order].status == "approved";
                if is_approved {
                    model.orders[order].status = "refunded";
                    let own = model.tickets.iter_mut().filter(|ticket| ticket.order == Some(order));
                    own.for_each(|ticket| ticket.is_live = false);
                }
                let expected = if is_approved { Ok(()) } else { Err("order_not_approved") };
                (expected, code(boxoffice::refund(store, tenant, &id, now).await).map(drop))
            }
            Step::RefundTicket(ticket) => {
                let Some(ticket) = ticket_at(ticket, model) else { return };
                let chosen = model.tickets[ticket].clone();
                let Some(order) = chosen.order.filter(|_| chosen.is_live) else { return };
                for ticket in &mut model.tickets {
                    let is_same_unit = chosen.unit.is_some() && ticket.unit == chosen.unit;
                    ticket.is_live &= ticket.id != chosen.id && !is_same_unit;
                }
                if !model.tickets.iter().any(|ticket| ticket.order == Some(order) && ticket.is_live) {
                    model.orders[order].status = "refunded";
                }
                let id = &model.orders[order].id;
                (Ok(()), code(boxoffice::refund_tickets(store, tenant, id, vec![chosen.id], now).await).map(drop))
            }
            Step::Cancel(ticket) => {
                let Some(ticket) = ticket_at(ticket, model).filter(|at| model.tickets[*at].is_live) else { return };
                let chosen = &mut model.tickets[ticket];
                chosen.is_live = false;
                (Ok(()), code(boxoffice::cancel(store, tenant, &chosen.id, now).await))
            }
            Step::Hide(ticket) => {
                let Some(ticket) = ticket_at(ticket, model) else { return };
                let chosen = &mut model.tickets[ticket];
                chosen.is_hidden = true;
                (Ok(()), code(boxoffice::hide(store, tenant, &chosen.id, now).await))
            }
            Step::Transfer(ticket) => {
                let Some(ticket) = ticket_at(ticket, model).filter(|at| model.tickets[*at].is_live) else { return };
                let to = Person { name: "Bea".into(), ..Person::default() };
                let new = code(boxoffice::transfer(store, tenant, &model.tickets[ticket].id, &to, now).await);
                let new = ModelTicket { id: new.unwrap(), ..model.tickets[ticket].clone() };
                model.tickets[ticket].is_live = false;
                model.tickets.push(new);
                return;
            }
            Step::Import { item, tickets } => {
                let ids: Vec<String> = (0..tickets).map(|_| format!("I{:x}", rand::random::<u64>())).collect();
                let lines: Vec<Value> = ids.iter().map(|id| ticket(id, "ev", ITEMS[item])).collect();
                let expected = model.has_room(&[(item, tickets as i64)], true).map_err(|_| "line");
                let got = match self.world.try_import(tenant, &lines).await {
                    Ok(_) => Ok(()),
                    Err(ImportError::Line(fault)) => {
                        assert!(fault.line == 1 && fault.message.contains("more than its limit"), "{fault:?}");
                        Err("line".to_owned())
                    }
                    Err(error) => panic!("{error}"),
                };
                if got.is_ok() {
                    model.tickets.extend(ids.into_iter().map(|id| ModelTicket {
                        id,
                        item,
                        order: None,
                        unit: None,
                        is_live: true,
                        is_hidden: false,
                    }));
                }
                (expected, got)
            }
            Step::Share { pool, limit, members, past_holds } => {
                let wanted = ModelPool { limit, members };
                let expected = model.share(&wanted, model.pools[pool].as_ref(), past_holds);
                let items: Vec<String> = wanted.members.iter().map(|member| ITEMS[*member].to_owned()).collect();
                let (name, limit) = (Name::parse(POOLS[pool]).unwrap(), Count::at_least(0, limit).unwrap());
                let id = POOLS[pool].to_owned();
                let got = if model.pools[pool].is_some() {
                    let change = PoolChange { name: None, limit: Some(limit), items: Some(items) };
                    change_pool(store, tenant, &id, &change, past(past_holds), None, &by).await
                } else {
                    let new = NewPool { id, event_id: "ev".into(), name, limit, items };
                    create_pool(store, tenant, &new, past(past_holds), &by).await
                };
                if expected.is_ok() {
                    model.pools[pool] = Some(wanted);
                }
                (expected, code(got))
            }
            Step::End(pool) => {
                let expected = if model.pools[pool].take().is_some() { Ok(()) } else { Err("not_found") };
                (expected, code(end_pool(store, tenant, POOLS[pool], &by).await).map(drop))
            }
            Step::Pass { seconds } => {
                self.world.step(Duration::from_secs(seconds));
                model.now = self.world.now();
                return;
            }
        };
        assert_eq!(got, expected.map_err(str::to_owned), "{step:?}");
    }

    async fn note(&self, model: &mut Model, lines: Vec<(usize, i64)>, placed: &Value) {
        let until = placed["held_until"].as_str().map(|until| Stamp::parse(until).unwrap());
        self.placed(model, lines, placed["order"]["id"].as_str().unwrap(), until).await;
    }

    async fn compare(&self, model: &Model) {
        let types = self.clients[0].get("/api/v1/events/ev/ticket-types", &self.producer.key).await.data();
        let shop = self.clients[1].send(Method::GET, &format!("/shop/v1/{}/events/ev", self.id), &[]).await.json();
        for (item, id) in ITEMS.iter().enumerate() {
            let find = |list: &[Value]| list.iter().find(|shown| shown["id"] == **id).unwrap().clone();
            let (shown, offered) = (find(&types), find(shop["items"].as_array().unwrap()));
            assert_eq!(shown["sold"], model.sold(item), "{id}");
            assert!(LIMITS[item].is_none_or(|limit| model.sold(item) <= limit), "{id}");
            let (status, is_held) = match model.has_room(&[(item, 1)], false) {
                Ok(()) => ("active", false),
                Err("held") => ("active", true),
                Err(_) => ("sold_out", false),
            };
            assert_eq!(
                (offered["status"].as_str().unwrap(), !offered["held_until"].is_null()),
                (status, is_held),
                "{id}"
            );
        }
        let mut conn = self.world.store.read().await.unwrap();
        let kept = pools::of_event(&mut conn, self.producer.tenant, "ev").await.unwrap();
        let kept: Vec<(&str, i64, i64, i64)> = (kept.iter())
            .map(|pool| (pool.name.as_str(), pool.places.limit, pool.places.taken, pool.places.held))
            .collect();
        let expected: Vec<(&str, i64, i64, i64)> = (POOLS.into_iter().zip(&model.pools))
            .filter_map(|(id, pool)| Some((id, pool.as_ref()?)))
            .map(|(id, pool)| (id, pool.limit, model.taken(pool), model.held_of(pool)))
            .collect();
        assert_eq!(kept, expected);
        assert!(expected.iter().all(|(_, limit, taken, _)| taken <= limit), "{expected:?}");
    }
}

fn agree(engine: Engine) {
    harness::run_blocking(engine, |world, runtime| {
        let (_first, here) = runtime.block_on(world.another_server(without_shop_limits()));
        let (_second, there) = runtime.block_on(world.another_server(without_shop_limits()));
        let clients = [here, there];
        harness::runner(file!(), 6, 40)
            .run(&prop::collection::vec(step(), 35..60), |steps| {
                runtime.block_on(async {
                    let case = Case::open(&world, &clients).await;
                    let mut model = Model { now: world.now(), orders: vec![], tickets: vec![], pools: [None, None] };
                    for step in &steps {
                        case.run(&mut model, step).await;
                        case.compare(&model).await;
                    }
                    assert_eq!(world.findings().await, []);
                });
                Ok(())
            })
            .unwrap();
    });
}

#[test]
fn items_and_pools_agree_with_the_model_on_sqlite() {
    agree(Engine::Sqlite);
}

#[test]
fn items_and_pools_agree_with_the_model_on_postgres() {
    agree(Engine::Postgres);
}
