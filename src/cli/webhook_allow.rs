//! Networks that webhooks may be sent to although they are not public.

use clap::Args;
use ipnet::IpNet;

#[derive(Args)]
pub struct WebhookAllow {
    /// Send webhooks to this network although it is not public, and without TLS, such as 127.0.0.1 or 10.1.0.0/16. For
    /// development; the server and `webhook create` each need to know
    #[arg(long, value_name = "NETWORK", env = "TAQUILLA_WEBHOOK_ALLOW", value_delimiter = ',', value_parser = parse_network)]
    pub webhook_allow: Vec<IpNet>,
}

fn parse_network(text: &str) -> Result<IpNet, String> {
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<std::net::IpAddr>().map(IpNet::from))
        .map_err(|_| "an address such as 127.0.0.1, or a network such as 10.1.0.0/16".into())
}
