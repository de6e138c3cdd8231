//! The numbers of orders: finding an order by its number, and what lines about an order say of it.

use std::collections::HashMap;

use taquilla_domain::{
    order_number::OrderNumber,
    personal::{Cover, Personal},
};

use crate::{
    Conn, Result, Tenant,
    engine::sql::{Row, params},
};

/// The id of the order with this number.
pub async fn find(conn: &mut Conn, tenant: Tenant, number: OrderNumber) -> Result<Option<String>> {
    conn.query_first(FIND, params![tenant.number(), number.get()], |row| Ok(row.text(0)?.to_owned())).await
}

/// The query of [`find`].
pub const FIND: &str = "SELECT id FROM orders WHERE producer_id = ?1 AND number = ?2 AND number + 1 <> 1";

/// What a line about an order says of it.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its number.
    pub number: OrderNumber,
    /// The buyer's name.
    pub buyer: String,
}

impl Cover for Named {
    fn covered(self) -> Self {
        let Self { number, buyer } = self;
        Self { number, buyer: buyer.covered() }
    }
}

/// What lines say of some orders, by their ids.
pub async fn named(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<HashMap<String, Personal<Named>>> {
    let read = |row: &Row<'_>| {
        let named = Named { number: OrderNumber::from_column(row.int(1)?), buyer: row.text(2)?.to_owned() };
        Ok((row.text(0)?.to_owned(), Personal::new(named)))
    };
    Ok(conn.collect_many(NAMED, &tenant.keys(ids), read).await?.into_iter().collect())
}

/// The query of [`named`] for one order.
pub const NAMED: &str = "SELECT id, number, buyer_name FROM orders WHERE producer_id = ?1 AND id = ?2";
