//! `taquilla terms`.

use std::{fs, path::PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};

use taquilla_domain::terms::{NewTerms, Terms};
use taquilla_rules::admin::terms;
use taquilla_store::{Store, Tenant, sales::terms as rows};
use taquilla_wire::shop;

use super::{
    by::by,
    catalogue_find::an_event,
    common::OfProducer,
    flags,
    output::{moment, refused},
};

#[derive(Subcommand)]
pub enum TermsCommand {
    /// Have buyers of the shop accept terms before they order; they replace those before
    Set(Set),
    /// Show the terms that buyers accept
    Show(Which),
    /// Have buyers accept no terms any more; orders keep what theirs accepted
    End(Which),
}

#[derive(Args)]
pub struct Set {
    /// What they say
    #[arg(long, conflicts_with = "text_file")]
    text: Option<String>,
    /// A file with what they say
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// Where they can be read, such as https://www.example.org/terms
    #[arg(long, value_name = "ADDRESS", required_unless_present_any = ["text", "text_file"])]
    url: Option<String>,
    #[command(flatten)]
    which: Which,
}

#[derive(Args)]
pub struct Which {
    /// Those of this event alone; without it, those of all events of the producer that have none of their own
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: Option<String>,
    #[command(flatten)]
    of: OfProducer,
}

impl TermsCommand {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Set(set) => set.run().await,
            Self::Show(which) => which.show().await,
            Self::End(which) => which.end().await,
        }
    }
}

impl Set {
    async fn run(self) -> anyhow::Result<()> {
        let read = |path: &PathBuf| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
        let text = self.text_file.as_ref().map(read).transpose()?.or(self.text);
        let new = NewTerms::parse(text.as_deref(), self.url.as_deref());
        let new = new.map_err(|(field, invalid)| refused(invalid.in_field(field).into()))?;
        let (store, tenant) = self.which.of.open().await?;
        terms::set(&store, tenant, self.which.event.as_deref(), &new, &by()).await.map_err(refused)?;
        self.which.print(&store, tenant).await
    }
}

impl Which {
    async fn show(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, self.event.as_deref()).await?;
        self.print(&store, tenant).await
    }

    async fn end(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        terms::end(&store, tenant, self.event.as_deref(), &by()).await.map_err(refused)?;
        self.print(&store, tenant).await
    }

    /// What buyers accept now. Those of an event without terms of its own are its producer's.
    async fn print(&self, store: &Store, tenant: Tenant) -> anyhow::Result<()> {
        let mut conn = store.read().await?;
        let found = rows::of_event(&mut conn, tenant, self.event.as_deref().unwrap_or_default()).await?;
        let shown = found.as_ref().map(shop::Terms::from);
        let fields = found.as_ref().map_or_else(|| vec![("id", "none".to_owned())], fields);
        self.of.output().one(&shown, &fields)
    }
}

fn fields(terms: &Terms) -> Vec<(&'static str, String)> {
    vec![
        ("id", terms.id.clone()),
        ("event", terms.event_id.clone().unwrap_or_else(|| "all without terms of their own".to_owned())),
        ("text", terms.text.clone().unwrap_or_default()),
        ("address", terms.url.clone().unwrap_or_default()),
        ("since", moment(Some(terms.created_at))),
    ]
}
