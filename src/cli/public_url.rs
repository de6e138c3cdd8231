//! Where the world reaches this service, for links that leave it.

use anyhow::ensure;
use clap::Args;

use crate::{
    config::{DEFAULT_LISTEN, TEXT_MAX},
    store::{Store, settings},
};

#[derive(Args)]
pub struct PublicUrl {
    /// Where the world reaches the service, such as https://tickets.example.com. `serve` remembers it for the other commands
    #[arg(long, value_name = "URL", env = "TAQUILLA_PUBLIC_URL")]
    public_url: Option<String>,
}

impl PublicUrl {
    /// What was given, without the slash at its end.
    pub fn given(&self) -> anyhow::Result<Option<&str>> {
        let given = self.public_url.as_deref().map(|url| url.trim_end_matches('/')).filter(|url| !url.is_empty());
        let Some(url) = given else { return Ok(None) };
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
        let plain = host.bytes().all(|byte| byte.is_ascii_graphic() && !b"/?#@\"<>\\".contains(&byte));
        ensure!(
            !host.is_empty() && plain && url.len() <= TEXT_MAX,
            "--public-url is an address such as https://tickets.example.com, without a path"
        );
        Ok(Some(url))
    }

    /// What was given, what a server was started with, or this machine.
    pub async fn resolve(&self, store: &Store) -> anyhow::Result<String> {
        match self.given()? {
            Some(url) => Ok(url.to_owned()),
            None => Ok(settings::public_url(store).await?.unwrap_or_else(|| format!("http://{DEFAULT_LISTEN}"))),
        }
    }
}
