//! `taquilla door-link`.

use anyhow::Context;
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use serde::Serialize;

use taquilla_domain::{
    admit::Scope,
    clock::Stamp,
    config::LOG_DEFAULT,
    door_link::{DoorLink, LinkOption, LinkOptions, NewDoorLink, Stations},
    pin::Pin,
    status::Category,
    text::Name,
};
use taquilla_rules::admin::door_links;
use taquilla_store::{
    Store, Tenant,
    door::{
        links,
        scans::{self, Logged},
    },
    owners,
};
use taquilla_wire::{
    Time,
    door::{DoorLinkInfo, LoggedScan},
};

use super::{
    by::by,
    common::{Common, OfProducer},
    flags,
    mistake::Mistake,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
    public_url::PublicUrlArg,
};

#[derive(Subcommand)]
pub enum DoorLinks {
    /// Create a link for door or bar staff; it is shown once, only its hash is kept
    Create(Box<Create>),
    /// List a producer's door links, newest first
    List(OfProducer),
    /// Revoke a door link; the next scan with it is refused
    Revoke(Which),
    /// Show the last scans through a door link, admitted or not
    Log(Log),
}

#[derive(Args)]
pub struct Create {
    /// The event it opens; repeat it for several events of one night that share a door
    #[arg(long, value_name = "ID", value_parser = flags::id, required = true)]
    event: Vec<String>,
    /// What it is called, such as "Main gate"
    #[arg(long, value_parser = Name::parse)]
    label: Name,
    /// Admit only items of this category; repeat for several
    #[arg(long, value_name = "CATEGORY", value_parser = PossibleValuesParser::new([Category::Ticket.as_str(), Category::Merchandise.as_str()]))]
    category: Vec<String>,
    /// Admit only this ticket type, besides the categories; repeat for several
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    ticket_type: Vec<String>,
    /// A station where the link may be used; repeat for several. Without one, staff name theirs
    #[arg(long, value_name = "NAME", value_parser = Name::parse)]
    station: Vec<Name>,
    /// Let it find guests by name, order or e-mail address, and let them in without their code
    #[arg(long)]
    by_name: bool,
    /// Ask its staff before each entry counts
    #[arg(long)]
    confirm: bool,
    /// Let guests scan by themselves: the page fills the screen and tells no names. It may do nothing else
    #[arg(long, conflicts_with_all = ["by_name", "confirm", "party", "undo"])]
    kiosk: bool,
    /// Let it offer the others of an order when one of its tickets is scanned, and let them in at once
    #[arg(long)]
    party: bool,
    /// Let it take back a mistaken entry
    #[arg(long)]
    undo: bool,
    /// Scan people out, who may come in again where their ticket type allows it
    #[arg(long)]
    out: bool,
    /// The part of the place that its doors lead to, where people inside are counted; without it, the place as a whole
    #[arg(long, value_name = "NAME", value_parser = Name::parse)]
    zone: Option<Name>,
    /// Ask for this PIN first: 4 to 12 digits. Do not send it together with the link
    #[arg(long)]
    pin: Option<String>,
    /// When it stops working by itself, such as 2027-01-01T06:00:00Z
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    expires_at: Option<Stamp>,
    #[command(flatten)]
    public_url: PublicUrlArg,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Which {
    /// The link's id (dl_…), as `door-link list` shows it
    #[arg(value_parser = flags::id)]
    link_id: String,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub struct Log {
    #[command(flatten)]
    which: Which,
    /// How many, newest first
    #[arg(long, value_name = "N", default_value_t = LOG_DEFAULT, value_parser = flags::limit)]
    limit: i64,
}

/// A link as commands show it: what there is to know, and what only its owner may.
#[derive(Serialize)]
struct DoorLinkOutput<'a> {
    #[serde(flatten)]
    info: DoorLinkInfo<'a>,
    last_four: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

impl<'a> DoorLinkOutput<'a> {
    fn new(link: &'a DoorLink) -> Self {
        Self { info: DoorLinkInfo::from(link), last_four: &link.last_four, token: None, url: None }
    }
}

fn admits(link: &DoorLink) -> String {
    let categories = link.scope.categories.iter().map(|category| category.as_str());
    let all: Vec<&str> = categories.chain(link.scope.ticket_types.iter().map(String::as_str)).collect();
    if all.is_empty() { "everything".into() } else { all.join(", ") }
}

fn events_of(link: &DoorLink) -> String {
    link.events().collect::<Vec<_>>().join(", ")
}

fn may(link: &DoorLink) -> String {
    let options = link.options.iter().map(LinkOption::as_str);
    ["scan"].into_iter().chain(options).collect::<Vec<_>>().join(", ")
}

fn stations(link: &DoorLink) -> String {
    if link.stations.is_empty() { "any".into() } else { link.stations.join(", ") }
}

impl DoorLinks {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(of) => list(of).await,
            Self::Revoke(which) => which.revoke().await,
            Self::Log(log) => log.run().await,
        }
    }
}

impl Create {
    /// What it may do besides scanning.
    fn options(&self) -> LinkOptions {
        let asked = [
            (self.by_name, LinkOption::ByName),
            (self.confirm, LinkOption::Confirm),
            (self.kiosk, LinkOption::Kiosk),
            (self.party, LinkOption::Party),
            (self.undo, LinkOption::Undo),
            (self.out, LinkOption::Out),
        ];
        asked.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, option)| option).collect()
    }

    async fn run(self) -> anyhow::Result<()> {
        let options = self.options();
        let mut events = self.event.into_iter();
        let new = NewDoorLink {
            event_id: events.next().unwrap_or_default(),
            more_events: events.collect(),
            label: self.label,
            scope: Scope {
                categories: self.category.iter().filter_map(|name| Category::parse(name)).collect(),
                ticket_types: self.ticket_type,
            },
            stations: Stations::new(self.station).map_err(|invalid| Mistake::in_flag("--station", invalid))?,
            zone: self.zone,
            options,
            // Not by clap, which would print a wrong one.
            pin: self
                .pin
                .as_deref()
                .map(Pin::parse)
                .transpose()
                .map_err(|invalid| Mistake::in_flag("--pin", invalid))?,
            expires_at: self.expires_at,
        };
        let (store, tenant) = self.of.open().await?;
        let public_url = self.public_url.resolve(&store).await?;
        let created = door_links::create(&store, tenant, new, &by()).await;
        let (link, token) = created.map_err(refused)?;
        let url = format!("{}/door#{}", public_url.as_str(), token.reveal());
        let fields = [
            ("id", link.id.clone()),
            ("label", link.label.clone()),
            ("event", events_of(&link)),
            ("admits", admits(&link)),
            ("stations", stations(&link)),
            ("may", may(&link)),
            ("PIN", if link.pin_hash.is_some() { "yes".into() } else { "none".into() }),
            ("expires", moment(link.life.expires_at)),
            ("link", url.clone()),
            ("", "Send the link now: it is not shown again. Whoever has it may do this, and nothing else.".to_owned()),
        ];
        let shown = DoorLinkOutput { token: Some(token.reveal()), url: Some(&url), ..DoorLinkOutput::new(&link) };
        self.of.output().one(&shown, &fields)
    }
}

async fn list(of: OfProducer) -> anyhow::Result<()> {
    let (store, tenant) = of.open().await?;
    let links = links::list(&mut store.read().await?, tenant).await?;
    let columns = [Id("id"), Text("label"), Text("admits"), Fact("revoked")];
    let more = [
        Id("event"),
        Text("stations"),
        Text("may"),
        Fact("PIN"),
        Fact("ends in"),
        Fact("created"),
        Fact("last used"),
        Fact("expires"),
    ];
    of.output().list(&links, &columns, &more, DoorLinkOutput::new, |link| {
        vec![
            link.id.clone(),
            link.label.clone(),
            admits(link),
            moment(link.life.revoked_at),
            events_of(link),
            stations(link),
            may(link),
            if link.pin_hash.is_some() { "yes".into() } else { "–".into() },
            link.last_four.clone(),
            moment(Some(link.life.created_at)),
            moment(link.life.last_used_at),
            moment(link.life.expires_at),
        ]
    })
}

impl Which {
    /// The database, and whose link it is.
    async fn open(&self) -> anyhow::Result<(Store, Tenant)> {
        let (store, id) = (self.common.open().await?, &self.link_id);
        let owner = owners::of_door_link(&mut store.read().await?, id).await?;
        let unknown = || format!("there is no door link {id}; `taquilla door-link list --producer ID` shows the ids");
        Ok((store, owner.with_context(unknown)?))
    }

    async fn revoke(self) -> anyhow::Result<()> {
        let (store, tenant) = self.open().await?;
        let revoked = door_links::revoke(&store, tenant, &self.link_id, &by()).await;
        let link = revoked.map_err(refused)?;
        let fields =
            [("id", link.id.clone()), ("label", link.label.clone()), ("revoked", moment(link.life.revoked_at))];
        self.common.output.one(&DoorLinkOutput::new(&link), &fields)
    }
}

impl Log {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.which.open().await?;
        let scans = scans::of_link(&mut store.read().await?, tenant, &self.which.link_id, self.limit).await?;
        let columns = [Fact("accepted"), Fact("outcome"), Text("station"), Id("ticket")];
        let more = [Fact("by the phone's clock")];
        self.which.common.output.list(&scans, &columns, &more, shown, |scan| {
            vec![
                moment(Some(scan.accepted_at)),
                scan.outcome.as_str().to_owned(),
                scan.station.clone(),
                scan.ticket_id.uncovered().clone().unwrap_or_else(|| "–".into()),
                moment(scan.scanned_at),
            ]
        })
    }
}

fn shown(scan: &Logged) -> LoggedScan<'_> {
    LoggedScan {
        scan_id: &scan.scan_id,
        station: &scan.station,
        outcome: scan.outcome.into(),
        ticket_id: scan.ticket_id.uncovered().as_deref(),
        scanned_at: scan.scanned_at.map(Time),
        accepted_at: scan.accepted_at.into(),
    }
}
