//! The first pages: a producer's overview, and the way to one.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    access::{Anybody, Member, SignedIn},
    frame::{Frame, Query, go, producer_path},
};
use crate::{
    domain::{role::Right, webhook::DeliveryStatus},
    http::{app::App, errors::Error, page},
    store::{
        keys,
        webhooks::{delivery_log, endpoints},
    },
};

#[derive(Template)]
#[template(path = "dashboard/no_producer.html")]
struct NoProducerPage {
    f: Frame,
}

/// `/dashboard`: the user's producer, or the choice among several.
pub async fn get_dashboard(signed_in: SignedIn, query: Query) -> Result<Response, Error> {
    match signed_in.memberships.as_slice() {
        [only] => {
            let done =
                query.get("done").map(|done| format!("?done={}", super::frame::in_path(done))).unwrap_or_default();
            Ok(go(&producer_path(&only.producer_id, &done)))
        }
        _ => page::show(StatusCode::OK, &NoProducerPage { f: signed_in.frame("").done(&query) }),
    }
}

#[derive(Template)]
#[template(path = "dashboard/overview.html")]
struct OverviewPage {
    f: Frame,
    keys: Option<usize>,
    endpoints: Option<(usize, usize, i64)>,
    has_second_factor: bool,
}

/// A producer's overview.
pub async fn get_overview(State(app): State<App>, member: Member<Anybody>, query: Query) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let (tenant, now) = (member.tenant(), app.time.now());
    let keys = match member.may(Right::SeeKeys) {
        true => Some(keys::list(&mut conn, tenant).await?.iter().filter(|key| key.life.works(now)).count()),
        false => None,
    };
    let endpoints = match member.may(Right::SeeWebhooks) {
        true => {
            let all = endpoints::list(&mut conn, tenant).await?;
            let well = all.iter().filter(|endpoint| endpoint.state.is_sent_to() && endpoint.failing_since.is_none());
            let (count, well, mut failed) = (all.len(), well.count(), 0);
            for endpoint in &all {
                failed += delivery_log::count(&mut conn, endpoint, DeliveryStatus::Failed).await?;
            }
            Some((count, well, failed))
        }
        false => None,
    };
    let has_second_factor = member.user.has_second_factor;
    page::show(
        StatusCode::OK,
        &OverviewPage { f: member.frame("overview").done(&query), keys, endpoints, has_second_factor },
    )
}
