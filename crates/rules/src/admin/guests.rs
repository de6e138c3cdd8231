//! Finding guests at a door, for links that may: by name, and the others of an order.
//!
//! A link belongs to whoever has it, so it finds little at a time: those whose name begins with what was typed, one e-mail address,
//! or one order by its number or id, each as a whole. Codes, phone numbers and documents are not looked at, because they could be found by trying.

use std::collections::{BTreeSet, HashMap};

use taquilla_domain::{
    admit::Outcome,
    config::{GROUP_TICKETS_MAX, GUEST_LETTERS_MIN, GUESTS_FOUND, PARTY_MAX},
    door_link::DoorLink,
    order_number::OrderNumber,
    person::Person,
    search_text::{SearchText, person_entries},
    status::TicketStatus,
};
use taquilla_store::{
    Conn, Result, Tenant,
    catalogue::ticket_types,
    door::undone::{self, Made},
    lists::Position,
    sales::{numbers, orders},
    search::find,
    tickets::staff::{self, Held},
};

/// A guest.
pub struct Guest {
    /// The ticket's place in the list by issue, which never changes.
    pub place: Position,
    /// The attendee's name.
    pub name: String,
    /// The name of the ticket type.
    pub ticket_type: String,
    /// The event that the ticket opens.
    pub event_id: String,
    /// The order's number.
    pub order_number: Option<String>,
    /// How the ticket stands.
    pub status: TicketStatus,
}

/// What somebody typed at a door. `None` if it is too little to look for.
pub fn asked(text: &str) -> Option<SearchText> {
    let text = SearchText::parse(text)?;
    let is_enough = text.words().iter().any(|word| word.chars().count() >= GUEST_LETTERS_MIN);
    is_enough.then_some(text)
}

/// The guests of a link's events whom it admits and who are meant, and whether there are more: those who may still come, then
/// those who are in, so that the latter do not fill the page; each newest first.
pub async fn find(
    conn: &mut Conn,
    tenant: Tenant,
    link: &DoorLink,
    typed: &str,
    text: &SearchText,
) -> Result<(Vec<Guest>, bool)> {
    let admitted = Admitted::of(conn, tenant, link).await?;
    let (limit, typed) = (GUESTS_FOUND, typed.trim());
    let by_number = match OrderNumber::parse(typed) {
        Some(number) => numbers::find(conn, tenant, number).await?,
        None => None,
    };
    let order_id = match by_number {
        Some(id) => Some(id),
        None => orders::find(conn, tenant, typed).await?.map(|order| order.into_uncovered().id),
    };
    let (mut rows, mut is_cut) = match order_id {
        Some(id) => {
            let of_order = staff::of_order(conn, tenant, &id, GROUP_TICKETS_MAX as i64 + 1).await?;
            let (coming, others): (Vec<Held>, Vec<Held>) = of_order.into_iter().partition(may_come);
            (coming.into_iter().chain(others).collect(), false)
        }
        None => {
            let is_wanted = |held: &Held| admitted.has(held) && is_meant(typed, text, &held.state.uncovered().attendee);
            let (sees, coming) = (link.options.sees(), |held: &Held| may_come(held) && is_wanted(held));
            let mut found = find::tickets(conn, tenant, text, sees, limit, coming).await?;
            if found.rows.len() < limit {
                let others = |held: &Held| !may_come(held) && is_wanted(held);
                let others = find::tickets(conn, tenant, text, sees, limit, others).await?;
                found.rows.extend(others.rows);
                found.is_cut |= others.is_cut;
            }
            (found.rows, found.is_cut)
        }
    };
    is_cut |= rows.len() > limit;
    rows.truncate(limit);
    let orders = numbers_of(conn, tenant, &rows).await?;
    Ok((rows.iter().filter_map(|held| admitted.guest(held, &orders)).collect(), is_cut))
}

/// Whether somebody may still come with a ticket.
fn may_come(held: &Held) -> bool {
    held.is(None, None, &[TicketStatus::Valid])
}

/// The others of the order of a ticket that was shown to a link: those who may still come and whom it admits, and whether there are
/// more. `None` if the link decided no such scan, or the ticket may not know this door.
pub async fn party(
    conn: &mut Conn,
    tenant: Tenant,
    link: &DoorLink,
    scan_id: &str,
) -> Result<Option<(Vec<Guest>, bool)>> {
    let scan = undone::made(conn, tenant, &[scan_id]).await?.pop();
    let is_shown = |scan: &Made| {
        scan.door_link_id.as_ref() == Some(&link.id)
            && matches!(scan.outcome, Outcome::Admitted | Outcome::AlreadyScanned)
    };
    let Some(ticket_id) = scan.filter(is_shown).and_then(|scan| scan.ticket_id) else { return Ok(None) };
    let shown = staff::with_ids(conn, tenant, &[&ticket_id]).await?.pop();
    let Some(order_id) = shown.and_then(|held| held.state.into_uncovered().order_id) else { return Ok(None) };
    let admitted = Admitted::of(conn, tenant, link).await?;
    let of_order = staff::of_order(conn, tenant, &order_id, GROUP_TICKETS_MAX as i64 + 1).await?;
    let is_large = of_order.len() > GROUP_TICKETS_MAX;
    let valid = of_order.iter().filter(|held| may_come(held));
    let orders = numbers_of(conn, tenant, &of_order).await?;
    let mut others: Vec<Guest> = valid.filter_map(|held| admitted.guest(held, &orders)).collect();
    let has_more = is_large || others.len() > PARTY_MAX;
    others.truncate(PARTY_MAX);
    Ok(Some((others, has_more)))
}

/// The numbers of the orders of these tickets, by their ids.
async fn numbers_of(conn: &mut Conn, tenant: Tenant, rows: &[Held]) -> Result<HashMap<String, OrderNumber>> {
    let ids: BTreeSet<&str> = rows.iter().filter_map(|held| held.state.uncovered().order_id.as_deref()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let named = numbers::named(conn, tenant, &ids).await?;
    Ok(named.into_iter().map(|(id, named)| (id, named.uncovered().number)).collect())
}

/// Whether a name begins with each word, or the whole e-mail address was typed.
fn is_meant(typed: &str, text: &SearchText, attendee: &Person) -> bool {
    let by_name = Person { name: attendee.name.clone(), ..Person::default() };
    text.means(&person_entries(&by_name)) || (!typed.is_empty() && attendee.email.eq_ignore_ascii_case(typed))
}

/// The ticket types of its events that a link admits, with their names.
struct Admitted<'a> {
    link: &'a DoorLink,
    types: Vec<(String, String)>,
}

impl<'a> Admitted<'a> {
    async fn of(conn: &mut Conn, tenant: Tenant, link: &'a DoorLink) -> Result<Self> {
        let mut types = Vec::new();
        for event_id in link.events() {
            types.extend(ticket_types::of_event(conn, tenant, event_id, true).await?);
        }
        types.retain(|item| link.scope.admits(&item.id, item.category));
        Ok(Self { link, types: types.into_iter().map(|item| (item.id, item.name)).collect() })
    }

    fn has(&self, held: &Held) -> bool {
        self.guest(held, &HashMap::new()).is_some()
    }

    /// The guest with this ticket, if the link admits it. A hidden ticket is found by nobody.
    fn guest(&self, held: &Held, orders: &HashMap<String, OrderNumber>) -> Option<Guest> {
        let state = held.state.uncovered();
        let (_, ticket_type) = self.types.iter().find(|(id, _)| *id == state.ticket_type_id)?;
        let number = state.order_id.as_ref().and_then(|id| orders.get(id));
        (!state.hidden && self.link.is_for(&state.event_id)).then(|| Guest {
            place: held.place(),
            name: state.attendee.name.clone(),
            ticket_type: ticket_type.clone(),
            event_id: state.event_id.clone(),
            order_number: number.map(ToString::to_string),
            status: state.status,
        })
    }
}
