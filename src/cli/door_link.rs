//! `taquilla door-link`.

use anyhow::{bail, ensure};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use serde::Serialize;

use super::{
    Database,
    catalog::parse_stamp,
    database::find_producer,
    output::{Output, moment},
    producer::check_name,
    public_url::PublicUrl,
};
use crate::{
    app::Time,
    config::{DOOR_LIST_MAX, LOG_DEFAULT, PIN_DIGITS},
    domain::{
        admit::Scope,
        key::{Opens, Secret},
        status::Category,
    },
    store::{
        Store,
        door_links::{self, DoorLink, NewDoorLink},
        events,
        producers::Tenant,
        scans, types,
    },
    wire::DoorLinkInfo,
};

#[derive(Subcommand)]
pub enum DoorLinks {
    /// Create a link for door or bar staff; it is shown once, only its hash is kept
    Create(Create),
    /// List a producer's door links, newest first
    List(List),
    /// Revoke a door link; the next scan with it is refused
    Revoke(Which),
    /// Show the last scans through a door link, admitted or not
    Log(Log),
}

#[derive(Args)]
pub struct Create {
    /// Whose tickets it admits
    #[arg(long, value_name = "ID")]
    producer: String,
    /// The event it opens
    #[arg(long, value_name = "ID")]
    event: String,
    /// What it is called, such as "Main gate"
    #[arg(long)]
    label: String,
    /// Admit items of this category only; give it once per category
    #[arg(long, value_name = "CATEGORY", value_parser = PossibleValuesParser::new([Category::Ticket.as_str(), Category::Merchandise.as_str()]))]
    category: Vec<String>,
    /// Admit this ticket type only, besides the categories; give it once per type
    #[arg(long, value_name = "ID")]
    ticket_type: Vec<String>,
    /// A station that it may be used at; give it once per station. Without any, staff name theirs
    #[arg(long, value_name = "NAME")]
    station: Vec<String>,
    /// Ask for this PIN before it opens: 4 to 12 digits, told by another way than the link
    #[arg(long)]
    pin: Option<String>,
    /// When it stops working by itself, such as 2027-01-01T06:00:00Z
    #[arg(long, value_name = "TIME")]
    expires_at: Option<String>,
    #[command(flatten)]
    public_url: PublicUrl,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct List {
    /// Whose links
    #[arg(long, value_name = "ID")]
    producer: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct Which {
    /// The link's id (dl_…), as `door-link list` shows it
    link_id: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct Log {
    #[command(flatten)]
    which: Which,
    /// How many, newest first
    #[arg(long, value_name = "N", default_value_t = LOG_DEFAULT, value_parser = clap::value_parser!(i64).range(1..))]
    limit: i64,
}

/// A link as commands show it: what there is to know, and what only its owner may.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    info: DoorLinkInfo,
    last_four: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl Shown {
    fn new(link: &DoorLink) -> Self {
        Self { info: DoorLinkInfo::from(link), last_four: link.last_four.clone(), token: None, url: None }
    }

    fn admits(&self) -> String {
        let categories = self.info.categories.iter().map(|category| category.as_str());
        let all: Vec<&str> = categories.chain(self.info.ticket_types.iter().map(String::as_str)).collect();
        if all.is_empty() { "everything".into() } else { all.join(", ") }
    }

    fn stations(&self) -> String {
        if self.info.stations.is_empty() { "any".into() } else { self.info.stations.join(", ") }
    }
}

impl DoorLinks {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Revoke(which) => which.revoke().await,
            Self::Log(log) => log.run().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let now = Time::System.now();
        check_name(&self.label)?;
        self.station.iter().try_for_each(|station| check_name(station))?;
        // Phones send them without spaces around.
        let mut stations: Vec<String> = Vec::new();
        for station in self.station.iter().map(|station| station.trim().to_owned()) {
            if !stations.contains(&station) {
                stations.push(station);
            }
        }
        ensure!(stations.len() <= DOOR_LIST_MAX, "a link names {DOOR_LIST_MAX} stations at most");
        ensure!(self.ticket_type.len() <= DOOR_LIST_MAX, "a link names {DOOR_LIST_MAX} ticket types at most");
        if let Some(pin) = &self.pin {
            let digits = pin.len();
            let fits = PIN_DIGITS.contains(&digits) && pin.bytes().all(|byte| byte.is_ascii_digit());
            ensure!(fits, "--pin has {} to {} digits, and nothing else", PIN_DIGITS.start(), PIN_DIGITS.end());
        }
        let expires_at = parse_stamp("--expires-at", self.expires_at)?;
        ensure!(expires_at.is_none_or(|expiry| expiry > now), "--expires-at is in the past");
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        check_event(&store, tenant, &self.event, &self.ticket_type).await?;
        let public_url = self.public_url.resolve(&store).await?;
        let token = Secret::generate(Opens::Door);
        let new = NewDoorLink {
            event_id: &self.event,
            label: &self.label,
            scope: Scope {
                categories: self.category.iter().filter_map(|name| Category::parse(name)).collect(),
                ticket_types: self.ticket_type,
            },
            stations,
            pin: self.pin.as_deref(),
            expires_at,
        };
        let link = door_links::create(&store, tenant, &token, new, now).await?;
        let url = format!("{public_url}/door#{}", token.reveal());
        let shown = Shown { token: Some(token.reveal().to_owned()), url: Some(url.clone()), ..Shown::new(&link) };
        let fields = [
            ("id", shown.info.id.clone()),
            ("label", shown.info.label.clone()),
            ("event", shown.info.event_id.clone()),
            ("admits", shown.admits()),
            ("stations", shown.stations()),
            ("PIN", if shown.info.has_pin { "yes".into() } else { "none".into() }),
            ("expires", moment(shown.info.expires_at)),
            ("link", url),
            ("", "Send the link now: it is not shown again. Whoever has it can scan, and nothing else.".to_owned()),
        ];
        self.output.one(&shown, &fields)
    }
}

/// A link for an event or an item that is not there would refuse everybody at the door.
async fn check_event(store: &Store, tenant: Tenant, event_id: &str, ticket_types: &[String]) -> anyhow::Result<()> {
    let mut conn = store.read().await?;
    if !events::exists(&mut conn, tenant, event_id).await? {
        bail!(
            "there is no event {event_id}; GET /api/v1/events lists the producer's, `taquilla event create` makes one"
        );
    }
    let there = types::single_items(&mut conn, tenant, event_id).await?;
    match ticket_types.iter().find(|id| !there.contains(id)) {
        // The tickets of a bundle are of the items that it includes.
        Some(id) => bail!("there is no ticket type {id} at the event {event_id}; for a bundle name what it includes"),
        None => Ok(()),
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let links = door_links::list(&mut store.read().await?, tenant).await?;
        let shown: Vec<Shown> = links.iter().map(Shown::new).collect();
        let header = [
            "id",
            "label",
            "event",
            "admits",
            "stations",
            "PIN",
            "ends in",
            "created",
            "last used",
            "expires",
            "revoked",
        ];
        self.output.list(&shown, &header, |link| {
            vec![
                link.info.id.clone(),
                link.info.label.clone(),
                link.info.event_id.clone(),
                link.admits(),
                link.stations(),
                if link.info.has_pin { "yes".into() } else { "–".into() },
                link.last_four.clone(),
                moment(Some(link.info.created_at)),
                moment(link.info.last_used_at),
                moment(link.info.expires_at),
                moment(link.info.revoked_at),
            ]
        })
    }
}

impl Which {
    async fn revoke(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let Some(link) = door_links::revoke(&store, &self.link_id, Time::System.now()).await? else {
            return Err(self.unknown());
        };
        let shown = Shown::new(&link);
        let fields = [
            ("id", shown.info.id.clone()),
            ("label", shown.info.label.clone()),
            ("revoked", moment(shown.info.revoked_at)),
        ];
        self.output.one(&shown, &fields)
    }

    fn unknown(&self) -> anyhow::Error {
        anyhow::anyhow!("there is no door link {}; `taquilla door-link list --producer ID` shows the ids", self.link_id)
    }
}

impl Log {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.which.database.open().await?;
        let mut conn = store.read().await?;
        let link = door_links::find(&mut conn, &self.which.link_id).await?.ok_or_else(|| self.which.unknown())?;
        let scans = scans::of_link(&mut conn, link.tenant, &link.id, self.limit).await?;
        self.which.output.list(&scans, &["accepted", "outcome", "station", "ticket", "by the phone's clock"], |scan| {
            vec![
                moment(Some(scan.accepted_at)),
                scan.outcome.as_str().to_owned(),
                scan.station.clone(),
                scan.ticket_id.clone().unwrap_or_else(|| "–".into()),
                moment(scan.scanned_at),
            ]
        })
    }
}
