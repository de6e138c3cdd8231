//! A webhook endpoint on the command line: which one, and how it is shown.

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use taquilla_domain::{time_source::TimeSource, webhook::MessageKind};
use taquilla_store::{
    Store, Tenant, owners,
    webhooks::endpoints::{self, Endpoint},
};
use taquilla_wire::{Time, webhook::WebhookEndpoint};

use super::{common::Common, flags, output::Output};

#[derive(Args)]
pub struct Which {
    /// The endpoint's id (wh_…), as `webhook list` shows it
    #[arg(value_parser = flags::id)]
    pub endpoint_id: String,
    #[command(flatten)]
    common: Common,
}

impl Which {
    /// The database, whose endpoint it is, and the endpoint.
    pub async fn open(&self) -> anyhow::Result<(Store, Tenant, Endpoint)> {
        let (store, id) = (self.common.open().await?, &self.endpoint_id);
        let mut conn = store.read().await?;
        let unknown = || format!("there is no endpoint {id}; `taquilla webhook list --producer ID` shows the ids");
        let tenant = owners::of_endpoint(&mut conn, id).await?.with_context(unknown)?;
        let endpoint = endpoints::find(&mut conn, tenant, id).await?.with_context(unknown)?;
        drop(conn);
        Ok((store, tenant, endpoint))
    }

    pub fn output(&self) -> &Output {
        &self.common.output
    }
}

/// An endpoint as commands show it.
#[derive(Serialize)]
pub struct EndpointOutput<'a> {
    #[serde(flatten)]
    pub info: WebhookEndpoint<'a>,
    /// How many messages wait to be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<i64>,
    /// How many were given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

impl<'a> EndpointOutput<'a> {
    pub fn new(endpoint: &'a Endpoint) -> Self {
        let info = WebhookEndpoint {
            id: &endpoint.id,
            url: &endpoint.url,
            kinds: endpoint.kinds.iter().copied().map(Into::into).collect(),
            personal_data: endpoint.personal_data,
            state: endpoint.state.into(),
            state_since: endpoint.state_since.into(),
            created_at: endpoint.created_at.into(),
            last_success_at: endpoint.last_success_at.map(Time),
            failing_since: endpoint.failing_since.map(Time),
            rests_until: endpoint.rest(TimeSource::System.now()).map(Time),
        };
        Self { info, pending: None, failed: None, secret: None }
    }

    pub fn print(&self, output: &Output, advice: &str) -> anyhow::Result<()> {
        let mut fields = vec![
            ("id", self.info.id.to_owned()),
            ("url", self.info.url.to_owned()),
            ("kinds", self.info.kinds.iter().map(|kind| kind.0.as_str()).collect::<Vec<_>>().join(", ")),
            ("personal data", if self.info.personal_data { "yes".into() } else { "no".to_owned() }),
            ("state", self.info.state.0.as_str().to_owned()),
        ];
        fields.extend(self.secret.iter().map(|secret| ("secret", secret.clone())));
        fields.extend(advice.lines().map(|line| ("", line.to_owned())));
        output.one(self, &fields)
    }
}

/// The names of kinds, for a table.
pub fn kinds(kinds: &[MessageKind]) -> String {
    kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ")
}
