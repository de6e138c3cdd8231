//! A mirror and the server that it follows.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use taquilla_client::Client;

use crate::{
    error::Error,
    mirror::{Address, Batch, Mirror},
    people::People,
    schema::{EVENTS, ORDERS, TABLES, TICKETS},
    state::ListState,
    summary::{ListSummary, Summary},
    told::{Told, Watcher},
};

/// How a mirror is kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is kept of people.
    pub people: People,
    /// How often everything is read, so that what no feed tells arrives. Without it, only once.
    pub full_every: Option<Duration>,
}

/// A mirror and the server that it follows.
pub struct Sync {
    pub(crate) client: Client,
    pub(crate) mirror: Mirror,
    pub(crate) options: Options,
    pub(crate) watcher: Watcher,
    pub(crate) states: HashMap<&'static str, ListState>,
    /// The number of the last traversal.
    pub(crate) number: i64,
    /// Whether files are older than what is stored.
    pub(crate) is_dirty: bool,
    pub(crate) stored: BTreeMap<&'static str, (u64, bool)>,
}

/// What a mirror remembers of itself.
pub(crate) const PRODUCER: &str = "producer";
pub(crate) const PEOPLE: &str = "personal data";
pub(crate) const NUMBER: &str = "traversals";
pub(crate) const DIRTY: &str = "files are old";

impl Sync {
    /// Opens a mirror, or begins one where there is none. One of another producer, or that keeps something else of people, is
    /// refused.
    pub async fn open(client: Client, to: &Address, options: Options, watcher: Watcher) -> Result<Self, Error> {
        let producer = producer(&client).await?;
        let (mirror, remembered) = Mirror::open(to).await?;
        let mut state = Vec::new();
        if let Some(producer) = producer {
            match remembered.get(PRODUCER) {
                Some(known) if *known != producer => {
                    return Err(Error::Mistake(format!(
                        "the key reads {producer}, and the mirror is of {known}; give each producer a place of its own"
                    )));
                }
                Some(_) => {}
                None => state.push((PRODUCER.to_owned(), producer)),
            }
        }
        let wanted = options.people.remembered();
        match remembered.get(PEOPLE) {
            Some(known) if *known != wanted => return Err(Error::Mistake(other_people(known, &wanted))),
            Some(_) => {}
            None => state.push((PEOPLE.to_owned(), wanted)),
        }
        mirror.write(Batch { state, ..Batch::default() }).await?;
        let mut states = HashMap::new();
        for list in [EVENTS.name, ORDERS.name, TICKETS.name] {
            states.insert(list, ListState::read(&remembered, list)?);
        }
        let number = remembered.get(NUMBER).and_then(|number| number.parse().ok()).unwrap_or(0);
        let is_dirty = remembered.get(DIRTY).is_some_and(|dirty| dirty == "yes") || mirror.lacks_files();
        Ok(Self { client, mirror, options, watcher, states, number, is_dirty, stored: BTreeMap::new() })
    }

    /// What the mirror has, and what this run did.
    pub async fn summary(&self) -> Result<Summary, Error> {
        let mut lists = Vec::new();
        for table in TABLES {
            let (stored, is_full) = self.stored.get(table.name).copied().unwrap_or_default();
            let list = self.states.get(table.name).or_else(|| self.states.get(EVENTS.name));
            lists.push(ListSummary {
                table: table.name,
                rows: self.mirror.count(table).await?,
                stored,
                is_full,
                is_refused: list.is_some_and(|list| list.is_refused),
            });
        }
        Ok(Summary { lists })
    }

    pub(crate) fn tell(&self, told: Told) {
        (self.watcher)(told);
    }

    pub(crate) fn note(&self, text: impl Into<String>) {
        self.tell(Told::Note(text.into()));
    }

    pub(crate) fn state(&self, list: &'static str) -> ListState {
        self.states.get(list).cloned().unwrap_or_default()
    }

    /// Counts rows that were stored, and notes that files are older now.
    pub(crate) fn count(&mut self, table: &'static str, rows: u64, is_full: bool) {
        let (stored, full) = self.stored.entry(table).or_default();
        *stored += rows;
        *full |= is_full;
        self.tell(Told::Rows(rows));
    }
}

/// Whose data the key reads, if the server tells.
async fn producer(client: &Client) -> Result<Option<String>, Error> {
    match client.me().await {
        Ok(me) => Ok(me.producer.map(|producer| producer.id)),
        // The key may not ask, or what the server tells has another form: the specification does not say.
        Err(cause) if cause.is_status(403) || cause.is_status(404) => Ok(None),
        Err(taquilla_client::Error::Unusable { .. }) => Ok(None),
        Err(cause) => Err(cause.into()),
    }
}

/// Why a mirror cannot go on with another choice for people.
fn other_people(known: &str, wanted: &str) -> String {
    let word = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let (known, wanted) = (word(known), word(wanted));
    if known == wanted {
        return "the mirror was hashed with another key; give that one, or begin a new mirror in another place"
            .to_owned();
    }
    format!(
        "the mirror was made with --personal-data {known}, and {wanted} would leave it mixed; begin a new mirror in another place, \
         and remove this one"
    )
}
