//! What waits for a person, on the overview. Whoever may not deal with something is not told of it.

use taquilla_domain::{
    clock::Stamp,
    config::{ATTENTION_MAX, ENDS_SOON, HOLD_ENDS_SOON, INVITATION_ENDS_SOON, PENDING_LONG},
    role::Right,
};
use taquilla_pages::address::in_path;
use taquilla_store::{
    Conn, Result,
    catalogue::events,
    door::{link_scans, links},
    overview::{self, Coming},
    sales::{pay_backs, payment_lists},
};

use super::access::Member;

/// Something that waits.
pub struct Waiting {
    /// How much, or more than can be counted.
    pub count: String,
    /// What it is.
    pub text: String,
    /// What it belongs to, or empty.
    pub of: String,
    /// The page with the rows.
    pub path: String,
    /// Whether somebody loses something if nobody looks: the class of the badge.
    pub class: &'static str,
}

/// The rights with any of which somebody is told of what waits.
const TOLD: [Right; 7] = [
    Right::SeePayments,
    Right::SeeWebhooks,
    Right::SeeOrders,
    Right::SeeDoor,
    Right::ManageDoor,
    Right::SeeKeys,
    Right::SeeTeam,
];
/// Door links of one event whose conflicts are added up.
const DOOR_LINKS_COUNTED: i64 = 100;

/// Everything that waits for this member. `None` if they would be told of nothing.
pub async fn find<N>(
    conn: &mut Conn,
    member: &Member<N>,
    coming: &[Coming],
    failed: i64,
    now: Stamp,
) -> Result<Option<Vec<Waiting>>> {
    if !TOLD.iter().any(|right| member.may(*right)) {
        return Ok(None);
    }
    let (tenant, soon) = (member.tenant(), now.plus(ENDS_SOON));
    let mut found = WaitingList { waiting: Vec::new(), member };
    if member.may(Right::SeePayments) {
        let open = payment_lists::count_open(conn, tenant, ATTENTION_MAX + 1).await?;
        found.add(open, "waiting-payments", "", "/payments/open", "bad");
        let owed = pay_backs::count(conn, tenant, ATTENTION_MAX + 1).await?;
        found.add(owed, "waiting-pay-backs", "", "/payments/owed", "warn");
    }
    found.add(failed, "waiting-messages", "", "/webhooks", "bad");
    if member.may(Right::SeeOrders) {
        for event in coming {
            let held = overview::held_that_end(conn, tenant, &event.id, HOLD_ENDS_SOON.as_micros() as i64).await?;
            let path = format!("/orders?event={}&status=pending", in_path(&event.id));
            found.add(held, "waiting-holds", &event.name, &path, "warn");
        }
        let pending = overview::pending_since(conn, tenant, now.minus(PENDING_LONG)).await?;
        found.add(pending, "waiting-orders", "", "/orders?status=pending", "warn");
    }
    if member.may(Right::SeeDoor) {
        for event in coming {
            let links = links::of_event(conn, tenant, &event.id, DOOR_LINKS_COUNTED).await?;
            let ids: Vec<&str> = links.iter().map(|link| link.id.as_str()).collect();
            let counted = link_scans::of_links(conn, tenant, &ids).await?;
            let conflicts = counted.iter().map(|counted| counted.conflicts).sum();
            found.add(conflicts, "waiting-conflicts", &event.name, &format!("/door/{}", in_path(&event.id)), "warn");
        }
    }
    if member.may(Right::ManageDoor) {
        let ending = overview::door_links_that_end(conn, tenant, now, soon).await?;
        let ids: Vec<&str> = ending.iter().map(|(id, _)| id.as_str()).collect();
        let names = events::names(conn, tenant, &ids).await?;
        for (id, links) in &ending {
            let name = names.get(id).map_or("", String::as_str);
            let path = format!("/door/{}/links", in_path(id));
            found.add(*links as i64, "waiting-door-links", name, &path, "quiet");
        }
    }
    if member.may(Right::SeeTeam) {
        let ending = overview::invitations_that_end(conn, tenant, now, now.plus(INVITATION_ENDS_SOON)).await?;
        found.add(ending, "waiting-invitations", "", "/team", "quiet");
    }
    if member.may(Right::SeeKeys) {
        let ending = overview::keys_that_end(conn, tenant, now, soon).await?;
        found.add(ending, "waiting-keys", "", "/keys", "quiet");
    }
    Ok(Some(found.waiting))
}

struct WaitingList<'a, N> {
    waiting: Vec<Waiting>,
    member: &'a Member<N>,
}

impl<N> WaitingList<'_, N> {
    fn add(&mut self, count: i64, key: &str, of: &str, page: &str, class: &'static str) {
        if count > 0 {
            let shown = if count > ATTENTION_MAX { format!("{ATTENTION_MAX}+") } else { count.to_string() };
            let text = self.member.layout.t.with(key, "count", count);
            let (of, path) = (of.to_owned(), self.member.path(page));
            self.waiting.push(Waiting { count: shown, text, of, path, class });
        }
    }
}
