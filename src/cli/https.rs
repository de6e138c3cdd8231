//! Https of a server's own: its flags.

use std::path::PathBuf;

use clap::Args;

use taquilla_domain::{
    clock::Stamp,
    config::{
        ACME_DIRECTORY, ACME_DOMAINS_MAX, Acme, DEFAULT_LISTEN, DEFAULT_LISTEN_HTTPS, DEFAULT_LISTEN_LOCAL, Https,
    },
    invalid::Invalid,
    public_url::PublicUrl,
    time_source::TimeSource,
};
use taquilla_rules::task::Task;

use super::{
    common::Database,
    https_local::HttpsLocal,
    listen::{Listen, bind, from_here, handed_over},
    mistake::Mistake,
};
use crate::{server::Listeners, tls};

#[derive(Args)]
pub struct OwnHttps {
    /// Serve https with this certificate: a PEM file with the whole chain, read again when it changes
    #[arg(long, value_name = "FILE", env = "TAQUILLA_TLS_CERT", requires = "tls_key", conflicts_with_all = ["acme", "https_local"])]
    tls_cert: Option<PathBuf>,
    /// The private key of --tls-cert, a PEM file without a password
    #[arg(long, value_name = "FILE", env = "TAQUILLA_TLS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Serve https with a certificate for this domain, ordered and renewed by ACME; repeat for several. You agree to the authority's terms
    #[arg(long, value_name = "DOMAIN", env = "TAQUILLA_ACME", value_delimiter = ',', value_parser = tls::domain, conflicts_with = "https_local")]
    acme: Vec<String>,
    /// The folder for the ACME account and the certificates; servers may share it [default: acme beside the data]
    #[arg(long, value_name = "FOLDER", env = "TAQUILLA_ACME_DIR")]
    acme_dir: Option<PathBuf>,
    /// The authority's ACME directory
    #[arg(long, value_name = "URL", env = "TAQUILLA_ACME_DIRECTORY", default_value = ACME_DIRECTORY, value_parser = parse_directory)]
    acme_directory: String,
    /// A PEM file with the roots for the authority's own https, instead of the system's
    #[arg(long, value_name = "FILE", env = "TAQUILLA_ACME_ROOT")]
    acme_root: Option<PathBuf>,
    #[command(flatten)]
    local: HttpsLocal,
}

fn parse_directory(text: &str) -> Result<String, Invalid> {
    match text.strip_prefix("https://").is_some_and(|rest| !rest.is_empty()) && url::Url::parse(text).is_ok() {
        true => Ok(text.to_owned()),
        false => Err(Invalid::new(format!("an https address is expected, such as {ACME_DIRECTORY}"))),
    }
}

/// How a server is reached.
pub struct Reached {
    pub listeners: Listeners,
    pub https: Option<Https>,
    /// The address for links, where nobody has said another.
    pub address: String,
    /// The address that the world uses, where that follows from the flags.
    pub public_url: Option<PublicUrl>,
    /// What to say before the server begins.
    pub greeting: Option<String>,
    /// These keep the certificates up to date.
    pub keepers: Vec<Task>,
}

impl OwnHttps {
    pub fn speaks_https(&self) -> bool {
        self.local.https_local || self.tls_cert.is_some() || !self.acme.is_empty()
    }

    /// Where a server listens that nobody has told where.
    pub fn default_listen(&self) -> &'static str {
        match self.speaks_https() {
            true if self.local.https_local => DEFAULT_LISTEN_LOCAL,
            true => DEFAULT_LISTEN_HTTPS,
            false => DEFAULT_LISTEN,
        }
    }

    /// Listens, with a certificate if https is to be spoken.
    pub async fn prepare(self, listen: &Listen, database: &Database) -> anyhow::Result<Reached> {
        if self.local.https_local {
            let tried = self.local.prepare(listen, database).await?;
            let greeting = format!(
                "On a phone in the same network, open\n\n  {}\n\nThe page there says what the phone will warn of, and leads \
                 on to {}\n",
                tried.page, tried.address
            );
            let (listeners, address) = (tried.listeners, tried.address);
            let (https, greeting) = (Some(Https::Local), Some(greeting));
            return Ok(Reached { listeners, https, address, public_url: None, greeting, keepers: Vec::new() });
        }
        let speaks_https = self.speaks_https();
        self.check()?;
        // Settings that cannot be used are said before a port is taken.
        let kept = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => {
                let (certificates, keeper) = tls::follow(certificate, key).map_err(Mistake::new)?;
                Some((certificates, vec![keeper]))
            }
            _ if self.acme.is_empty() => None,
            _ => Some(tls::obtain(self.acme_settings(database), &TimeSource::System).map_err(Mistake::new)?),
        };
        let handed = handed_over()?;
        let stays = handed.is_some();
        let main = match handed {
            Some(listener) => listener,
            None => listen.bind(self.default_listen()).await?,
        };
        let http = match &self.local.http_listen {
            Some(address) => Some(bind("--http-listen", address).await?),
            None => None,
        };
        let scheme = if speaks_https { "https" } else { "http" };
        let address = format!("{scheme}://{}", from_here(main.local_addr()?));
        let public_url = match self.acme.first() {
            Some(domain) => Some(PublicUrl::parse(&format!("https://{domain}"))?),
            None => None,
        };
        let (certificates, keepers) = kept.unzip();
        let keepers = keepers.unwrap_or_default();
        let https = speaks_https.then_some(Https::Trusted);
        let listeners = Listeners { main, stays, certificates, http, metrics: None };
        Ok(Reached { listeners, https, address, public_url, greeting: None, keepers })
    }

    /// Says what no server starts with.
    pub fn check(&self) -> Result<(), Mistake> {
        if self.local.http_listen.is_some() && !self.speaks_https() {
            let advice =
                "it leads to https, which this server does not speak; give --tls-cert, --acme or --https-local too";
            return Err(Mistake::in_flag("--http-listen", advice));
        }
        if self.domains().len() > ACME_DOMAINS_MAX {
            let advice = format!("one server has {ACME_DOMAINS_MAX} domains at most");
            return Err(Mistake::in_flag("--acme", advice));
        }
        Ok(())
    }

    /// From when and until when the certificate in the files is valid, if there are to be any.
    pub fn files(&self) -> Option<Result<(Stamp, Stamp), tls::NotUsable>> {
        let (certificate, key) = (self.tls_cert.as_ref()?, self.tls_key.as_ref()?);
        Some(tls::look_at_files(certificate, key))
    }

    /// The folder for ACME, and what it has for each domain.
    pub fn ordered(&self, database: &Database) -> Option<(PathBuf, Vec<tls::Ordered>)> {
        if self.acme.is_empty() {
            return None;
        }
        let settings = self.acme_settings(database);
        let ordered = tls::look_at_ordered(&settings);
        Some((settings.folder, ordered))
    }

    /// The domains, each once. The first one is for links, and for clients that ask for no name.
    fn domains(&self) -> Vec<String> {
        let mut domains: Vec<String> = Vec::new();
        for domain in &self.acme {
            if !domains.contains(domain) {
                domains.push(domain.clone());
            }
        }
        domains
    }

    fn acme_settings(&self, database: &Database) -> Acme {
        let (domains, directory, root) = (self.domains(), self.acme_directory.clone(), self.acme_root.clone());
        let folder = self.acme_dir.clone().unwrap_or_else(|| database.folder().join("acme"));
        Acme { domains, folder, directory, root }
    }
}
