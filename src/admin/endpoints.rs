//! Creating and changing webhook endpoints.

use crate::{
    config::{WEBHOOK_ENDPOINTS_MAX, WEBHOOK_SECRETS_MAX},
    domain::{
        clock::Stamp,
        endpoint_url::EndpointUrl,
        id,
        refusal::Refusal,
        signature::SigningSecret,
        webhook::{EndpointState, MessageKind},
    },
    store::{
        ChangeResult, Store, Tenant,
        webhooks::{
            deliveries,
            endpoints::{self, Endpoint, NewEndpoint},
            outbox,
        },
    },
    transaction,
};

/// Creates an endpoint that gets all messages from now on. This is the only time that its secret is returned.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    url: &EndpointUrl,
    kinds: &[MessageKind],
    personal_data: bool,
    now: Stamp,
) -> ChangeResult<(Endpoint, SigningSecret)> {
    let (id, secret, kinds) = (id::new_id("wh", now), SigningSecret::generate(), subscribed(kinds)?);
    let new = NewEndpoint { id: &id, url, kinds: &kinds, personal_data, secret: &secret };
    let created = transaction!(store.begin_move(tenant, now), |tx| endpoints::insert(tx, &new, now).await)?;
    let full = || Refusal::Full(format!("a producer has {WEBHOOK_ENDPOINTS_MAX} endpoints at most; delete one"));
    Ok((created.ok_or_else(full)?, secret))
}

/// The kinds of messages an endpoint asks for, each once. Test messages cannot be asked for, because each goes to one
/// endpoint, whatever its kinds.
fn subscribed(kinds: &[MessageKind]) -> ChangeResult<Vec<MessageKind>, Refusal> {
    let mut kinds: Vec<MessageKind> = kinds.iter().copied().filter(|kind| *kind != MessageKind::WebhookTest).collect();
    kinds.sort();
    kinds.dedup();
    if kinds.is_empty() {
        return Err(Refusal::invalid("kind", "an endpoint is told of at least one kind"));
    }
    Ok(kinds)
}

/// A change to an endpoint; `None` leaves a field as it is.
#[derive(Clone, Debug, Default)]
pub struct EndpointChange {
    /// Where messages are sent.
    pub url: Option<EndpointUrl>,
    /// The kinds of messages it gets.
    pub kinds: Option<Vec<MessageKind>>,
    /// Whether its messages contain personal data.
    pub personal_data: Option<bool>,
}

/// Changes an endpoint. New kinds apply to what happens from now on, the other changes to what is sent from now on.
pub async fn change(
    store: &Store,
    tenant: Tenant,
    id: &str,
    change: &EndpointChange,
    now: Stamp,
) -> ChangeResult<Endpoint> {
    let kinds = change.kinds.as_deref().map(subscribed).transpose()?;
    change_with(store, tenant, id, now, |endpoint| {
        if let Some(url) = &change.url {
            endpoint.move_to(url);
        }
        if let Some(kinds) = &kinds {
            endpoint.kinds.clone_from(kinds);
        }
        if let Some(personal_data) = change.personal_data {
            endpoint.personal_data = personal_data;
        }
    })
    .await
}

/// Stops sending to an endpoint, or begins again.
pub async fn set_state(
    store: &Store,
    tenant: Tenant,
    id: &str,
    state: EndpointState,
    now: Stamp,
) -> ChangeResult<Endpoint> {
    change_with(store, tenant, id, now, |endpoint| endpoint.set_state(state, now)).await
}

/// Changes an endpoint. All earlier messages get their places first, so that the change applies only to what happens
/// after it.
async fn change_with(
    store: &Store,
    tenant: Tenant,
    id: &str,
    now: Stamp,
    change: impl Fn(&mut Endpoint) + Send + Sync,
) -> ChangeResult<Endpoint> {
    // Most messages get their places here, in small transactions, so that few are left for the one below.
    if let Some(endpoint) = endpoints::find(&mut store.read().await?, tenant, id).await? {
        deliveries::catch_up(store, &endpoint, now).await?;
    }
    transaction!(store.begin_unstamped(), |tx| {
        let mut endpoint = endpoints::lock(tx, tenant, id).await?.ok_or(Refusal::NotFound("endpoint"))?;
        while deliveries::take_new(tx, &mut endpoint, now).await? {}
        change(&mut endpoint);
        endpoints::save(tx, &endpoint).await?;
        Ok(endpoint)
    })
}

/// Gives an endpoint a new secret. The old ones sign too for a while.
pub async fn rotate(
    store: &Store,
    tenant: Tenant,
    id: &str,
    secret: &SigningSecret,
    now: Stamp,
) -> ChangeResult<Endpoint> {
    transaction!(store.begin_unstamped(), |tx| {
        let mut endpoint = endpoints::lock(tx, tenant, id).await?.ok_or(Refusal::NotFound("endpoint"))?;
        match endpoints::rotate(tx, &mut endpoint, secret, now).await? {
            true => Ok(endpoint),
            false => Err(Refusal::Full(format!(
                "{WEBHOOK_SECRETS_MAX} secrets sign already; wait until the oldest of them has had its 24 hours"
            ))
            .into()),
        }
    })
}

/// Deletes an endpoint; its deliveries and attempts are deleted with it.
pub async fn delete(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        match endpoints::delete(tx, tenant, id, now).await? {
            true => Ok(()),
            false => Err(Refusal::NotFound("endpoint").into()),
        }
    })
}

/// Adds a test message for an endpoint and returns its id. It is sent like any other.
pub async fn add_test(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<String> {
    let data = serde_json::json!({ "endpoint_id": id, "message": "This is a test." }).to_string();
    Ok(transaction!(store.begin_move(tenant, now), |tx| outbox::add_test(tx, id, &data).await)?)
}
