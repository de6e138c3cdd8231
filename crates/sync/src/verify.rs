//! Comparing a mirror with the server, row by row. Nothing is changed.

use std::collections::{BTreeMap, HashMap};

use taquilla_client::{Event, EventFilter, Order, OrderFilter, Ticket, TicketFilter};

use crate::{
    cell::{Cell, Row},
    error::Error,
    lists::{self, Listed, Stamp},
    mirror::Unseen,
    schema::{EVENTS, ORDERS, TICKET_TYPES, TICKETS, Table},
    state::ListState,
    sync::Sync,
    told::Told,
};

/// How many differences are named.
const NAMED: usize = 1_000;

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Each table on both sides.
    pub tables: Vec<TableVerified>,
    /// The first thousand differences.
    pub differences: Vec<Difference>,
    /// How many there are in all.
    pub count: u64,
}

/// A table on both sides.
#[derive(Clone, Debug, Default)]
pub struct TableVerified {
    /// The table's name.
    pub table: &'static str,
    /// Rows of the mirror.
    pub here: u64,
    /// The sum of their digests.
    pub digest_here: u128,
    /// Rows of the server.
    pub there: u64,
    /// The sum of their digests.
    pub digest_there: u128,
    /// Rows that changed on the server since the last sync. They are in none of the numbers above.
    pub behind: u64,
}

/// A row that is not the same on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its table, or the file.
    pub table: String,
    /// Its id, or the place in the file.
    pub id: String,
    /// What is not the same.
    pub why: Why,
}

/// What is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// These columns differ.
    Differs(Vec<&'static str>),
    /// The mirror does not have it.
    Missing,
    /// The server does not list it.
    Gone,
    /// A file is not what was written, from here on.
    Spoilt,
}

impl Verified {
    fn note(&mut self, table: &str, id: &str, why: Why) {
        self.count += 1;
        if self.differences.len() < NAMED {
            self.differences.push(Difference { table: table.to_owned(), id: id.to_owned(), why });
        }
    }

    fn note_gone(&mut self, table: &mut TableVerified, unseen: &Unseen) {
        table.here += unseen.count;
        table.digest_here = table.digest_here.wrapping_add(unseen.digest);
        for row in &unseen.rows {
            self.note(table.table, row.id(), Why::Gone);
        }
        self.count += unseen.count - unseen.rows.len() as u64;
    }
}

impl TableVerified {
    fn add(&mut self, here: Option<&Row>, there: &Row) {
        self.there += 1;
        self.digest_there = self.digest_there.wrapping_add(there.digest());
        if let Some(here) = here {
            self.here += 1;
            self.digest_here = self.digest_here.wrapping_add(here.digest());
        }
    }
}

impl Sync {
    /// Compares every row of the mirror with a fresh traversal. What changed on the server since the last sync is no difference.
    pub async fn verify(&mut self) -> Result<Verified, Error> {
        let mut verified = Verified::default();
        self.verify_list::<Event>(&mut verified).await?;
        self.verify_ticket_types(&mut verified).await?;
        self.verify_list::<Order>(&mut verified).await?;
        self.verify_list::<Ticket>(&mut verified).await?;
        if !self.is_dirty {
            for (file, at) in self.mirror.spoilt_files().await? {
                verified.note(&file, &at, Why::Spoilt);
            }
        }
        Ok(verified)
    }

    async fn verify_list<T: Listed>(&mut self, verified: &mut Verified) -> Result<(), Error> {
        let (list, state) = (T::TABLE.name, self.state(T::TABLE.name));
        if state.is_refused {
            return Ok(());
        }
        self.tell(Told::Began { list, stored: 0, expected: Some(self.mirror.count(T::TABLE).await?) });
        let mut table = TableVerified { table: list, ..TableVerified::default() };
        let mut pages = T::rows(&self.client, None);
        self.mirror.begin_seeing().await?;
        while let Some(page) = pages.next_page().await? {
            let count = page.data.len() as u64;
            let ids: Vec<String> = page.data.iter().map(|row| row.id().to_owned()).collect();
            let here = self.mirror.rows(T::TABLE, ids.clone()).await?;
            self.mirror.see(ids).await?;
            for row in page.data {
                let stamps = Stamps::of(&row, &state);
                let there = row.kept(&self.options.people);
                let here = here.get(there.id());
                match difference(T::TABLE, here, &there) {
                    None => table.add(here, &there),
                    Some(_) if stamps.is_behind(T::TABLE, here) => table.behind += 1,
                    Some(why) => {
                        table.add(here, &there);
                        verified.note(list, there.id(), why);
                    }
                }
            }
            self.tell(Told::Rows(count));
        }
        let unseen = self.mirror.unseen(T::TABLE).await?;
        verified.note_gone(&mut table, &unseen);
        verified.tables.push(table);
        self.tell(Told::Ended);
        Ok(())
    }

    async fn verify_ticket_types(&mut self, verified: &mut Verified) -> Result<(), Error> {
        let list = TICKET_TYPES.name;
        if self.state(EVENTS.name).is_refused {
            return Ok(());
        }
        self.tell(Told::Began { list, stored: 0, expected: Some(self.mirror.count(&TICKET_TYPES).await?) });
        let mut table = TableVerified { table: list, ..TableVerified::default() };
        let mut events = self.client.events(&EventFilter::default());
        self.mirror.begin_seeing().await?;
        while let Some(event) = events.next().await? {
            let items = self.client.ticket_types(&event.id, true).await?;
            let ids: Vec<String> = items.iter().map(|item| item.id.clone()).collect();
            let here = self.mirror.rows(&TICKET_TYPES, ids.clone()).await?;
            self.mirror.see(ids).await?;
            let mut is_behind = None;
            self.tell(Told::Rows(items.len() as u64));
            for there in items.into_iter().map(lists::ticket_type) {
                let here = here.get(there.id());
                let why = difference(&TICKET_TYPES, here, &there);
                if why.is_some() && is_behind.is_none() {
                    is_behind = Some(self.has_moved(&event).await?);
                }
                match why {
                    None => table.add(here, &there),
                    Some(_) if is_behind == Some(true) => table.behind += 1,
                    Some(why) => {
                        table.add(here, &there);
                        verified.note(list, there.id(), why);
                    }
                }
            }
        }
        let unseen = self.mirror.unseen(&TICKET_TYPES).await?;
        verified.note_gone(&mut table, &unseen);
        verified.tables.push(table);
        self.tell(Told::Ended);
        Ok(())
    }

    /// Whether an event, or what was sold of it, has changed since the last sync: counts change without a stamp of their own.
    async fn has_moved(&self, event: &Event) -> Result<bool, Error> {
        let (events, tickets, orders) = (self.state(EVENTS.name), self.state(TICKETS.name), self.state(ORDERS.name));
        if event.updated_at > events.reached.get(&Stamp::Updated).copied() {
            return Ok(true);
        }
        let reached = |state: &ListState, stamp: Stamp| {
            state.reached.get(&stamp).copied().filter(|_| state.follows.contains(&stamp))
        };
        let event_id = Some(event.id.clone());
        let (updated_after, issued_after) = (reached(&tickets, Stamp::Updated), reached(&tickets, Stamp::Issued));
        if updated_after.is_some() || issued_after.is_some() {
            let filter =
                TicketFilter { event_id: event_id.clone(), updated_after, issued_after, ..TicketFilter::default() };
            if self.client.tickets(&filter).page_size(1).next().await?.is_some() {
                return Ok(true);
            }
        }
        let updated_after = reached(&orders, Stamp::Updated);
        let filter = OrderFilter { event_id, updated_after, ..OrderFilter::default() };
        Ok(updated_after.is_some() && self.client.orders(&filter).page_size(1).next().await?.is_some())
    }
}

/// What tells whether a row has changed since the last sync.
struct Stamps {
    there: BTreeMap<Stamp, i64>,
    reached: HashMap<Stamp, i64>,
}

impl Stamps {
    fn of<T: Listed>(row: &T, state: &ListState) -> Self {
        let micros = |at: taquilla_client::Time| at.timestamp().as_microsecond();
        let follows = state.follows.iter().copied();
        Self {
            there: follows.clone().filter_map(|stamp| Some((stamp, micros(row.stamp(stamp)?)))).collect(),
            reached: follows.filter_map(|stamp| Some((stamp, micros(*state.reached.get(&stamp)?)))).collect(),
        }
    }

    fn is_behind(&self, table: &Table, here: Option<&Row>) -> bool {
        let Some(here) = here else {
            let is_later = |(stamp, at): (&Stamp, &i64)| self.reached.get(stamp).is_none_or(|reached| at > reached);
            return self.there.iter().any(is_later);
        };
        // What the row itself says is more exact than what the whole list has reached.
        let stored = |name: &str| {
            let at = table.names().position(|column| column == name)?;
            match here.cells.get(at) {
                Some(Cell::Time(at)) => Some(*at),
                _ => None,
            }
        };
        self.there.iter().any(|(stamp, at)| match stamp {
            Stamp::Updated => Some(*at) > stored("updated_at"),
            Stamp::Issued => Some(*at) > stored("issued_at"),
            Stamp::Scanned => {
                Some(*at) > stored("checked_in_at") && self.reached.get(stamp).is_none_or(|reached| at > reached)
            }
        })
    }
}

/// What is not the same, if anything is.
fn difference(table: &Table, here: Option<&Row>, there: &Row) -> Option<Why> {
    let Some(here) = here else { return Some(Why::Missing) };
    if here.digest() == there.digest() {
        return None;
    }
    let pairs = table.names().zip(here.cells.iter().zip(&there.cells));
    let mut columns: Vec<&'static str> =
        pairs.filter(|(_, (here, there))| here != there).map(|(name, _)| name).collect();
    if here.children != there.children {
        columns.extend(table.children.map(|child| child.name));
    }
    Some(Why::Differs(columns))
}
