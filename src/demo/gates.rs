//! The stations of the demo's door, each with the link that its staff hold.

use std::sync::Arc;

use taquilla_domain::{
    admit::Scope,
    audit::By,
    door_link::{LinkOptions, NewDoorLink, Stations},
    invalid::Invalid,
    key::Secret,
    status::Category,
    text::Name,
};
use taquilla_rules::admin::door_links;
use taquilla_store::{ChangeResult, Store, Tenant, door::links};

/// Labels, what is let in there, and the stations.
const LINKS: [(&str, Category, &[&str]); 3] = [
    ("Main entrance", Category::Ticket, &["Gate 1", "Gate 2"]),
    ("Side entrance", Category::Ticket, &["Gate 3"]),
    ("Bar", Category::Merchandise, &["Bar left"]),
];

/// Somebody with a scanner.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The link's id.
    pub link_id: String,
    /// What they sign in with.
    pub token: Arc<Secret>,
    /// Where they stand.
    pub station: &'static str,
    /// What they let in.
    pub category: Category,
}

/// Hands out links for an event, and ends those that were handed out before.
pub async fn open(store: &Store, tenant: Tenant, event_id: &str, by: &By) -> ChangeResult<Vec<Gate>> {
    let earlier = links::list(&mut store.read().await?, tenant).await?;
    let ours = |label: &str| LINKS.iter().any(|(name, ..)| *name == label);
    for link in earlier.iter().filter(|link| ours(&link.label) && link.life.revoked_at.is_none()) {
        door_links::revoke(store, tenant, &link.id, by).await?;
    }
    let mut gates = Vec::new();
    for (label, category, stations) in LINKS {
        let in_label = |invalid: Invalid| invalid.in_field("label");
        let names = stations.iter().map(|name| Name::parse(name)).collect::<Result<Vec<_>, _>>().map_err(in_label)?;
        let new = NewDoorLink {
            event_id: event_id.to_owned(),
            more_events: vec![],
            label: Name::parse(label).map_err(in_label)?,
            scope: Scope { categories: vec![category], ticket_types: vec![] },
            stations: Stations::new(names).map_err(in_label)?,
            zone: None,
            options: LinkOptions::default(),
            pin: None,
            expires_at: None,
        };
        let (link, token) = door_links::create(store, tenant, new, by).await?;
        let token = Arc::new(token);
        let gate = |station| Gate { link_id: link.id.clone(), token: Arc::clone(&token), station, category };
        gates.extend(stations.iter().copied().map(gate));
    }
    Ok(gates)
}
