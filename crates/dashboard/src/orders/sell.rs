//! Selling at the box office.

use std::collections::HashMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp,
    config::ID_MAX,
    coupon::folded,
    id,
    order::Order,
    pool,
    pricing::{self, Wanted},
    refusal::Refusal,
    status::{EventStatus, OrderStatus, PaymentMethod, TypeStatus},
    stock::Channel,
    ticket_type::TicketType,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go, refusals::refusal_text};
use taquilla_rules::boxoffice::{ItemRequest, OrderRequest, PastHolds, Placed, Request};
use taquilla_store::{
    ChangeError, Tenant,
    catalogue::{pools, ticket_types},
    sales::{coupons, holds, shifts},
};

use super::{
    named::NamedOrder,
    one::{base, find},
    till::{self, Totals},
};
use crate::{
    access::{Member, Sell, WRONG},
    chosen_event::{self, ChosenEvent},
    events::rows::free,
    frame::Frame,
    people::read_person,
};

/// Something to sell.
struct Item {
    name: String,
    field: String,
    price: i64,
    currency: String,
    /// How many are left that nobody holds; `None` is without limit.
    left: Option<i64>,
    is_for_team: bool,
    is_hidden: bool,
}

impl Item {
    /// What the total is made of.
    fn for_total(&self) -> (String, i64, &str) {
        (self.field.clone(), self.price, &self.currency)
    }
}

#[derive(Template)]
#[template(path = "sell.html")]
struct SellPage {
    f: Frame,
    form: Form,
    events: Vec<ChosenEvent>,
    event: String,
    items: Vec<Item>,
    key: String,
    methods: &'static [PaymentMethod],
    /// What the form's items cost; empty where it has none.
    total: String,
    /// How long the stock of an order is held that is paid later.
    held_for: String,
    /// Since when the member's shift lasts, if one is open.
    shift: Option<Stamp>,
}

/// The name of the field with an item's quantity.
fn field(item_id: &str) -> String {
    format!("quantity_{item_id}")
}

fn is_open(event: &ChosenEvent) -> bool {
    matches!(event.status, EventStatus::Published | EventStatus::Draft)
}

/// The event to sell for: the one that was chosen, else the next that is on sale.
fn chosen(events: &[ChosenEvent], asked: Option<&str>, now: Stamp) -> String {
    let next = || {
        let on_sale = events.iter().filter(|event| event.status == EventStatus::Published);
        on_sale.filter(|event| event.starts_at.is_some_and(|at| at > now)).min_by_key(|event| event.starts_at)
    };
    let asked = asked.and_then(|id| events.iter().find(|event| event.id == id));
    asked.or_else(next).or_else(|| events.first()).map(|event| event.id.clone()).unwrap_or_default()
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<Sell>,
    asked: Option<&str>,
    form: Form,
    totals: Option<Totals>,
) -> Result<Response, Error> {
    let (tenant, now) = (member.tenant(), app.time.now());
    let mut conn = app.store.read().await?;
    let mut events = chosen_event::choice(&mut conn, tenant, asked).await?;
    events.retain(is_open);
    let event = chosen(&events, asked, now);
    let mut types = ticket_types::of_event(&mut conn, tenant, &event, false).await?;
    types.retain(|item| item.status != TypeStatus::Inactive && item.expires_at.is_none_or(|expiry| now < expiry));
    let ids: Vec<&str> = types.iter().map(|item| item.id.as_str()).collect();
    let held = holds::held_now(&mut conn, tenant, &ids).await?;
    let pools = pools::of_event(&mut conn, tenant, &event).await?;
    let item = |item: TicketType| Item {
        field: field(&item.id),
        left: match item.status {
            TypeStatus::SoldOut => Some(0),
            _ => {
                let held = held.get(&item.id).map_or(0, |held| held.quantity);
                free(&item, held, pool::shared(&item, &pools))
            }
        },
        is_for_team: item.status == TypeStatus::Exclusive,
        is_hidden: item.status == TypeStatus::Hidden,
        name: item.name,
        price: item.price,
        currency: item.currency,
    };
    let items: Vec<Item> = types.into_iter().map(item).collect();
    let shift = shifts::open(&mut conn, tenant, &member.by().actor).await?.map(|shift| shift.begun_at);
    drop(conn);
    let total =
        till::shown(member.layout.t, &totals.unwrap_or_else(|| till::totals(&form, items.iter().map(Item::for_total))));
    // A form that is shown again keeps its key: nothing was sold with it.
    let given = form.value("key");
    let key = if given.is_empty() { id::new_ticket_id() } else { given.to_owned() };
    let held_for = till::held_for(member.layout.t, app.config.holds.lasts);
    let (f, methods) = (member.frame("orders"), PaymentMethod::ALL);
    page::show(status, &SellPage { f, form, events, event, items, key, methods, total, held_for, shift })
}

/// The form.
pub async fn get_sell(State(app): State<App>, member: Member<Sell>, query: Query) -> Result<Response, Error> {
    // The way to pay of the sale before, or the usual one.
    let method = query.get("method").and_then(PaymentMethod::parse).unwrap_or(PaymentMethod::Cash);
    let form = Form::filled(&[("pay", "now"), ("method", method.as_str())]);
    show(StatusCode::OK, &app, &member, query.get("event"), form, None).await
}

/// Reads how many of what are sold. What is wrong is said beside the items.
fn read_items(form: &mut Form, ids: &[String], is_free: bool, member: &Member<Sell>) -> Vec<ItemRequest> {
    let mut items = Vec::new();
    for id in ids {
        let text = form.value(&field(id)).trim();
        let quantity = if text.is_empty() { Ok(0) } else { text.parse::<i64>() };
        match quantity {
            Ok(0) => {}
            Ok(quantity) if quantity > 0 => items.push(ItemRequest {
                ticket_type_id: id.clone(),
                quantity,
                unit_price: is_free.then_some(0),
                attendees: Vec::new(),
                access_code: None,
            }),
            _ => {
                form.wrong("items", member.layout.t.text("sale-wrong-quantity"));
                return Vec::new();
            }
        }
    }
    if items.is_empty() {
        form.wrong("items", member.layout.t.text("sell-nothing"));
    }
    items
}

/// What a coupon takes off these items, and the currency; `None` if it cannot be used for any of them. Whether this buyer may use
/// it once more is decided with the sale.
async fn discount(
    app: &App,
    tenant: Tenant,
    event_id: &str,
    code: &str,
    items: &[ItemRequest],
    types: &[TicketType],
) -> Result<Option<(String, i64)>, Error> {
    let mut conn = app.store.read().await?;
    let meant = coupons::find_by_code(&mut conn, tenant, event_id, &folded(code)).await?;
    let Some(coupon) = meant.filter(|coupon| coupon.is_open(app.time.now())) else { return Ok(None) };
    let of = |asked: &ItemRequest| types.iter().find(|item| item.id == asked.ticket_type_id);
    let wanted = items.iter().filter_map(|asked| {
        let (price, quantity) = (asked.unit_price.unwrap_or(of(asked)?.price), asked.quantity);
        Some(Wanted { price, quantity, is_covered: coupon.covers(&asked.ticket_type_id), is_ticket: false })
    });
    let wanted: Vec<Wanted> = wanted.collect();
    if !wanted.iter().any(|wanted| wanted.is_covered) {
        return Ok(None);
    }
    let discount = pricing::price(&wanted, Some(coupon.rate), &[]).map_or(0, |prices| prices.discount);
    Ok(items.first().and_then(of).map(|item| (item.currency.clone(), discount)))
}

/// Says why nothing was sold, beside what it is about.
fn say(form: &mut Form, refusal: &Refusal, names: &HashMap<String, String>, member: &Member<Sell>) {
    let t = member.layout.t;
    let name = |item: &String| names.get(item).unwrap_or(item).clone();
    match refusal {
        Refusal::SoldOut(item) => form.wrong("items", t.with("sell-sold-out", "item", name(item))),
        Refusal::NotOnSale(item) => form.wrong("items", t.with("sell-not-on-sale", "item", name(item))),
        Refusal::TooMany { item, max_per_order } => {
            let values = [("item", name(item).into()), ("most", (*max_per_order).into())];
            form.wrong("past_most", t.with_two("sell-too-many", values));
        }
        Refusal::TooFew { item, min_per_order } => {
            let values = [("item", name(item).into()), ("fewest", (*min_per_order).into())];
            form.wrong("past_most", t.with_two("sell-too-few", values));
        }
        Refusal::Held { item, until, .. } | Refusal::HoldEnded { item, until } => {
            let values = [("item", name(item).into()), ("time", member.frame("").time(until).into())];
            form.wrong("past_holds", t.with_two("sell-held", values));
        }
        Refusal::Coupon => form.wrong("coupon", refusal_text(t, refusal)),
        Refusal::Invalid { field, .. } if field.starts_with("buyer") => form.wrong("name", t.text("wrong-person")),
        Refusal::Invalid { .. } => form.wrong("items", t.text("sale-wrong-quantity")),
        refusal => form.wrong("items", refusal_text(t, refusal)),
    }
}

/// The page that a form leads to that has sold already. It shows no ticket: those that there are may be in somebody's hands.
#[derive(Template)]
#[template(path = "sold_already.html")]
struct SoldAlreadyPage {
    f: Frame,
    order: Order,
    named: NamedOrder,
    order_path: String,
    event: String,
    /// The form, to be sent as another sale.
    fields: Vec<(String, String)>,
}

async fn show_sold_already(
    app: &App,
    member: &Member<Sell>,
    order_id: &str,
    mut form: Form,
) -> Result<Response, Error> {
    let order = find(app, member.tenant(), order_id).await?.seen_by(member.sees());
    let event = chosen_event::find(&mut app.store.read().await?, member.tenant(), &order.event_id).await?;
    form.set("key", id::new_ticket_id());
    // What others hold, and how many one order may have, is asked about anew.
    form.set("past_holds", "");
    form.set("past_most", "");
    let page = SoldAlreadyPage {
        f: member.frame("orders").by_clocks_of(&event.time_zone),
        order_path: base(member, order_id),
        event: event.name,
        fields: form.into_fields(),
        named: NamedOrder::of(member, &order),
        order,
    };
    page::show(StatusCode::CONFLICT, &page)
}

/// Places an order under the key of the form it came with. A form that comes back with other contents, because somebody went
/// back to it and changed it, is another sale: its key is made of the form's and of what it asks for, so that it, too, sells
/// once.
async fn place(app: &App, member: &Member<Sell>, request: OrderRequest, key: &str) -> Result<Placed, ChangeError> {
    // No buyer of the shop can meet this key: it is told to staff alone.
    let first = request.under_key(format!("box-office-{key}"));
    let other = request.under_key(format!("box-office-{key}-{}", first.request_hash));
    let ask = async |request, idempotency| {
        app.queue.ask(member.tenant(), Request::place(request, Some(idempotency))?.by(member.by())).await
    };
    match ask(request.clone(), first).await {
        Err(ChangeError::Refused(Refusal::IdempotencyMismatch)) => ask(request, other).await,
        placed => placed,
    }
}

/// Sells. The same form sent twice sells once, and says so.
pub async fn post_sell(State(app): State<App>, member: Member<Sell>, mut form: Form) -> Result<Response, Error> {
    let (tenant, event_id) = (member.tenant(), form.value("event").to_owned());
    let types = ticket_types::of_event(&mut app.store.read().await?, tenant, &event_id, false).await?;
    let names: HashMap<String, String> = types.iter().map(|item| (item.id.clone(), item.name.clone())).collect();
    let mut totals =
        till::totals(&form, types.iter().map(|item| (field(&item.id), item.price, item.currency.as_str())));
    let ids: Vec<String> = types.iter().map(|item| item.id.clone()).collect();
    let is_free = form.has("free", "yes");
    let items = read_items(&mut form, &ids, is_free, &member);
    let coupon = Some(form.value("coupon").trim().to_owned()).filter(|code| !code.is_empty());
    if let Some(code) = coupon.as_deref().filter(|_| form.errors().is_empty()) {
        match discount(&app, tenant, &event_id, code, &items, &types).await? {
            Some((currency, discount)) => *totals.entry(currency).or_default() -= discount,
            None => form.wrong("coupon", refusal_text(member.layout.t, &Refusal::Coupon)),
        }
    }
    if form.errors().is_empty() && form.has("show", "total") {
        return show(StatusCode::OK, &app, &member, Some(&event_id), form, Some(totals)).await;
    }
    let given = till::given(&mut form, &totals, member.layout.t);
    let key = form.value("key").to_owned();
    if key.is_empty() || key.len() > ID_MAX / 2 {
        form.wrong("items", member.layout.t.text("refused-idempotency_mismatch"));
    }
    if !form.errors().is_empty() {
        return show(WRONG, &app, &member, Some(&event_id), form, Some(totals)).await;
    }
    let request = OrderRequest {
        past_holds: if form.has("past_holds", "yes") { PastHolds::Yes } else { PastHolds::No },
        is_paid: !form.has("pay", "later"),
        method: till::method(&form),
        coupon,
        past_most: form.has("past_most", "yes"),
        hold: app.config.holds.lasts,
        ..OrderRequest::new(event_id.clone(), read_person(&form), items, Channel::Staff)
    };
    let placed = match place(&app, &member, request, &key).await {
        Ok(Placed::New(placed)) => placed.order,
        Ok(Placed::Before(placed)) => return show_sold_already(&app, &member, &placed.order_id, form).await,
        Err(ChangeError::Refused(refusal)) => {
            say(&mut form, &refusal, &names, &member);
            return show(WRONG, &app, &member, Some(&event_id), form, Some(totals)).await;
        }
        Err(error) => return Err(error.into()),
    };
    let base = base(&member, &placed.id);
    Ok(go(&match placed.status {
        OrderStatus::Approved => {
            let given = given.map(|given| format!("&given={given}")).unwrap_or_default();
            format!("{base}/tickets?done=sold{given}")
        }
        _ => format!("{base}?done=order-placed"),
    }))
}
