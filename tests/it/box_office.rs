//! The box office against a simple model: after each random move the API must agree with the model. Staff sell past holds
//! here; the model of holds is in holds_model.rs.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;
use serde_json::{Value, json};
use taquilla_domain::{audit::By, count::Count, person::Person, status::TypeStatus, stock::Channel};
use taquilla_rules::{
    admin::catalogue::{TicketTypeChange, change_ticket_type},
    boxoffice::{self, ItemRequest, OrderRequest, PastHolds, Placed},
};
use taquilla_store::{ChangeError, ChangeResult};

use crate::harness::{self, Engine, Producer, World, cart, event, pay, place, ticket_type, with};

const ITEMS: [&str; 3] = ["tt_entry", "tt_free", "bu"];

#[derive(Clone, Debug)]
enum Step {
    Place { item: usize, quantity: i64, other: Option<usize> },
    Approve(usize),
    Reject(usize),
    Refund(usize),
    Cancel(usize),
    Transfer(usize),
    Scan(usize),
    Hide(usize),
    Limit { item: usize, limit: Option<i64> },
    Status { item: usize, status: TypeStatus },
}

fn step() -> impl Strategy<Value = Step> {
    let any_index = || 0..40_usize;
    prop_oneof![
        6 => (0..3_usize, 1..4_i64, prop::option::weighted(0.3, 0..3_usize)).prop_map(|(item, quantity, other)| Step::Place { item, quantity, other }),
        6 => any_index().prop_map(Step::Approve),
        1 => any_index().prop_map(Step::Reject),
        2 => any_index().prop_map(Step::Refund),
        3 => any_index().prop_map(Step::Cancel),
        3 => any_index().prop_map(Step::Transfer),
        3 => any_index().prop_map(Step::Scan),
        1 => any_index().prop_map(Step::Hide),
        1 => (0..3_usize, prop::option::of(0..12_i64)).prop_map(|(item, limit)| Step::Limit { item, limit }),
        1 => (0..3_usize, prop::sample::select(TypeStatus::ALL)).prop_map(|(item, status)| Step::Status { item, status }),
    ]
}

#[derive(Clone, Debug)]
struct ModelOrder {
    id: String,
    status: &'static str,
    lines: Vec<(usize, i64)>,
}

#[derive(Clone, Debug)]
struct ModelTicket {
    id: String,
    order: usize,
    kind: &'static str,
    /// The order's line and the unit of the bundle that the ticket came out of.
    unit: Option<(usize, i64)>,
    status: &'static str,
    cancelled: bool,
    hidden: bool,
}

#[derive(Debug)]
struct Model {
    limits: [Option<i64>; 3],
    statuses: [TypeStatus; 3],
    orders: Vec<ModelOrder>,
    tickets: Vec<ModelTicket>,
}

impl Model {
    fn live(ticket: &&ModelTicket) -> bool {
        !ticket.hidden && ["valid", "scanned"].contains(&ticket.status)
    }

    fn sold(&self, item: usize) -> i64 {
        let live = self.tickets.iter().filter(Self::live);
        if item == 2 {
            live.filter_map(|ticket| ticket.unit.map(|unit| (ticket.order, unit))).collect::<HashSet<_>>().len() as i64
        } else {
            live.filter(|ticket| ticket.unit.is_none() && ticket.kind == ITEMS[item]).count() as i64
        }
    }

    fn has_left(&self, item: usize, quantity: i64) -> bool {
        self.limits[item].is_none_or(|limit| self.sold(item) + quantity <= limit)
    }

    /// Staff may sell everything except what is sold out or inactive.
    fn may_sell(&self, item: usize, quantity: i64) -> Result<(), &'static str> {
        match self.statuses[item] {
            TypeStatus::SoldOut => Err("sold_out"),
            TypeStatus::Inactive => Err("not_on_sale"),
            _ if quantity > 2 => Err("too_many"),
            _ if !self.has_left(item, quantity) => Err("sold_out"),
            _ => Ok(()),
        }
    }

    fn approve(&mut self, order: usize) -> Result<(), &'static str> {
        let lines = self.orders[order].lines.clone();
        if lines.iter().any(|(item, quantity)| !self.has_left(*item, *quantity)) {
            return Err("sold_out");
        }
        self.orders[order].status = "approved";
        for (line, (item, quantity)) in lines.iter().enumerate() {
            for unit in 0..*quantity {
                let kinds: &[&'static str] =
                    if *item == 2 { &["tt_entry", "tt_free", "tt_free"] } else { &ITEMS[*item..=*item] };
                for kind in kinds {
                    let unit = (*item == 2).then_some((line, unit));
                    self.tickets.push(ModelTicket {
                        id: String::new(),
                        order,
                        kind,
                        unit,
                        status: "valid",
                        cancelled: false,
                        hidden: false,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Runs a step on the service and on the model, and compares the results.
async fn run(world: &World, producer: &Producer, model: &mut Model, step: &Step) {
    let (store, tenant, now) = (&world.store, producer.tenant, world.now());
    let nobody = Person { name: "Somebody else".into(), ..Person::default() };
    let (expected, got): (Result<(), &str>, ChangeResult<()>) = match step {
        Step::Place { item, quantity, other } => {
            let mut lines = vec![(*item, *quantity)];
            lines.extend(other.filter(|other| other != item).map(|other| (other, 1)));
            let expected = lines.iter().try_for_each(|(item, quantity)| model.may_sell(*item, *quantity));
            let items = lines
                .iter()
                .map(|(item, quantity)| ItemRequest {
                    ticket_type_id: ITEMS[*item].into(),
                    quantity: *quantity,
                    unit_price: None,
                    attendees: vec![],
                    access_code: None,
                })
                .collect();
            let buyer = Person { name: "Ana".into(), ..Person::default() };
            let request = OrderRequest::new("ev".into(), buyer, items, Channel::Staff);
            let request = OrderRequest { past_holds: PastHolds::Yes, ..request };
            let got = boxoffice::place(store, tenant, &request, None, now).await.map(|placed| {
                let Placed::New(placed) = placed else { panic!() };
                let free = lines.iter().all(|(item, _)| *item == 1);
                model.orders.push(ModelOrder { id: placed.order.id.clone(), status: "pending", lines: lines.clone() });
                if free {
                    model.approve(model.orders.len() - 1).unwrap();
                }
                assert_eq!(placed.order.status.as_str(), model.orders.last().unwrap().status);
            });
            (expected, got)
        }
        Step::Approve(at) | Step::Reject(at) | Step::Refund(at) => {
            if model.orders.is_empty() {
                return;
            }
            let at = at % model.orders.len();
            let (id, status) = (model.orders[at].id.clone(), model.orders[at].status);
            match step {
                Step::Approve(_) => {
                    let expected = if status == "pending" { model.approve(at) } else { Err("order_not_pending") };
                    (expected, boxoffice::approve(store, tenant, &id, PastHolds::Yes, now).await.map(|_| ()))
                }
                Step::Reject(_) => {
                    let expected = if status == "pending" {
                        model.orders[at].status = "rejected";
                        Ok(())
                    } else {
                        Err("order_not_pending")
                    };
                    (expected, boxoffice::reject(store, tenant, &id, now).await.map(|_| ()))
                }
                _ => {
                    let expected = if status == "approved" {
                        model.orders[at].status = "refunded";
                        for ticket in model
                            .tickets
                            .iter_mut()
                            .filter(|ticket| ticket.order == at && ticket.status != "transferred")
                        {
                            ticket.status = "refunded";
                        }
                        Ok(())
                    } else {
                        Err("order_not_approved")
                    };
                    (expected, boxoffice::refund(store, tenant, &id, now).await.map(|_| ()))
                }
            }
        }
        Step::Cancel(at) | Step::Transfer(at) | Step::Scan(at) | Step::Hide(at) => {
            if model.tickets.is_empty() {
                return;
            }
            let at = at % model.tickets.len();
            let id = model.tickets[at].id.clone();
            let refused = match model.tickets[at].status {
                "valid" => None,
                "scanned" => Some("ticket_scanned"),
                "transferred" => Some("ticket_transferred"),
                "cancelled" => Some("ticket_cancelled"),
                _ => Some("ticket_refunded"),
            };
            match step {
                Step::Cancel(_) => {
                    let expected = match refused {
                        None | Some("ticket_scanned") => {
                            model.tickets[at].status = "cancelled";
                            model.tickets[at].cancelled = true;
                            Ok(())
                        }
                        Some(code) => Err(code),
                    };
                    (expected, boxoffice::cancel(store, tenant, &id, now).await)
                }
                Step::Scan(_) => {
                    let expected = refused.map_or_else(
                        || {
                            model.tickets[at].status = "scanned";
                            Ok(())
                        },
                        Err,
                    );
                    (expected, boxoffice::scan(store, tenant, &id, "Gate", now).await)
                }
                Step::Hide(_) => {
                    model.tickets[at].hidden = true;
                    (Ok(()), boxoffice::hide(store, tenant, &id, now).await)
                }
                _ => {
                    let got = boxoffice::transfer(store, tenant, &id, &nobody, now).await;
                    let expected = refused.map_or_else(
                        || {
                            let new = ModelTicket {
                                id: got.as_ref().unwrap().clone(),
                                status: "valid",
                                ..model.tickets[at].clone()
                            };
                            model.tickets[at].status = "transferred";
                            model.tickets.push(new);
                            Ok(())
                        },
                        Err,
                    );
                    (expected, got.map(|_| ()))
                }
            }
        }
        Step::Limit { item, limit } => {
            let expected = if limit.is_some_and(|limit| limit < model.sold(*item)) {
                Err("limit_below_sold")
            } else {
                model.limits[*item] = *limit;
                Ok(())
            };
            let change = TicketTypeChange {
                limit: Some(limit.map(|limit| Count::at_least(0, limit).unwrap())),
                past_holds: PastHolds::Yes,
                ..TicketTypeChange::default()
            };
            (
                expected,
                change_ticket_type(store, tenant, ITEMS[*item], &change, None, &By::command_line("tester", now))
                    .await
                    .map(|_| ()),
            )
        }
        Step::Status { item, status } => {
            model.statuses[*item] = *status;
            let change = TicketTypeChange { status: Some(*status), ..TicketTypeChange::default() };
            (
                Ok(()),
                change_ticket_type(store, tenant, ITEMS[*item], &change, None, &By::command_line("tester", now))
                    .await
                    .map(|_| ()),
            )
        }
    };
    let got = match got {
        Ok(()) => Ok(()),
        Err(ChangeError::Refused(refusal)) => Err(refusal.code()),
        Err(other) => panic!("{other:?}"),
    };
    assert_eq!(got, expected, "{step:?}");
}

/// Fills in the ids of new tickets, which the model does not know: they are in the order of their issue.
async fn learn_ids(world: &World, producer: &Producer, model: &mut Model) {
    for order in 0..model.orders.len() {
        let unnamed: Vec<usize> = (0..model.tickets.len())
            .filter(|at| model.tickets[*at].order == order && model.tickets[*at].id.is_empty())
            .collect();
        if !unnamed.is_empty() {
            let mut ids = world
                .client
                .get(&format!("/api/v1/tickets?limit=200&order_id={}", model.orders[order].id), &producer.key)
                .await
                .ids();
            ids.reverse();
            assert_eq!(ids.len(), unnamed.len(), "one ticket for each unit");
            for (at, id) in unnamed.into_iter().zip(ids) {
                model.tickets[at].id = id;
            }
        }
    }
}

async fn compare(world: &World, producer: &Producer, model: &Model) {
    let types = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    for (item, id) in ITEMS.iter().enumerate() {
        let shown = types.iter().find(|shown| shown["id"] == **id).unwrap();
        let sold = model.sold(item);
        assert_eq!(shown["sold"], sold, "{id}");
        assert_eq!(shown["available"], model.limits[item].map_or(Value::Null, |limit| (limit - sold).into()), "{id}");
        let full = model.limits[item].is_some_and(|limit| sold >= limit);
        let status =
            if model.statuses[item] == TypeStatus::Active && full { "sold_out" } else { model.statuses[item].as_str() };
        assert_eq!(shown["status"], status, "{id}");
    }
    let listed: BTreeMap<String, (String, String, bool)> = world
        .client
        .get("/api/v1/tickets?limit=200", &producer.key)
        .await
        .data()
        .into_iter()
        .map(|ticket| {
            (
                ticket["id"].as_str().unwrap().to_owned(),
                (
                    ticket["status"].as_str().unwrap().to_owned(),
                    ticket["ticket_type"]["id"].as_str().unwrap().to_owned(),
                    ticket["from_bundle"].as_bool().unwrap(),
                ),
            )
        })
        .collect();
    let expected = model
        .tickets
        .iter()
        .filter(|ticket| !ticket.hidden)
        .map(|ticket| (ticket.id.clone(), (ticket.status.to_owned(), ticket.kind.to_owned(), ticket.unit.is_some())))
        .collect();
    assert_eq!(listed, expected);
    let orders: BTreeMap<String, String> = world
        .client
        .get("/api/v1/orders?limit=200", &producer.key)
        .await
        .data()
        .into_iter()
        .map(|order| (order["id"].as_str().unwrap().to_owned(), order["status"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(orders, model.orders.iter().map(|order| (order.id.clone(), order.status.to_owned())).collect());
}

fn model_based(engine: Engine) {
    harness::run_blocking(engine, |world, runtime| {
        harness::runner(file!(), 8, 40)
            .run(&prop::collection::vec(step(), 30..45), |steps| {
                runtime.block_on(async {
                    let producer = world.producer(&format!("pr_{:x}", rand::random::<u64>())).await;
                    let lines = [
                        event("ev"),
                        with(ticket_type("tt_entry", "ev"), json!({"limit": 6, "max_per_order": 2})),
                        with(ticket_type("tt_free", "ev"), json!({"price": 0, "max_per_order": 2})),
                        json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 30, "currency": "EUR", "limit": 3, "max_per_order": 2,
                            "includes": [{"ticket_type_id": "tt_entry", "quantity": 1}, {"ticket_type_id": "tt_free", "quantity": 2}]}),
                    ];
                    world.import(producer.tenant, &lines).await;
                    let mut model = Model { limits: [Some(6), None, Some(3)], statuses: [TypeStatus::Active; 3], orders: vec![], tickets: vec![] };
                    for step in &steps {
                        run(&world, &producer, &mut model, step).await;
                        learn_ids(&world, &producer, &mut model).await;
                        compare(&world, &producer, &model).await;
                    }
                    assert_eq!(world.findings().await, []);
                });
                Ok(())
            })
            .unwrap();
    });
}

#[test]
fn random_moves_agree_with_the_model_on_sqlite() {
    model_based(Engine::Sqlite);
}

#[test]
fn random_moves_agree_with_the_model_on_postgres() {
    model_based(Engine::Postgres);
}

both_engines![each_move_leaves_its_messages_in_the_outbox, check_says_what_is_wrong_where,];

async fn each_move_leaves_its_messages_in_the_outbox(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let (store, tenant, now) = (&world.store, producer.tenant, world.now());
    let ana = Person { name: "Ana".into(), email: "ana@example.com".into(), ..Person::default() };
    let item = ItemRequest {
        ticket_type_id: "tt".into(),
        quantity: 3,
        unit_price: Some(20),
        attendees: vec![Person { name: "Bea".into(), ..Person::default() }],
        access_code: None,
    };
    let request = OrderRequest::new("ev".into(), ana.clone(), vec![item], Channel::Staff);
    let mut orders = Vec::new();
    for _ in 0..2 {
        let Placed::New(placed) = boxoffice::place(store, tenant, &request, None, now).await.unwrap() else { panic!() };
        orders.push(placed.order.id);
    }
    boxoffice::reject(store, tenant, &orders[1], now).await.unwrap();
    boxoffice::approve(store, tenant, &orders[0], PastHolds::No, now).await.unwrap();
    let tickets = world.client.get("/api/v1/tickets", &producer.key).await.data();
    let names: Vec<&str> = tickets.iter().map(|ticket| ticket["attendee"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ana", "Ana", "Bea"], "the others are for the buyer");
    let ids: Vec<&str> = tickets.iter().map(|ticket| ticket["id"].as_str().unwrap()).collect();
    boxoffice::scan(store, tenant, ids[0], "Gate", now).await.unwrap();
    boxoffice::cancel(store, tenant, ids[1], now).await.unwrap();
    let taken = boxoffice::transfer(store, tenant, ids[2], &ana, now).await.unwrap();
    boxoffice::refund(store, tenant, &orders[0], now).await.unwrap();
    let order = world.client.get(&format!("/api/v1/orders/{}", orders[0]), &producer.key).await.json();
    assert_eq!(
        (&order["total"], &order["items"][0]["list_price"], &order["items"][0]["unit_price"]),
        (&json!(60), &json!(25), &json!(20))
    );

    let rows = world.raw().await.rows("SELECT kind, data, occurred_at FROM outbox ORDER BY seq").await;
    let events: Vec<(String, Value, i64)> = rows
        .iter()
        .map(|row| (row[0].clone(), serde_json::from_str(&row[1]).unwrap(), row[2].parse().unwrap()))
        .collect();
    let kinds: Vec<&str> = events.iter().map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(
        kinds,
        [
            "event.updated",
            "ticket_type.updated",
            "order.created",
            "order.created",
            "order.rejected",
            "order.approved",
            "ticket.issued",
            "ticket.issued",
            "ticket.issued",
            "ticket.scanned",
            "ticket.cancelled",
            "ticket.transferred",
            "ticket.issued",
            "order.refunded",
            "ticket.refunded",
            "ticket.refunded",
            "ticket.refunded",
        ]
    );
    assert!(events.windows(2).all(|pair| pair[0].2 <= pair[1].2), "in the order of the clock");
    assert_eq!(events[9].1["status"], "scanned");
    assert_eq!(events[11].1["transferred_to_ticket_id"], taken.as_str());
    let current = world.client.get(&format!("/api/v1/tickets/{taken}"), &producer.key).await.json();
    assert!(events[14..].iter().any(|(_, data, _)| *data == current), "an event shows its resource as the API does");
}

async fn check_says_what_is_wrong_where(world: World) {
    let producer = world.producer("pr_a").await;
    let passed = with(
        crate::harness::ticket("C", "ev", "tt"),
        json!({"transferred_at": "2026-10-02", "transferred_to_ticket_id": "D"}),
    );
    world
        .import(
            producer.tenant,
            &[
                event("ev"),
                with(ticket_type("tt", "ev"), json!({"limit": 10})),
                crate::harness::ticket("A", "ev", "tt"),
                crate::harness::ticket("B", "ev", "tt"),
                passed,
                with(
                    crate::harness::ticket("D", "ev", "tt"),
                    json!({"checked_in_at": "2026-10-31T22:00:00Z", "checked_in_by": "Gate 1"}),
                ),
            ],
        )
        .await;
    // One order is held, and another one is paid.
    let secret = world.connect_processor(&producer).await;
    place(&world, "held", &cart("tt", 1)).await;
    let paid = place(&world, "paid", &cart("tt", 1)).await.json();
    let notice = json!({"payment_id": "pay_1", "reference": paid["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
    assert_eq!(pay(&world, &notice, &secret, 0).await.status, 200);
    assert_eq!(world.findings().await, []);
    let raw = world.raw().await;
    let breaks = [
        (
            "UPDATE tickets SET status = 'scanned' WHERE id = 'A'",
            "UPDATE tickets SET status = 'valid' WHERE id = 'A'",
            "its status is scanned, but the facts make it valid",
        ),
        ("UPDATE ticket_types SET sold = 2", "UPDATE ticket_types SET sold = 4", "2 count as sold, but 4 are live"),
        (
            "UPDATE station_entries SET entered = 2",
            "UPDATE station_entries SET entered = 1",
            "entered: 2 at Gate 1 by the counts, but 1 by the tickets",
        ),
        (
            "UPDATE station_entries SET station = 'Gate 3'",
            "UPDATE station_entries SET station = 'Gate 1'",
            "entered: 0 at Gate 1 by the counts, but 1 by the tickets",
        ),
        (
            "UPDATE entries SET entered = 2",
            "UPDATE entries SET entered = 1",
            "entered in one minute: 2 by the counts, but 1 by the tickets",
        ),
        (
            "UPDATE entries SET minute = minute + 60000000",
            "UPDATE entries SET minute = minute - 60000000",
            "entered in one minute: 0 by the counts, but 1 by the tickets",
        ),
        (
            "INSERT INTO scans (producer_id, scan_id, seq, door_link_id, station, code_hash, outcome, accepted_at, answer) VALUES (1, 's', 1, 'dl_1', 'Gate', '', 'unknown', 0, '{}')",
            "DELETE FROM scans",
            "scans through it: 0 by the counts, but 1 in the log",
        ),
        (
            "UPDATE tickets SET transferred_to = 'E' WHERE id = 'C'",
            "UPDATE tickets SET transferred_to = 'D' WHERE id = 'C'",
            "it was passed on as E, which is not there or at another event",
        ),
        (
            "UPDATE tickets SET transferred_to = 'C' WHERE id = 'C'",
            "UPDATE tickets SET transferred_to = 'D' WHERE id = 'C'",
            "following its transfers leads back to it",
        ),
        (
            "UPDATE tickets SET event_id = 'ev_gone' WHERE id = 'B'",
            "UPDATE tickets SET event_id = 'ev' WHERE id = 'B'",
            "it belongs to an event, ticket type or order that is not there",
        ),
        (
            "INSERT INTO webhook_deliveries (producer_id, endpoint_id, sequence, message_seq, status, due_at, rung, attempts) VALUES (1, 'wh_1', 7, 1, 'pending', 0, 0, 0)",
            "DELETE FROM webhook_deliveries",
            "its message 7 is not there",
        ),
        (
            "UPDATE clocks SET clock = clock - 3600000000",
            "UPDATE clocks SET clock = clock + 3600000000",
            "its clock is behind a stamp it gave out",
        ),
        (
            "UPDATE clocks SET last_seq = 1",
            "UPDATE clocks SET last_seq = 9000000",
            "its counter is behind a seq it gave out",
        ),
        (
            "UPDATE held_stock SET quantity = 2",
            "UPDATE held_stock SET quantity = 1",
            "held until one moment: 2 by the sums, but 1 by the orders",
        ),
        (
            "UPDATE held_stock SET until = until + 1",
            "UPDATE held_stock SET until = until - 1",
            "held until one moment: 0 by the sums, but 1 by the orders",
        ),
        (
            "UPDATE orders SET held_until = 1 WHERE status = 'approved'",
            "UPDATE orders SET held_until = NULL WHERE status = 'approved'",
            "it is approved and holds stock all the same",
        ),
        (
            "UPDATE orders SET status = 'pending' WHERE payment_id = 'pay_1'",
            "UPDATE orders SET status = 'approved' WHERE payment_id = 'pay_1'",
            "the payment pay_1 has settled it, but it is pending",
        ),
    ];
    for (damage, repair, problem) in breaks {
        raw.batch(damage).await;
        let findings = world.findings().await;
        assert!(
            findings.iter().any(|finding| finding.problem.starts_with(problem) && finding.producer == "pr_a"),
            "{damage}: {findings:?}"
        );
        raw.batch(repair).await;
        assert_eq!(world.findings().await, [], "{repair}");
    }
}
