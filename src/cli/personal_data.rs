//! `taquilla person`.

use anyhow::bail;
use clap::{Args, Subcommand};
use indicatif::HumanCount;

use taquilla_domain::{
    time_source::TimeSource,
    whom::{Named, erased},
    work::WorkKind,
};
use taquilla_rules::{
    admin::{people, person_export},
    work,
};
use taquilla_store::{
    producers,
    work::pieces::{self, Piece},
};
use taquilla_wire::{
    Time,
    person::{Erasure, HowMuch},
};

use super::{
    by::by,
    common::{Common, OfProducer, PRODUCER},
    flags,
    output::{
        Column::{Fact, Id},
        moment, refused, say,
    },
    printable::printable_json,
};

#[derive(Subcommand)]
pub enum Person {
    /// Show how much is held of a person
    Show(Show),
    /// Print everything that is held of a person, as JSON
    Export(Export),
    /// Erase what is held of a person
    ///
    /// Orders and tickets stay, and tickets still open the door; their buyer or attendee is replaced by nobody. It cannot be
    /// undone. If it is interrupted, a server goes on with it, or the same command does.
    Erase(Erase),
    /// List erasures, newest first, without who they were about
    ///
    /// Keep the output with --json outside the database: a backup from before an erasure has the person still, and
    /// `taquilla restore --erased FILE` erases them again.
    Erasures(Erasures),
}

/// Who is meant.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Who {
    /// The person's e-mail address; case does not matter
    #[arg(long, value_name = "ADDRESS", value_parser = Named::email)]
    email: Option<Named>,
    /// The number of the person's identity document; spaces and punctuation do not matter
    #[arg(long, value_name = "NUMBER", value_parser = Named::document)]
    document: Option<Named>,
}

impl Who {
    fn named(self) -> anyhow::Result<Named> {
        match self.email.or(self.document) {
            Some(named) => Ok(named),
            None => bail!("say who is meant, with --email or --document"),
        }
    }
}

#[derive(Args)]
pub struct Show {
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Export {
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Erase {
    #[command(flatten)]
    who: Who,
    /// Erase without first showing what is held
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Erasures {
    /// Only those of this producer
    #[arg(long, value_name = "ID", env = PRODUCER, value_parser = flags::id)]
    producer: Option<String>,
    #[command(flatten)]
    common: Common,
}

impl Person {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Show(show) => show.run().await,
            Self::Export(export) => export.run().await,
            Self::Erase(erase) => erase.run().await,
            Self::Erasures(erasures) => erasures.run().await,
        }
    }
}

fn fields(much: &HowMuch) -> Vec<(&'static str, String)> {
    let count = |count: usize| HumanCount(count as u64).to_string();
    let mut fields = vec![
        ("orders", count(much.orders)),
        ("of them pending", count(much.pending_orders)),
        ("tickets", count(much.tickets)),
        ("of them valid", count(much.valid_tickets)),
        ("named in orders", count(much.named_in_orders)),
    ];
    if !much.other_emails.is_empty() {
        fields.push(("other addresses", much.other_emails.join(", ")));
    }
    if !much.other_documents.is_empty() {
        fields.push(("other documents", much.other_documents.join(", ")));
    }
    if much.is_in_team {
        fields.push(("team", "has an account, which is not erased: see `taquilla user disable`".to_owned()));
    }
    fields
}

impl Show {
    async fn run(self) -> anyhow::Result<()> {
        let named = self.who.named()?;
        let (store, tenant) = self.of.open().await?;
        let much = people::find(&store, tenant, &named, usize::MAX).await?.how_much(&named).into_uncovered();
        self.of.output().one(&much, &fields(&much))
    }
}

impl Export {
    async fn run(self) -> anyhow::Result<()> {
        let named = self.who.named()?;
        let (store, tenant) = self.of.open().await?;
        let found = people::find(&store, tenant, &named, usize::MAX).await?;
        let (id, name) = producers::get(&mut store.read().await?, tenant).await?;
        let by = by();
        let json = person_export::json((&id, &name), &named, &found, by.now)?;
        people::note_export(&store, tenant, &named, &found, &by).await.map_err(refused)?;
        say(&printable_json(json.into_uncovered()))
    }
}

impl Erase {
    async fn run(self) -> anyhow::Result<()> {
        let named = self.who.named()?;
        let (store, tenant) = self.of.open().await?;
        if !self.yes {
            let much = people::find(&store, tenant, &named, usize::MAX).await?.how_much(&named).into_uncovered();
            self.of.output().one(&much, &fields(&much))?;
            bail!("nothing is erased yet; this cannot be undone: add --yes to erase it");
        }
        let piece = people::begin_erasure_here(&store, tenant, &named, &by()).await.map_err(refused)?;
        let piece = work::erase_now(&store, &TimeSource::System, &piece).await.map_err(refused)?;
        let outcome: serde_json::Value = serde_json::from_str(&piece.outcome).unwrap_or_default();
        let count = |field: &str| HumanCount(outcome[field].as_u64().unwrap_or(0)).to_string();
        let fields = [
            ("id", piece.id.clone()),
            ("orders", count("orders")),
            ("tickets", count("tickets")),
            ("named in orders", count("waiting")),
            ("answers", count("answers")),
            ("messages", count("messages")),
            ("files given up", count("files")),
        ];
        let value = serde_json::json!({"id": piece.id, "finished_at": piece.finished_at.map(Time), "erased": outcome});
        self.of.output().one(&value, &fields)
    }
}

fn shown<'a>((producer, piece): &'a (String, Piece)) -> Erasure<'a> {
    let (named_by, digest) = erased(&piece.subject).unzip();
    Erasure {
        id: &piece.id,
        producer,
        named_by: named_by.map(|by| by.as_str()),
        digest,
        created_at: Time(piece.created_at),
        finished_at: piece.finished_at.map(Time),
        rows: piece.done,
    }
}

impl Erasures {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.common.open().await?;
        let mut conn = store.read().await?;
        let mut all = producers::all(&mut conn).await?;
        if let Some(id) = &self.producer {
            all.retain(|(_, public)| public == id);
            if all.is_empty() {
                bail!("there is no producer {id}; see: taquilla producer list");
            }
        }
        let mut rows = Vec::new();
        for (tenant, id) in all {
            let of = pieces::last(&mut conn, tenant, WorkKind::Erasure, i64::MAX).await?;
            rows.extend(of.into_iter().map(|piece| (id.clone(), piece)));
        }
        rows.sort_by(|(_, one), (_, other)| other.id.cmp(&one.id));
        let columns = [Id("id"), Id("producer"), Fact("by"), Fact("asked for"), Fact("done"), Fact("rows")];
        self.common.output.list(&rows, &columns, &[], shown, |row| {
            let erasure = shown(row);
            vec![
                erasure.id.to_owned(),
                erasure.producer.to_owned(),
                erasure.named_by.unwrap_or("–").to_owned(),
                moment(Some(row.1.created_at)),
                moment(row.1.finished_at),
                erasure.rows.to_string(),
            ]
        })
    }
}
