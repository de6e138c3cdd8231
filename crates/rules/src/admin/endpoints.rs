//! Creating and changing webhook endpoints.

use taquilla_domain::{
    audit::{Action, By, Details},
    config::{WEBHOOK_ENDPOINTS_MAX, WEBHOOK_SECRETS_MAX},
    endpoint_url::EndpointUrl,
    id,
    refusal::Refusal,
    role::Rights,
    signature::SigningSecret,
    webhook::{EndpointState, MessageKind},
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    staff::audit,
    transaction,
    webhooks::{
        deliveries,
        delivery_log::{self, Again},
        endpoints::{self, Endpoint, NewEndpoint},
        outbox,
    },
};

/// Creates an endpoint that gets all messages from now on. This is the only time that its secret is returned.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    url: &EndpointUrl,
    kinds: &[MessageKind],
    personal_data: bool,
    own: Rights,
    by: &By,
) -> ChangeResult<(Endpoint, SigningSecret)> {
    check(own, personal_data || kinds.iter().any(|kind| kind.is_of_ticket()))?;
    let (id, secret, kinds) = (id::new_id("wh", by.now), SigningSecret::generate(), subscribed(kinds)?);
    let new = NewEndpoint { id: &id, url, kinds: &kinds, personal_data, secret: &secret };
    let details = [("url", url.as_str()), ("kinds", &names(&kinds)), ("personal_data", yes_or_no(personal_data))];
    let created = transaction!(store.begin_move(tenant, by.now), |tx| {
        let created = endpoints::insert(tx, &new, by.now).await?;
        if created.is_some() {
            audit::add(tx, Some(tenant), by, Action::EndpointCreated, &id, &details).await?;
        }
        Ok::<_, taquilla_store::Error>(created)
    })?;
    let full = || Refusal::Full(format!("a producer has {WEBHOOK_ENDPOINTS_MAX} endpoints at most; delete one"));
    Ok((created.ok_or_else(full)?, secret))
}

fn names(kinds: &[MessageKind]) -> String {
    kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" ")
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
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

/// Whoever chooses the address of an endpoint, has its secret or sends its messages again reads them. So nobody does so who
/// would see less in the dashboard. `own` is what somebody may do; at the command line it is everything.
fn check(own: Rights, tells_what_is_covered: bool) -> ChangeResult<(), Refusal> {
    match tells_what_is_covered && !own.sees().people() {
        true => Err(Refusal::BeyondOwnRights),
        false => Ok(()),
    }
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
    own: Rights,
    by: &By,
) -> ChangeResult<Endpoint> {
    let kinds = change.kinds.as_deref().map(subscribed).transpose()?;
    let changed_kinds = kinds.as_deref().map(names);
    let mut details = Vec::new();
    details.extend(change.url.as_ref().map(|url| ("url", url.as_str())));
    details.extend(changed_kinds.as_ref().map(|kinds| ("kinds", kinds.as_str())));
    details.extend(change.personal_data.map(|personal_data| ("personal_data", yes_or_no(personal_data))));
    change_with(store, tenant, id, by, Action::EndpointChanged, &details, |endpoint| {
        check(own, endpoint.tells_what_is_covered())?;
        if let Some(url) = &change.url {
            endpoint.move_to(url);
        }
        if let Some(kinds) = &kinds {
            endpoint.kinds.clone_from(kinds);
        }
        if let Some(personal_data) = change.personal_data {
            endpoint.personal_data = personal_data;
        }
        check(own, endpoint.tells_what_is_covered())
    })
    .await
}

/// Stops sending to an endpoint, or begins again.
pub async fn set_state(
    store: &Store,
    tenant: Tenant,
    id: &str,
    state: EndpointState,
    by: &By,
) -> ChangeResult<Endpoint> {
    let action = if state.is_sent_to() { Action::EndpointResumed } else { Action::EndpointPaused };
    change_with(store, tenant, id, by, action, &[], |endpoint| {
        endpoint.set_state(state, by.now);
        Ok(())
    })
    .await
}

/// Changes an endpoint. All earlier messages get their places first, so that the change applies only to what happens
/// after it.
async fn change_with(
    store: &Store,
    tenant: Tenant,
    id: &str,
    by: &By,
    action: Action,
    details: Details<'_>,
    change: impl Fn(&mut Endpoint) -> ChangeResult<(), Refusal> + Send + Sync,
) -> ChangeResult<Endpoint> {
    let now = by.now;
    // Most messages get their places here, in small transactions, so that few are left for the one below.
    if let Some(endpoint) = endpoints::find(&mut store.read().await?, tenant, id).await? {
        deliveries::catch_up(store, &endpoint, now).await?;
    }
    transaction!(store.begin_unstamped(), |tx| {
        let mut endpoint = endpoints::lock(tx, tenant, id).await?.ok_or(Refusal::NotFound("endpoint"))?;
        while deliveries::take_new(tx, &mut endpoint, now).await? {}
        change(&mut endpoint)?;
        endpoints::save(tx, &endpoint).await?;
        // What waited may be due now.
        tx.concerns(tenant);
        audit::add(tx, Some(tenant), by, action, id, details).await?;
        Ok(endpoint)
    })
}

/// Gives an endpoint a new secret. The old ones sign too for a while.
pub async fn rotate(
    store: &Store,
    tenant: Tenant,
    id: &str,
    secret: &SigningSecret,
    own: Rights,
    by: &By,
) -> ChangeResult<Endpoint> {
    transaction!(store.begin_unstamped(), |tx| {
        let mut endpoint = endpoints::lock(tx, tenant, id).await?.ok_or(Refusal::NotFound("endpoint"))?;
        check(own, endpoint.tells_what_is_covered())?;
        match endpoints::rotate(tx, &mut endpoint, secret, by.now).await? {
            true => {
                audit::add(tx, Some(tenant), by, Action::EndpointRotated, id, &[]).await?;
                Ok(endpoint)
            }
            false => Err(Refusal::Full(format!(
                "{WEBHOOK_SECRETS_MAX} secrets sign already; wait until the oldest of them has had its 24 hours"
            ))
            .into()),
        }
    })
}

/// Deletes an endpoint; its deliveries and attempts are deleted with it.
pub async fn delete(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        let endpoint = endpoints::lock(tx, tenant, id).await?.ok_or(Refusal::NotFound("endpoint"))?;
        endpoints::delete(tx, tenant, id, by.now).await?;
        audit::add(tx, Some(tenant), by, Action::EndpointDeleted, id, &[("url", &endpoint.url)]).await?;
        Ok(())
    })
}

/// Adds a test message for an endpoint and returns its id. It is sent like any other.
pub async fn add_test(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<String> {
    let data = serde_json::json!({ "endpoint_id": id, "message": "This is a test." }).to_string();
    Ok(transaction!(store.begin_move(tenant, by.now), |tx| {
        let message_id = outbox::add_test(tx, id, &data).await?;
        audit::add(tx, Some(tenant), by, Action::EndpointTested, id, &[("message", &message_id)]).await?;
        Ok::<_, taquilla_store::Error>(message_id)
    })?)
}

/// Makes messages due again, and tells how many.
pub async fn replay(store: &Store, endpoint: &Endpoint, which: Again<'_>, own: Rights, by: &By) -> ChangeResult<i64> {
    check(own, endpoint.tells_what_is_covered())?;
    let selection = match &which {
        Again::One(id) => (*id).to_owned(),
        Again::Failed => "failed".to_owned(),
        Again::FailedAndWaiting => "failed and waiting".to_owned(),
        Again::Between(from, to) => format!("{from} – {to}"),
    };
    let replayed = delivery_log::replay(store, endpoint, which, by).await?;
    let details = [("which", selection.as_str()), ("messages", &replayed.to_string())];
    transaction!(store.begin_unstamped(), |tx| {
        audit::add(tx, Some(endpoint.tenant), by, Action::EndpointReplayed, &endpoint.id, &details).await
    })?;
    Ok(replayed)
}
