//! Where the world reaches this service, for links that leave it.

use clap::Args;

use crate::{
    config::DEFAULT_LISTEN,
    domain::{invalid::Invalid, public_url::PublicUrl},
    store::{Store, settings},
};

#[derive(Args)]
pub struct PublicUrlArg {
    /// Where the world reaches the service, such as https://tickets.example.com. `serve` remembers it for the other commands
    #[arg(long, value_name = "URL", env = "TAQUILLA_PUBLIC_URL", value_parser = parse)]
    public_url: Option<Given>,
}

/// What was given; a variable that is set to nothing gives nothing.
#[derive(Clone)]
struct Given(Option<PublicUrl>);

fn parse(text: &str) -> Result<Given, Invalid> {
    let url = if text.is_empty() { None } else { Some(PublicUrl::parse(text)?) };
    Ok(Given(url))
}

impl PublicUrlArg {
    pub fn given(&self) -> Option<&PublicUrl> {
        self.public_url.as_ref().and_then(|Given(url)| url.as_ref())
    }

    /// What was given, what a server was started with, or this machine.
    pub async fn resolve(&self, store: &Store) -> anyhow::Result<String> {
        let remembered = match self.given() {
            Some(given) => Some(given.clone()),
            None => settings::public_url(&mut store.read().await?).await?,
        };
        Ok(remembered.map_or_else(|| format!("http://{DEFAULT_LISTEN}"), |url| url.as_str().to_owned()))
    }
}
