//! `taquilla sync`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;

use taquilla_client::{Client, Retries};
use taquilla_domain::{invalid::Invalid, signature::SigningSecret};
use taquilla_sync::{Address, Error, HashKey, Options, People, Receiver, Summary, Sync as Mirror};

use super::{
    flags,
    listen::{bind, parse_listen},
    mistake::Mistake,
    output::{Column, Output},
    printable::printable,
    stop::told_to_stop,
    sync_told::watcher,
    sync_verified,
};

/// Where a mirror that only listens looks by itself all the same, in seconds: what a message did not tell.
const LISTENING_EVERY: u64 = 900;

#[derive(Args)]
#[command(
    after_help = "The key is in TAQUILLA_KEY or in a file. With the permissions EVENTS_READ, ORDERS_READ and TICKETS_READ \
    everything is mirrored; what the key may not read is left out. Plain http only leads to this machine.\n\n\
    For example:\n  TAQUILLA_KEY=tq_… taquilla sync https://tickets.example --to sqlite:mirror.db\n  \
    taquilla sync https://tickets.example --key-file key --to postgres://me@localhost/analysis --follow 60\n  \
    taquilla sync https://tickets.example --key-file key --to sqlite:mirror.db --verify"
)]
pub struct Sync {
    /// The server's address, such as https://tickets.example
    #[arg(value_name = "URL")]
    url: String,
    /// Where the mirror is kept: sqlite:PATH, postgres://USER:PASSWORD@HOST/NAME, jsonl:FOLDER or csv:FOLDER
    #[arg(long, value_name = "ADDRESS")]
    to: String,
    /// The file with the API key, instead of TAQUILLA_KEY
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Go on, and look for changes every so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_every)]
    follow: Option<u64>,
    /// Go on, take webhooks on this address, and look for changes at once when one arrives
    ///
    /// They are signed with the secret in TAQUILLA_WEBHOOK_SECRET or in the file of --webhook-secret-file. Without --follow it
    /// also looks every 15 minutes.
    #[arg(long, value_name = "ADDR", value_parser = parse_listen)]
    listen: Option<String>,
    /// The file with the secret of the webhook endpoint (whsec_…), instead of TAQUILLA_WEBHOOK_SECRET
    #[arg(long, value_name = "FILE", requires = "listen")]
    webhook_secret_file: Option<PathBuf>,
    /// Load everything again when the last full load is this many seconds old, so that what no feed tells arrives; 0 is always
    #[arg(long, value_name = "SECONDS", value_parser = parse_full)]
    full_every: Option<u64>,
    /// What is kept of names, e-mail addresses, phone numbers and identity documents: keep, drop or hash
    ///
    /// Hashing gives the same text the same code. The key for it is in TAQUILLA_HASH_KEY or in the file of --hash-key-file.
    #[arg(long, value_name = "WHAT", default_value = "keep", value_parser = parse_people)]
    personal_data: Choice,
    /// The file with the key for hashing, of 16 bytes or more, instead of TAQUILLA_HASH_KEY
    #[arg(long, value_name = "FILE")]
    hash_key_file: Option<PathBuf>,
    /// Compare every row of the mirror with the server, and name what differs; changes nothing
    #[arg(long, conflicts_with_all = ["follow", "listen", "full_every"])]
    verify: bool,
    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Keep,
    Drop,
    Hash,
}

impl Choice {
    const ALL: [Self; 3] = [Self::Keep, Self::Drop, Self::Hash];

    fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
            Self::Hash => "hash",
        }
    }
}

fn parse_every(text: &str) -> Result<u64, Invalid> {
    flags::number(text, 1..=30 * 24 * 3_600)
}

fn parse_full(text: &str) -> Result<u64, Invalid> {
    flags::number(text, 0..=366 * 24 * 3_600)
}

fn parse_people(text: &str) -> Result<Choice, Invalid> {
    flags::named(text, &Choice::ALL, Choice::as_str)
}

#[derive(Serialize)]
struct TableOutput {
    table: &'static str,
    rows: u64,
    stored: u64,
    full: bool,
    left_out: bool,
}

impl Sync {
    pub async fn run(self) -> anyhow::Result<()> {
        let to = self.address()?;
        let client = self.client()?;
        let receiver = self.receiver().await?;
        let options = Options { people: self.people()?, full_every: self.full_every.map(Duration::from_secs) };
        let mut mirror = Mirror::open(client, &to, options, watcher()).await.map_err(told)?;
        if self.verify {
            let verified = mirror.verify().await.map_err(told)?;
            return sync_verified::show(&verified, &self.output);
        }
        let stop = told_to_stop().context("cannot listen for signals")?;
        let every = self.follow.or(self.listen.is_some().then_some(LISTENING_EVERY));
        match every {
            Some(every) => mirror.follow(Duration::from_secs(every), receiver, stop).await.map_err(told)?,
            None => {
                tokio::select! {
                    done = mirror.round() => done.map_err(told)?,
                    () = stop => bail!("interrupted; what was stored is whole, and the next run goes on from there"),
                }
            }
        }
        self.show(&mirror.summary().await.map_err(told)?)
    }

    /// Where the mirror is kept. It is read here and not with the other flags, whose mistakes are said with their values: this one
    /// may have a password.
    fn address(&self) -> Result<Address, Mistake> {
        self.to.parse().map_err(|cause: Error| Mistake::in_flag("--to", cause))
    }

    fn client(&self) -> anyhow::Result<Client> {
        let key = secret(self.key_file.as_deref(), "TAQUILLA_KEY", "--key-file", "the API key")?;
        // A mirror has more time than somebody who waits for a page: these attempts last about two minutes.
        let retries = Retries { attempts: 10, ..Retries::default() };
        let user_agent = concat!("taquilla-sync/", env!("CARGO_PKG_VERSION"));
        let client = Client::builder(&self.url, &key).retries(retries).user_agent(user_agent).build();
        client.map_err(|cause| Mistake::new(cause).into())
    }

    async fn receiver(&self) -> anyhow::Result<Option<Receiver>> {
        let Some(address) = &self.listen else { return Ok(None) };
        let (file, flag) = (self.webhook_secret_file.as_deref(), "--webhook-secret-file");
        let text = secret(file, "TAQUILLA_WEBHOOK_SECRET", flag, "the secret of the webhook endpoint")?;
        let secret = SigningSecret::parse(text.trim());
        let secret = secret.ok_or_else(|| Mistake::new("the secret of the webhook endpoint begins with whsec_"))?;
        let listener = bind("--listen", address).await?;
        eprintln!("Taking webhooks at http://{}", listener.local_addr()?);
        Ok(Some(Receiver::start(listener, secret)))
    }

    fn people(&self) -> anyhow::Result<People> {
        Ok(match self.personal_data {
            Choice::Keep => People::Keep,
            Choice::Drop => People::Drop,
            Choice::Hash => {
                let (file, flag) = (self.hash_key_file.as_deref(), "--hash-key-file");
                let key = secret(file, "TAQUILLA_HASH_KEY", flag, "the key for hashing")?;
                People::Hash(HashKey::new(key.as_bytes()).map_err(told)?)
            }
        })
    }

    fn show(&self, summary: &Summary) -> anyhow::Result<()> {
        let columns = [Column::Fact("table"), Column::Fact("rows"), Column::Fact("stored"), Column::Fact("how")];
        let how = |list: &taquilla_sync::ListSummary| match (list.is_refused, list.is_full) {
            (true, _) => "left out: the key may not read it",
            (_, true) => "everything",
            _ => "what changed",
        };
        self.output.list(
            &summary.lists,
            &columns,
            &[],
            |list| TableOutput {
                table: list.table,
                rows: list.rows,
                stored: list.stored,
                full: list.is_full,
                left_out: list.is_refused,
            },
            |list| {
                let count = |number: u64| HumanCount(number).to_string();
                vec![list.table.to_owned(), count(list.rows), count(list.stored), how(list).to_owned()]
            },
        )
    }
}

/// Something secret, from a file or from the environment: not from the command line, which everybody on this machine can see.
fn secret(file: Option<&Path>, variable: &str, flag: &str, what: &str) -> anyhow::Result<String> {
    if let Some(file) = file {
        let read =
            fs::read_to_string(file).map_err(|cause| Mistake::in_flag(flag, format!("{}: {cause}", file.display())))?;
        return Ok(read.trim_end_matches(['\r', '\n']).to_owned());
    }
    match env::var(variable) {
        Ok(value) if !value.is_empty() => Ok(value),
        _ => {
            Err(Mistake::new(format!("{what} is missing: put it into {variable}, or into a file that {flag} names"))
                .into())
        }
    }
}

/// A mistake of the command ends with its own code. What a server says is shown, never obeyed.
fn told(cause: Error) -> anyhow::Error {
    match cause {
        Error::Mistake(message) => Mistake::new(printable(&message)).into(),
        cause => cause.into(),
    }
}
