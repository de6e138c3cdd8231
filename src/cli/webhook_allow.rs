//! Networks that webhooks may be sent to although they are not public.

use std::net::IpAddr;

use clap::Args;
use ipnet::IpNet;

use taquilla_domain::invalid::Invalid;

#[derive(Args)]
pub struct WebhookAllow {
    /// Send webhooks to this network although it is not public, and without TLS, such as 127.0.0.1 or 10.1.0.0/16. For
    /// development; the server and `webhook create` each need to know
    #[arg(long, value_name = "NETWORK", env = "TAQUILLA_WEBHOOK_ALLOW", value_delimiter = ',', value_parser = parse)]
    webhook_allow: Vec<OptionalNetwork>,
}

/// A network, or none where the variable is set to nothing.
#[derive(Clone)]
struct OptionalNetwork(Option<IpNet>);

impl WebhookAllow {
    pub fn networks(&self) -> Vec<IpNet> {
        self.webhook_allow.iter().filter_map(|OptionalNetwork(network)| *network).collect()
    }
}

fn parse(text: &str) -> Result<OptionalNetwork, Invalid> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(OptionalNetwork(None));
    }
    let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    let expected = "an address such as 127.0.0.1 is expected, or a network such as 10.1.0.0/16";
    network.map(|network| OptionalNetwork(Some(network))).ok_or(Invalid::new(expected))
}
