//! Coupons and surcharges against a plain model: whatever is ordered, paid, given up and refunded, on two servers, no coupon is
//! used more often than it may be, and every order costs what it should, to the unit.

use std::{collections::BTreeMap, time::Duration};

use rand::{
    RngExt, SeedableRng,
    rngs::StdRng,
    seq::{IndexedMutRandom, IndexedRandom},
};
use serde_json::json;
use taquilla_domain::{
    clock::Stamp,
    config::HOLD,
    count::Count,
    coupon::{CouponCode, NewCoupon},
    person::Person,
    pricing::{Per, Rate},
    stock::Channel,
    text::Name,
};
use taquilla_rules::{
    admin::{coupons, surcharges},
    boxoffice::{self, ItemRequest, OrderRequest, PastHolds, Placed, Stranger},
};
use taquilla_store::{ChangeError, Open, Store, sales::coupons as rows};

use crate::harness::{World, event, rounds, seed, ticket_type, with};

both_engines![random_orders_cost_what_they_should_and_coupons_are_never_oversold];

const ITEMS: [(&str, i64, bool); 4] = [("tt", 25, true), ("tt_beer", 7, false), ("tt_free", 0, true), ("bu", 41, true)];
const BUYERS: [&str; 3] = ["ana@x.example", "bea@x.example", "Ana@X.example"];

struct ModelCoupon {
    id: String,
    code: String,
    rate: Rate,
    item: Option<usize>,
    limit: Option<i64>,
    per_buyer: Option<i64>,
    is_ended: bool,
}

#[derive(PartialEq)]
enum Stands {
    Pending,
    Approved,
    Gone,
}

struct ModelOrder {
    id: String,
    stands: Stands,
    held_until: Option<Stamp>,
    coupon: Option<usize>,
    buyer: String,
    discount: i64,
    total: i64,
    /// What its tickets that work cost, by their ids.
    tickets: BTreeMap<String, i64>,
}

#[derive(Default)]
struct Model {
    coupons: Vec<ModelCoupon>,
    charges: Vec<(String, Rate, Per)>,
    orders: Vec<ModelOrder>,
}

impl Model {
    fn holds(order: &ModelOrder, now: Stamp) -> bool {
        order.stands == Stands::Pending && order.held_until.is_some_and(|until| until > now)
    }

    /// How many approved orders use a coupon, and how many others hold it: all, and those of a buyer.
    fn uses(&self, coupon: usize, buyer: &str, now: Stamp) -> [i64; 3] {
        let of = |wanted: &dyn Fn(&&ModelOrder) -> bool| {
            self.orders.iter().filter(|order| order.coupon == Some(coupon)).filter(wanted).count() as i64
        };
        let used = of(&|order| order.stands == Stands::Approved);
        let held = of(&|order| Self::holds(order, now));
        let counts = |order: &&ModelOrder| order.stands == Stands::Approved || Self::holds(order, now);
        [used, held, of(&|order| counts(order) && order.buyer.eq_ignore_ascii_case(buyer))]
    }

    fn is_free(&self, coupon: usize, buyer: &str, now: Stamp) -> bool {
        let ([used, held, own], known) = (self.uses(coupon, buyer, now), &self.coupons[coupon]);
        known.limit.is_none_or(|limit| used + held < limit) && known.per_buyer.is_none_or(|most| own < most)
    }

    /// What is taken off and what is added, by the rules as they are written down, without any apportioning.
    fn price(&self, cart: &[(usize, i64)], coupon: Option<usize>, is_shop: bool) -> (i64, i64) {
        let listed: i64 = cart.iter().map(|(item, quantity)| ITEMS[*item].1 * quantity).sum();
        let discount = coupon.map_or(0, |at| {
            let coupon = &self.coupons[at];
            let covered = cart.iter().filter(|(item, _)| coupon.item.is_none_or(|of| of == *item));
            let covered: i64 = covered.map(|(item, quantity)| ITEMS[*item].1 * quantity).sum();
            match coupon.rate {
                Rate::Percent(percent) => half_up(covered * percent),
                Rate::Amount(amount) => amount.min(covered),
            }
        });
        let left = listed - discount;
        let of_order = self.charges.iter().filter(|(_, _, per)| is_shop && *per == Per::Order);
        let surcharge = of_order.map(|(_, rate, _)| match rate {
            _ if left == 0 => 0,
            Rate::Percent(percent) => half_up(left * percent),
            Rate::Amount(amount) => *amount,
        });
        (discount, surcharge.sum())
    }
}

fn half_up(hundredths: i64) -> i64 {
    hundredths / 100 + i64::from(hundredths % 100 >= 50)
}

fn refusal(error: ChangeError) -> &'static str {
    match error {
        ChangeError::Refused(refusal) => refusal.code(),
        other => panic!("{other:?}"),
    }
}

async fn random_orders_cost_what_they_should_and_coupons_are_never_oversold(world: World) {
    let steps = rounds(220);
    let mut random = StdRng::seed_from_u64(seed());
    let producer = world.producer("pr_a").await;
    let inside = json!([{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}]);
    let lines = [
        event("ev"),
        ticket_type("tt", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"price": 7, "category": "merchandise"})),
        with(ticket_type("tt_free", "ev"), json!({"price": 0})),
        with(ticket_type("bu", "ev"), json!({"kind": "bundle", "price": 41, "includes": inside})),
    ];
    world.import(producer.tenant, &lines).await;
    let second = Store::open_with(
        &world.address,
        Open::Existing,
        taquilla_domain::config::PostgresTimeouts::default(),
        world.time(),
    );
    let stores = [world.store.clone(), second.await.unwrap()];
    let (tenant, mut model) = (producer.tenant, Model::default());
    for step in 0..steps {
        let store = stores.choose(&mut random).unwrap();
        match random.random_range(0..24) {
            // A long run would have more coupons than an event may have.
            0 | 1 if model.coupons.len() < 200 => {
                make_coupon(store, &world, tenant, &mut model, &mut random, step).await
            }
            2 => {
                let Some(coupon) = model.coupons.choose_mut(&mut random) else { continue };
                coupons::end(store, tenant, &coupon.id, &world.by()).await.unwrap();
                coupon.is_ended = true;
            }
            3 => {
                if model.charges.len() > 2 {
                    let (id, ..) = model.charges.remove(0);
                    surcharges::end(store, tenant, &id, &world.by()).await.unwrap();
                } else {
                    let (rate, per) = (any_rate(&mut random), *[Per::Order, Per::Ticket].choose(&mut random).unwrap());
                    let name = Name::parse("Fee").unwrap();
                    let made = surcharges::create(store, tenant, "ev", &name, (rate, per), &world.by()).await.unwrap();
                    model.charges.push((made.id, rate, per));
                }
            }
            4..13 => place(store, &world, tenant, &mut model, &mut random).await,
            13..17 => approve(store, &world, tenant, &mut model, &mut random).await,
            17 => {
                let pending = |order: &&mut ModelOrder| order.stands == Stands::Pending;
                let Some(order) = model.orders.iter_mut().rfind(pending) else { continue };
                boxoffice::reject(store, tenant, &order.id, world.now()).await.unwrap();
                order.stands = Stands::Gone;
            }
            18 | 19 => refund(store, &world, tenant, &mut model, &mut random).await,
            20 | 21 => refund_one(store, &world, tenant, &mut model, &mut random).await,
            _ => world.step(Duration::from_secs(random.random_range(1..2 * HOLD.as_secs()))),
        }
        agrees(&world, tenant, &model).await;
    }
    assert!(model.orders.len() > steps / 10 && model.orders.iter().any(|order| order.coupon.is_some()));
    assert_eq!(world.findings().await, []);
}

fn any_rate(random: &mut StdRng) -> Rate {
    match random.random_bool(0.5) {
        true => Rate::Percent(*[1, 5, 10, 33, 50, 99, 100].choose(random).unwrap()),
        false => Rate::Amount(random.random_range(1..60)),
    }
}

async fn make_coupon(
    store: &Store,
    world: &World,
    tenant: taquilla_store::Tenant,
    model: &mut Model,
    random: &mut StdRng,
    step: usize,
) {
    let (code, item) = (format!("Code {step}"), random.random_bool(0.4).then(|| random.random_range(0..ITEMS.len())));
    let mut most = || random.random_bool(0.7).then(|| random.random_range(1..4_i64));
    let (limit, per_buyer) = (most(), most());
    let rate = any_rate(random);
    let count = |most: Option<i64>| most.map(|most| Count::at_least(1, most).unwrap());
    let new = NewCoupon {
        event_id: "ev".into(),
        code: CouponCode::parse(&code).unwrap(),
        rate,
        items: item.iter().map(|item| ITEMS[*item].0.to_owned()).collect(),
        from: None,
        until: None,
        limit: count(limit),
        per_buyer: count(per_buyer),
    };
    let id = coupons::create(store, tenant, new, &world.by()).await.unwrap().id;
    model.coupons.push(ModelCoupon { id, code, rate, item, limit, per_buyer, is_ended: false });
}

async fn place(store: &Store, world: &World, tenant: taquilla_store::Tenant, model: &mut Model, random: &mut StdRng) {
    let mut cart: Vec<(usize, i64)> = (0..ITEMS.len()).map(|item| (item, random.random_range(0..4))).collect();
    cart.retain(|(_, quantity)| *quantity > 0);
    if cart.is_empty() {
        return;
    }
    let coupon =
        (!model.coupons.is_empty() && random.random_bool(0.8)).then(|| random.random_range(0..model.coupons.len()));
    let (is_shop, buyer) = (random.random_bool(0.7), (*BUYERS.choose(random).unwrap()).to_owned());
    let items = cart.iter().map(|(item, quantity)| ItemRequest {
        ticket_type_id: ITEMS[*item].0.into(),
        quantity: *quantity,
        unit_price: None,
        attendees: vec![],
        access_code: None,
    });
    let person = Person { name: "Ana".into(), email: buyer.clone(), ..Person::default() };
    let channel = if is_shop { Channel::Public } else { Channel::Staff };
    let stranger = Stranger { address: "192.0.2.1".into(), per_address: None, per_buyer: None };
    let request = OrderRequest {
        coupon: coupon.map(|at| format!(" {} ", model.coupons[at].code.to_uppercase())),
        stranger: is_shop.then_some(stranger),
        ..OrderRequest::new("ev".into(), person, items.collect(), channel)
    };
    let placed = boxoffice::place(store, tenant, &request, None, world.now()).await;
    let may = coupon.is_none_or(|at| {
        let known = &model.coupons[at];
        let is_for_some = cart.iter().any(|(item, _)| known.item.is_none_or(|of| of == *item));
        !known.is_ended && is_for_some && model.is_free(at, &buyer, world.now())
    });
    let order = match placed {
        Ok(Placed::New(placed)) => placed.order,
        Ok(Placed::Before(_)) => panic!("no key was sent"),
        Err(error) => {
            assert_eq!((refusal(error), may), ("coupon_refused", false));
            return;
        }
    };
    assert!(may, "{request:?}");
    let (discount, of_order) = model.price(&cart, coupon, is_shop);
    let listed: i64 = cart.iter().map(|(item, quantity)| ITEMS[*item].1 * quantity).sum();
    assert_eq!((order.discount, order.total), (discount, listed - discount + order.surcharge));
    if model.charges.iter().all(|(_, _, per)| *per == Per::Order) || !is_shop {
        assert_eq!(order.surcharge, of_order);
    } else {
        assert!(order.surcharge >= of_order);
    }
    let mut units: BTreeMap<&str, i64> = BTreeMap::new();
    for item in &order.items {
        assert!(
            item.unit_price >= 0 && item.quantity > 0 && item.unit_price * item.quantity == item.total,
            "{order:?}"
        );
        *units.entry(&item.ticket_type_id).or_default() += item.quantity;
    }
    assert_eq!(order.items.iter().map(|item| item.total).sum::<i64>(), order.total);
    assert!(cart.iter().all(|(item, quantity)| units[ITEMS[*item].0] == *quantity));
    let is_free = order.total == 0;
    model.orders.push(ModelOrder {
        stands: if is_free { Stands::Approved } else { Stands::Pending },
        tickets: if is_free { tickets(world, &order.id).await } else { BTreeMap::new() },
        id: order.id,
        held_until: order.held_until,
        coupon,
        buyer,
        discount,
        total: order.total,
    });
}

/// The tickets of an order, each with what its line says that it cost. Tickets of a bundle are known by the first of them.
async fn tickets(world: &World, order_id: &str) -> BTreeMap<String, i64> {
    let sql = format!(
        "SELECT min(t.id), i.unit_price FROM tickets t JOIN order_items i ON i.producer_id = t.producer_id \
         AND i.order_id = t.order_id AND i.position = t.order_item WHERE t.order_id = '{order_id}' \
         AND t.status = 'valid' GROUP BY coalesce(t.bundle_unit, t.id), i.unit_price"
    );
    let rows = world.raw().await.rows(&sql).await;
    rows.into_iter().map(|row| (row[0].clone(), row[1].parse().unwrap())).collect()
}

fn some(model: &Model, stands: &Stands, random: &mut StdRng) -> Option<usize> {
    let those: Vec<usize> = (0..model.orders.len()).filter(|at| model.orders[*at].stands == *stands).collect();
    those.choose(random).copied()
}

async fn approve(store: &Store, world: &World, tenant: taquilla_store::Tenant, model: &mut Model, random: &mut StdRng) {
    let Some(at) = some(model, &Stands::Pending, random) else { return };
    let now = world.now();
    let (coupon, buyer) = (model.orders[at].coupon, model.orders[at].buyer.clone());
    let may = Model::holds(&model.orders[at], now) || coupon.is_none_or(|coupon| model.is_free(coupon, &buyer, now));
    match boxoffice::approve(store, tenant, &model.orders[at].id, PastHolds::No, now).await {
        Ok(order) => {
            assert!(may, "{}", order.id);
            model.orders[at].tickets = tickets(world, &order.id).await;
            let cost: i64 = model.orders[at].tickets.values().sum();
            assert_eq!(cost, model.orders[at].total, "the tickets cost what was paid");
            model.orders[at].stands = Stands::Approved;
        }
        Err(error) => assert_eq!((refusal(error), may), ("coupon_refused", false)),
    }
}

async fn refund(store: &Store, world: &World, tenant: taquilla_store::Tenant, model: &mut Model, random: &mut StdRng) {
    let Some(at) = some(model, &Stands::Approved, random) else { return };
    boxoffice::refund(store, tenant, &model.orders[at].id, world.now()).await.unwrap();
    model.orders[at].stands = Stands::Gone;
    let owed = owed(world, &model.orders[at].id).await;
    assert_eq!(owed, model.orders[at].total, "all of it is paid back in the end");
}

async fn refund_one(
    store: &Store,
    world: &World,
    tenant: taquilla_store::Tenant,
    model: &mut Model,
    random: &mut StdRng,
) {
    let Some(at) = some(model, &Stands::Approved, random) else { return };
    let order = &mut model.orders[at];
    let Some((ticket, price)) = order.tickets.pop_first() else { return };
    let before = owed(world, &order.id).await;
    let (is_last, now) = (order.tickets.is_empty(), world.now());
    boxoffice::refund_tickets(store, tenant, &order.id, vec![ticket], now).await.unwrap();
    let after = owed(world, &order.id).await;
    if is_last {
        order.stands = Stands::Gone;
        assert_eq!(after, order.total);
    } else {
        assert_eq!(after - before, price, "a ticket's share is what it cost");
    }
}

async fn owed(world: &World, order_id: &str) -> i64 {
    let sql = format!("SELECT coalesce(CAST(sum(amount) AS BIGINT), 0) FROM pay_backs WHERE order_id = '{order_id}'");
    world.raw().await.rows(&sql).await[0][0].parse().unwrap()
}

/// Compares every coupon's counts with those of the model.
async fn agrees(world: &World, tenant: taquilla_store::Tenant, model: &Model) {
    let found = rows::of_event(&mut world.store.read().await.unwrap(), tenant, "ev", i64::MAX).await.unwrap();
    assert_eq!(found.len(), model.coupons.len());
    for coupon in found {
        let at = model.coupons.iter().position(|known| known.id == coupon.id).unwrap();
        let [used, held, _] = model.uses(at, "", world.now());
        let of = |order: &&ModelOrder| order.coupon == Some(at) && order.stands == Stands::Approved;
        let discount: i64 = model.orders.iter().filter(of).map(|order| order.discount).sum();
        assert_eq!([coupon.used, coupon.held, coupon.discount], [used, held, discount], "{}", coupon.code);
        assert!(coupon.limit.is_none_or(|limit| used + held <= limit), "{}", coupon.code);
    }
}
