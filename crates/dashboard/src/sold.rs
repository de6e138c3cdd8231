//! How much of an event is sold and left, and the money for it.
//!
//! "Sold" is one thing on every page: units that approved orders hold and that are live, less what was refunded or cancelled.
//! Where a page shows more than that, it says "gross". Entrances, things from the bar and bundles are never added up.

use taquilla_domain::{role::Right, status::Category};
use taquilla_store::{
    Conn, Result as Stored, Tenant,
    overview::{self, Left, OfCategory},
    sales::figures,
};

use super::frame::Frame;

/// Entrances, things from the bar, or bundles of an event.
pub struct SoldPart {
    /// Units.
    pub sold: i64,
    /// What they are: "entrances sold".
    pub name: String,
    /// How many are left, in words. Empty where nothing is offered.
    pub left: String,
}

/// What was sold of an event.
pub struct SoldOfEvent {
    /// Each kind of what it sells.
    pub parts: Vec<SoldPart>,
    /// What came in for all of it less what was refunded, for those who may see reports.
    pub revenue: Option<String>,
    /// People who have entered, and those of them or who may still come.
    pub people: (i64, i64),
}

/// Reads what was sold of an event in this currency.
pub async fn of_event(
    conn: &mut Conn,
    tenant: Tenant,
    f: &Frame,
    event_id: &str,
    currency: &str,
) -> Stored<SoldOfEvent> {
    let found = overview::figures(conn, tenant, event_id).await?;
    let revenue = match f.may(Right::SeeReports) {
        true => {
            let total = figures::in_all(conn, tenant, &[event_id]).await?;
            Some(f.money(total.get(event_id).map_or(0, figures::Sold::net), currency))
        }
        false => None,
    };
    let people = found.iter().find(|of| of.category == Category::Ticket);
    let people = people.map_or((0, 0), |of| (of.entered, of.expected));
    Ok(SoldOfEvent { parts: found.iter().map(|of| part(f, of)).collect(), revenue, people })
}

fn part(f: &Frame, of: &OfCategory) -> SoldPart {
    let left = match of.left {
        Left::NotOffered => String::new(),
        Left::NoLimit => f.text("sold-no-limit"),
        Left::Units(units) => f.l.t.with("sold-left", "count", units),
    };
    SoldPart { sold: of.sold, name: f.text(&format!("sold-{}", of.category.as_str())), left }
}
