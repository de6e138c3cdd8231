//! An order where something else is told of it: its number first, then who bought it, then its id.

use std::collections::HashMap;

use taquilla_domain::{order::Order, order_number::OrderNumber, role::Right};
use taquilla_http::errors::Error;
use taquilla_pages::address::in_path;
use taquilla_store::{Conn, sales::numbers};

use crate::access::Member;

/// An order as `order_named.html` shows it.
#[derive(Clone)]
pub struct NamedOrder {
    /// Its number.
    pub number: OrderNumber,
    /// The buyer's name as the member sees it.
    pub buyer: String,
    /// Its id.
    pub id: String,
    /// Its page, if the member may see orders.
    pub path: Option<String>,
}

impl NamedOrder {
    fn new<N>(member: &Member<N>, id: String, number: OrderNumber, buyer: String) -> Self {
        let path = member.may(Right::SeeOrders).then(|| member.path(&format!("/orders/{}", in_path(&id))));
        Self { number, buyer, id, path }
    }

    /// An order that the member sees already.
    pub fn of<N>(member: &Member<N>, order: &Order) -> Self {
        Self::new(member, order.id.clone(), order.number, order.buyer.name.clone())
    }
}

/// These orders, by their ids.
pub async fn named<N>(conn: &mut Conn, member: &Member<N>, ids: &[&str]) -> Result<HashMap<String, NamedOrder>, Error> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let found = numbers::named(conn, member.tenant(), &ids).await?;
    let shown = |(id, named): (String, taquilla_domain::personal::Personal<numbers::Named>)| {
        let named = named.seen_by(member.sees());
        (id.clone(), NamedOrder::new(member, id, named.number, named.buyer))
    };
    Ok(found.into_iter().map(shown).collect())
}
