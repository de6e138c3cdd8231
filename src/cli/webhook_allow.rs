//! Networks that webhooks may be sent to although they are not public.

use std::net::IpAddr;

use anyhow::Context;
use clap::Args;
use ipnet::IpNet;

#[derive(Args)]
pub struct WebhookAllow {
    /// Send webhooks to this network although it is not public, and without TLS, such as 127.0.0.1 or 10.1.0.0/16. For
    /// development; the server and `webhook create` each need to know
    #[arg(long, value_name = "NETWORK", env = "TAQUILLA_WEBHOOK_ALLOW", value_delimiter = ',')]
    webhook_allow: Vec<String>,
}

impl WebhookAllow {
    /// The networks. A variable that is set to nothing names none.
    pub fn networks(&self) -> anyhow::Result<Vec<IpNet>> {
        let given = self.webhook_allow.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        given.map(parse_network).collect()
    }
}

fn parse_network(text: &str) -> anyhow::Result<IpNet> {
    let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    network.with_context(|| {
        format!("--webhook-allow {text}: an address such as 127.0.0.1 is expected, or a network such as 10.1.0.0/16")
    })
}
