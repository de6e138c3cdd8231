//! The orders behind a figure of sales.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp,
    config::{DASHBOARD_ROWS, EXAMINED_MAX},
    days,
    order::Order,
    personal::Personal,
    role::Right,
    status::OrderChannel,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, page, query::Query};
use taquilla_store::{
    Conn,
    catalogue::ticket_types,
    sales::sold::{self, Figure},
};

use super::asked;
use crate::{
    access::{Member, SeeOrders},
    chosen_event::{self, ChosenEvent},
    frame::Frame,
    orders::row::{self, OrderRow},
};

/// The channel of orders from before it was written down, in addresses.
const UNKNOWN: &str = "unknown";
/// Orders that are read at once.
const AT_ONCE: usize = 200;

/// Which orders are wanted: those behind a figure of one event, perhaps of an item, a channel and some days.
#[derive(Clone, Copy)]
pub struct Behind<'a> {
    /// The figure.
    pub figure: Figure,
    /// The event.
    pub event_id: &'a str,
    /// The item.
    pub item_id: Option<&'a str>,
    /// The channel; empty where it is not known.
    pub channel: Option<&'a str>,
    /// The first and the last day, by the event's clocks.
    pub days: Option<(jiff::civil::Date, jiff::civil::Date)>,
}

impl Behind<'_> {
    /// The address of these orders, for those who may see them.
    pub fn path(&self, f: &Frame) -> Option<String> {
        f.may(Right::SeeOrders).then(|| f.path(&format!("/reports/orders?{}", self.query())))
    }

    fn query(&self) -> String {
        let mut query = format!("event={}", in_path(self.event_id));
        let channel = self.channel.map(|channel| if channel.is_empty() { UNKNOWN } else { channel });
        for (name, value) in [("item", self.item_id), ("channel", channel)] {
            query += &value.map(|value| format!("&{name}={}", in_path(value))).unwrap_or_default();
        }
        if let Some((from, to)) = self.days {
            query += &format!("&from={from}&to={to}");
        }
        query + if self.figure == Figure::Refunded { "&figure=refunded" } else { "" }
    }

    fn has(&self, order: &Order) -> bool {
        let channel = order.channel.map_or("", OrderChannel::as_str);
        self.channel.is_none_or(|wanted| wanted == channel)
            && self.item_id.is_none_or(|wanted| order.items.iter().any(|item| item.ticket_type_id == wanted))
    }
}

#[derive(Template)]
#[template(path = "report_orders.html")]
struct OrdersPage {
    f: Frame,
    event: ChosenEvent,
    is_refunded: bool,
    /// The list of cancelled tickets: those that were refunded one by one are in it, and their orders stay paid.
    single: Option<String>,
    /// What the orders have in common, in words.
    narrowed: Vec<String>,
    rows: Vec<OrderRow>,
    older: Option<String>,
}

/// The page.
pub async fn get_orders(State(app): State<App>, member: Member<SeeOrders>, query: Query) -> Result<Response, Error> {
    let (mut conn, tenant) = (app.store.read().await?, member.tenant());
    let event = chosen_event::find(&mut conn, tenant, query.get("event").unwrap_or_default()).await?;
    let day = |name: &'static str| match query.get(name) {
        Some(text) => {
            days::parse(text).map(Some).ok_or_else(|| Error::invalid(name, "this is no day, such as 2026-11-01"))
        }
        None => Ok(None),
    };
    let wanted = Behind {
        figure: if query.get("figure") == Some("refunded") { Figure::Refunded } else { Figure::Sold },
        event_id: &event.id,
        item_id: query.get("item"),
        channel: query.get("channel").map(|channel| if channel == UNKNOWN { "" } else { channel }),
        days: day("from")?.zip(day("to")?),
    };
    let zone = days::zone(&event.time_zone);
    let (from, end) = match wanted.days {
        Some((from, to)) => (days::beginning(from, &zone), days::beginning(to.tomorrow().unwrap_or(to), &zone)),
        None => (Stamp::from_micros(0), Stamp::END),
    };
    // An order at the very end is of the next day: no id is below the empty one.
    let before = query.get("before").and_then(place).unwrap_or((end, String::new()));
    let (orders, further) = find(&mut conn, &member, &wanted, from, before).await?;
    let f = member.frame("reports").by_clocks_of(&event.time_zone);
    let mut narrowed = Vec::new();
    if let Some(id) = wanted.item_id {
        let mut names = std::collections::HashMap::new();
        conn.ask(vec![ticket_types::for_sale(tenant, &[id], &mut names)]).await?;
        narrowed.push(names.get(id).map_or(id, |item| &item.name).to_owned());
    }
    narrowed.extend(wanted.channel.map(|channel| f.text(&asked::channel_key(channel))));
    narrowed.extend(wanted.days.map(|(from, to)| f.dates(&event.time_zone).days(from, to)));
    let page = OrdersPage {
        is_refunded: wanted.figure == Figure::Refunded,
        single: (wanted.figure == Figure::Refunded)
            .then(|| f.path(&format!("/tickets?event={}&status=cancelled", in_path(wanted.event_id)))),
        rows: row::rows(&mut conn, &member, orders).await?,
        older: further.map(|(at, id)| format!("{}&before={}-{}", wanted.query(), at.micros(), in_path(&id))),
        narrowed,
        event,
        f,
    };
    page::show(StatusCode::OK, &page)
}

/// A moment and an order's id.
fn place(text: &str) -> Option<(Stamp, String)> {
    let (micros, id) = text.split_once('-')?;
    Some((Stamp::from_micros(micros.parse().ok()?), id.to_owned()))
}

/// A page of orders, and the place where it goes on. As elsewhere, a page may be short: it looks at so many orders at most.
async fn find(
    conn: &mut Conn,
    member: &Member<SeeOrders>,
    wanted: &Behind<'_>,
    from: Stamp,
    mut before: (Stamp, String),
) -> Result<(Vec<Personal<Order>>, Option<(Stamp, String)>), Error> {
    let mut found = Vec::new();
    for _ in 0..EXAMINED_MAX / AT_ONCE {
        let place = (before.0, before.1.as_str());
        let some = sold::page(conn, member.tenant(), wanted.figure, wanted.event_id, from, place, AT_ONCE).await?;
        let is_last = some.len() < AT_ONCE;
        for order in some {
            if found.len() == DASHBOARD_ROWS as usize {
                return Ok((found, Some(before)));
            }
            let seen = order.clone().seen_by(member.sees());
            found.extend(wanted.has(&seen).then_some(order));
            before = (wanted.figure.time_of(&seen), seen.id);
        }
        if is_last {
            return Ok((found, None));
        }
    }
    Ok((found, Some(before)))
}
