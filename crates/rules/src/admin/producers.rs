//! Creating producers and changing what is said of them.

use taquilla_domain::{
    audit::{Action, By},
    config::SHOP_RESERVED,
    id,
    money::Currency,
    refusal::Refusal,
    text::Name,
    time_zone::TimeZone,
};
use taquilla_store::{ChangeResult, Store, Tenant, Unstamped, producers, staff::audit, transaction};

/// What is said of a producer.
#[derive(Clone, Debug)]
pub struct Producer {
    /// The organisation's name.
    pub name: Name,
    /// The time zone that the dashboard shows, and that a new event begins with.
    pub time_zone: TimeZone,
    /// The currency that it reckons in.
    pub currency: Currency,
}

/// Creates a producer and returns its id, which is made here if none is given.
pub async fn create(store: &Store, id: Option<&str>, producer: &Producer, by: &By) -> ChangeResult<String> {
    if id.is_some_and(|id| !id::is_plausible(id)) {
        return Err(Refusal::invalid("id", id::FORM).into());
    }
    if id.is_some_and(|id| SHOP_RESERVED.contains(&id)) {
        let message = format!("{} are parts of addresses of every shop", SHOP_RESERVED.join(" and "));
        return Err(Refusal::invalid("id", message).into());
    }
    let id = id.map_or_else(|| id::new_id("pr", by.now), str::to_owned);
    transaction!(store.begin_unstamped(), |tx| {
        create_in(tx, &id, producer, by).await?;
        Ok(id.clone())
    })
}

/// Creates a producer as a part of a larger change.
pub(super) async fn create_in(tx: &mut Unstamped, id: &str, producer: &Producer, by: &By) -> ChangeResult<Tenant> {
    let Producer { name, time_zone, currency } = producer;
    let created = producers::insert(tx, id, name, time_zone, currency, by.now).await?;
    let tenant = created.ok_or(Refusal::IdTaken("producer"))?;
    audit::add(tx, Some(tenant), by, Action::ProducerCreated, id, &details(producer)).await?;
    Ok(tenant)
}

/// Changes a producer's name, time zone and currency. Events keep theirs.
pub async fn change(store: &Store, tenant: Tenant, producer: &Producer, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        producers::change(tx, tenant, &producer.name, &producer.time_zone, &producer.currency).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::ProducerChanged, "", &details(producer)).await?)
    })
}

fn details(producer: &Producer) -> [(&'static str, &str); 3] {
    [
        ("name", producer.name.as_str()),
        ("time_zone", producer.time_zone.as_str()),
        ("currency", producer.currency.as_str()),
    ]
}
