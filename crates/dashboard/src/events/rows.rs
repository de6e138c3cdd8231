//! What an event sells, as rows of a page.

use taquilla_domain::{
    clock::Stamp,
    pool::{self, Pool, Shared},
    status::{ItemKind, TypeStatus},
    ticket_type::TicketType,
};
use taquilla_http::errors::Error;
use taquilla_store::{Conn, sales::holds};

use super::common::{item_path, item_status_key};
use crate::access::Member;

/// An item on a page, with how much of it is sold, held and free.
pub struct ItemRow {
    /// The item.
    pub item: TicketType,
    /// The address of its page.
    pub path: String,
    /// How many unpaid orders hold now.
    pub held: i64,
    /// How many are neither sold nor held, if there is a limit of its own or of a pool.
    pub free: Option<i64>,
    /// The class of its badge.
    pub badge: &'static str,
    /// The key of the text on the badge.
    pub state: String,
    /// What a bundle includes: quantities and names.
    pub contents: Vec<(i64, String)>,
    /// Whether it is sold as a bundle.
    pub is_bundle: bool,
}

impl ItemRow {
    fn new<N>(member: &Member<N>, item: TicketType, held: i64, shared: Shared, now: Stamp) -> Self {
        let ended = item.expires_at.is_some_and(|expiry| now >= expiry);
        let is_early = item.on_sale_from.is_some_and(|from| now < from);
        let (badge, state) = match (item.deleted, item.shown_status()) {
            (true, _) => ("quiet", "item-deleted".to_owned()),
            (false, TypeStatus::Inactive) => ("quiet", item_status_key(TypeStatus::Inactive)),
            (false, _) if ended => ("quiet", "item-ended".to_owned()),
            (false, TypeStatus::Active) if is_early => ("quiet", "item-not-yet".to_owned()),
            (false, TypeStatus::Active) if shared.is_full => ("warn", item_status_key(TypeStatus::SoldOut)),
            (false, TypeStatus::Active) => ("good", item_status_key(TypeStatus::Active)),
            (false, TypeStatus::SoldOut) => ("warn", item_status_key(TypeStatus::SoldOut)),
            (false, status) => ("quiet", item_status_key(status)),
        };
        Self {
            path: item_path(member, &item.event_id, &item.id),
            held,
            free: free(&item, held, shared),
            badge,
            state,
            contents: item.includes.iter().map(|part| (part.quantity, part.name.clone())).collect(),
            is_bundle: item.kind == ItemKind::Bundle,
            item,
        }
    }
}

/// How many units of an item are neither sold nor held, and have room in its pools; `None` is without limit. Holds that staff
/// passed over may be more than what is left.
pub fn free(item: &TicketType, held: i64, shared: Shared) -> Option<i64> {
    let own = item.limit.map(|limit| (limit - item.sold - held).max(0));
    own.into_iter().chain(shared.free).min()
}

/// The rows of some items of an event with these pools.
pub async fn rows<N>(
    conn: &mut Conn,
    member: &Member<N>,
    items: Vec<TicketType>,
    pools: &[Pool],
    now: Stamp,
) -> Result<Vec<ItemRow>, Error> {
    let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let held = holds::held_now(conn, member.tenant(), &ids).await?;
    let row = |item: TicketType| {
        let held = held.get(&item.id).map_or(0, |held| held.quantity);
        let shared = pool::shared(&item, pools);
        ItemRow::new(member, item, held, shared, now)
    };
    Ok(items.into_iter().map(row).collect())
}
