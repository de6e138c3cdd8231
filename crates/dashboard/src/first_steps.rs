//! What somebody who has just begun does next: the first event, what it sells, publishing it, and letting people know.
//!
//! The steps are shown until something is sold, or until there is a second event: then nobody needs them.

use taquilla_domain::{clock::Stamp, config::EVENT_LASTS, role::Right, status::EventStatus};
use taquilla_pages::address::in_path;
use taquilla_store::{
    Conn, Result as Stored,
    catalogue::{
        by_date::{self, Place},
        ticket_types,
    },
    sales::figures,
};

use super::access::{Anybody, Member};

/// The steps, in their order. Their texts are `first-step-…`.
const STEPS: [&str; 4] = ["event", "items", "publish", "tell"];

/// How far somebody is.
pub struct FirstSteps {
    /// The place of the next step among all of them.
    at: usize,
    /// The page where it is done.
    pub path: String,
    /// The page where people buy, once the event is on sale.
    pub shop: Option<String>,
}

impl FirstSteps {
    /// Every step: its key, whether it is done, and whether it is next.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, bool, bool)> {
        let at = self.at;
        STEPS.into_iter().enumerate().map(move |(place, key)| (key, place < at, place == at))
    }

    /// Whether anything is on sale.
    pub fn sells(&self) -> bool {
        self.shop.is_some()
    }
}

/// The steps of a member who may make events, for a service at this address. `None` where somebody is past them.
pub async fn find(conn: &mut Conn, member: &Member<Anybody>, now: Stamp, service: &str) -> Stored<Option<FirstSteps>> {
    if !member.may(Right::ManageEvents) {
        return Ok(None);
    }
    let (tenant, over) = (member.tenant(), now.minus(EVENT_LASTS));
    let (events, _) = by_date::page(conn, tenant, &Place::first(over), over, 2).await?;
    let step = |at: usize, page: &str| Some(FirstSteps { at, path: member.path(page), shop: None });
    let [event] = events.as_slice() else {
        return Ok(if events.is_empty() { step(0, "/events/new") } else { None });
    };
    let id = in_path(&event.id);
    let page = format!("/events/{id}");
    Ok(match event.status {
        EventStatus::Draft if ticket_types::of_event(conn, tenant, &event.id, false).await?.is_empty() => {
            step(1, &format!("{page}/items/new"))
        }
        EventStatus::Draft => step(2, &page),
        EventStatus::Published if figures::in_all(conn, tenant, &[&event.id]).await?.is_empty() => {
            let shop = format!("{service}/shop/{}/{id}", in_path(&member.producer.producer_id));
            step(3, &format!("/orders/new?event={id}")).map(|steps| FirstSteps { shop: Some(shop), ..steps })
        }
        _ => None,
    })
}
