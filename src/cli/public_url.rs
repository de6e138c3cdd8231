//! Where the world reaches this service, for links that leave it.

use anyhow::Context;
use clap::Args;

use taquilla_domain::{invalid::Invalid, public_url::PublicUrl};
use taquilla_rules::admin;
use taquilla_store::{Store, settings};

#[derive(Args)]
pub struct PublicUrlArg {
    /// The service's public address, such as https://tickets.example.com. The server remembers it for the other commands
    #[arg(long, value_name = "URL", env = "TAQUILLA_PUBLIC_URL", value_parser = parse)]
    public_url: Option<OptionalUrl>,
}

/// An address, or none where the variable is set to nothing.
#[derive(Clone)]
struct OptionalUrl(Option<PublicUrl>);

fn parse(text: &str) -> Result<OptionalUrl, Invalid> {
    let url = if text.is_empty() { None } else { Some(PublicUrl::parse(text)?) };
    Ok(OptionalUrl(url))
}

impl PublicUrlArg {
    pub fn given(&self) -> Option<&PublicUrl> {
        self.public_url.as_ref().and_then(|OptionalUrl(url)| url.as_ref())
    }

    /// What was given, or else this.
    pub fn or(self, other: Option<PublicUrl>) -> Self {
        let given = self.given().cloned().or(other);
        Self { public_url: Some(OptionalUrl(given)) }
    }

    /// What was given, or what a server was started with.
    pub async fn known(&self, store: &Store) -> anyhow::Result<Option<PublicUrl>> {
        match self.given() {
            Some(given) => Ok(Some(given.clone())),
            None => Ok(settings::public_url(&mut store.read().await?).await?),
        }
    }

    /// What is known. Without it a link would lead nowhere.
    pub async fn resolve(&self, store: &Store) -> anyhow::Result<PublicUrl> {
        self.known(store).await?.context(
            "where the service is reached is not known, so a link would lead nowhere; say it with --public-url \
             https://tickets.example.com, or start the server with that flag: `taquilla serve` remembers it",
        )
    }

    /// Remembers what was given for other commands.
    pub async fn remember(&self, store: &Store) -> anyhow::Result<()> {
        match self.given() {
            Some(url) => Ok(admin::settings::set_public_url(store, url).await?),
            None => Ok(()),
        }
    }
}
