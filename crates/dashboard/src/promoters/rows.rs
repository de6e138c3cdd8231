//! A promoter as a line of a table.

use taquilla_domain::{promoter::Promoter, role::Right};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, badges::Badge, shop_links};
use taquilla_store::{Conn, sales::promoters};

use crate::{access::Member, chosen_event::ChosenEvent, frame::Frame};

/// A promoter of the event.
pub struct PromoterRow {
    /// The promoter.
    pub promoter: Promoter,
    /// Units that were sold in their name, less what was refunded of them.
    pub units: i64,
    /// What came in for these, for those who may see reports.
    pub net: Option<String>,
    /// How much of the contingent is given away.
    pub given: String,
    /// Whether they sell.
    pub badge: Badge,
    /// The link that leads buyers to the shop.
    pub shop_url: String,
    /// The address of the promoter's own pages here.
    pub path: String,
}

/// The address of the list.
pub fn list_path<N>(member: &Member<N>, event_id: &str) -> String {
    member.path(&format!("/events/{}/promoters", in_path(event_id)))
}

/// The link that leads buyers to the shop, and says who sold.
pub fn shop_url<N>(app: &App, member: &Member<N>, promoter: &Promoter) -> String {
    let path = shop_links::sold_by(&member.producer.producer_id, &promoter.event_id, &promoter.id);
    format!("{}{path}", member.service_address(app))
}

/// The promoters of an event, and at most so many.
pub async fn of_event<N>(
    app: &App,
    conn: &mut Conn,
    member: &Member<N>,
    f: &Frame,
    event: (&str, &str),
    most: i64,
) -> Result<Vec<PromoterRow>, Error> {
    let (event_id, currency) = event;
    let found = promoters::of_event(conn, member.tenant(), event_id, most).await?;
    let sees_money = member.may(Right::SeeReports);
    let row = |promoters::Selling { promoter, sold }| PromoterRow {
        units: sold.units - sold.refunded_units,
        net: sees_money.then(|| f.money(sold.net(), currency)),
        given: given(f, &promoter),
        badge: badge(&promoter),
        shop_url: shop_url(app, member, &promoter),
        path: format!("{}/{}", list_path(member, event_id), in_path(&promoter.id)),
        promoter,
    };
    Ok(found.into_iter().map(row).collect())
}

/// How much of a promoter's contingent is given away, in words.
pub fn given(f: &Frame, promoter: &Promoter) -> String {
    let values = [("given", promoter.given_away.into()), ("all", promoter.complimentary.into())];
    f.l.t.with_two("promoter-given-of", values)
}

/// Whether a promoter sells.
pub fn badge(promoter: &Promoter) -> Badge {
    match promoter.ended_at {
        None => Badge { class: "good", key: "promoter-sells" },
        Some(_) => Badge { class: "quiet", key: "promoter-ended" },
    }
}

/// The promoter in the path, who is of the event in the path.
pub async fn find<N>(
    conn: &mut Conn,
    member: &Member<N>,
    event: &ChosenEvent,
    id: &str,
) -> Result<promoters::Selling, Error> {
    let found = promoters::find(conn, member.tenant(), id).await?;
    found.filter(|selling| selling.promoter.event_id == event.id).ok_or(Error::NotFound("promoter"))
}
