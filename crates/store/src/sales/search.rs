//! Searching orders. No index has names in it, so a search goes through the orders themselves, newest first, a part at
//! a time.

use taquilla_domain::{
    config::{PAGE_MAX, SEARCHED_TOGETHER},
    order::Order,
    words::Words,
};

use super::orders::{ORDERS, Query, add_items, read};
use crate::{
    Conn, Result, Tenant,
    lists::{self, End, FIRST, Position},
};

/// Reads the next orders from a position on, at most [`SEARCHED_TOGETHER`], and gives those that have all the words in
/// their id or in what is known of the buyer; also how many were read.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    query: &Query,
    words: &Words,
    from: Option<Position>,
) -> Result<(Vec<Order>, u64, End)> {
    let (mut found, mut read_rows) = (Vec::new(), 0);
    let (filter, start) = query.filter();
    let end = lists::page(conn, tenant, &ORDERS, &filter, from.unwrap_or(start), SEARCHED_TOGETHER, |row| {
        read_rows += 1;
        let order = read(tenant, row, FIRST)?;
        let buyer = &order.buyer;
        let phone = buyer.phone.as_deref().unwrap_or_default();
        if words.are_in(&[&order.id, &buyer.name, &buyer.email, phone, &buyer.identity_document]) {
            found.push(order);
        }
        Ok(())
    })
    .await?;
    for part in found.chunks_mut(PAGE_MAX as usize) {
        add_items(conn, tenant, part).await?;
    }
    Ok((found, read_rows, end))
}
