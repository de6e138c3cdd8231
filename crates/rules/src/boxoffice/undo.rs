//! Taking back entries that were mistakes: the ticket is valid again, and the next scan of it may admit somebody.
//!
//! It is a line of the scan log, like a scan, and its answer is kept under its id. It names the entry that is meant: one
//! that was made since is not taken back. Entries are taken back before the scans of the same group are decided.

use std::collections::{BTreeSet, HashMap};

use sha2::{Digest, Sha256};

use taquilla_domain::{
    admit::{Outcome, Scope},
    audit::{Action, By, ending},
    clock::Stamp,
    key::hexadecimal,
    moves::TicketMove,
    refusal::Refusal,
    status::Category,
    webhook::MessageKind,
};
use taquilla_store as store;
use taquilla_store::{
    Move,
    catalogue::{
        events,
        ticket_counts::{self, Counts},
        ticket_types,
    },
    door::{
        link_scans,
        scans::{self, Answered, NewScan},
        undone::{self, Made},
    },
    staff::audit::{self, NewEntry},
    tickets::{
        rows::{self, Mark, Marked, State},
        shown,
    },
    webhooks::outbox,
};
use taquilla_wire::{
    Time,
    api::TicketTypeSummary,
    door::{DoorTicket, EventSummary, FirstScan, ScanAnswer},
};

use super::{
    admit::{Admission, Door},
    common::ticket_messages,
};

/// An entry to be taken back.
#[derive(Clone, Debug)]
pub struct Undo {
    /// The id of this taking back. One with the same id gets the same answer.
    pub undo_id: String,
    /// The entry.
    pub entry: Entry,
    /// The station where it is taken back, or the name of the member of staff who does it.
    pub station: String,
    /// The door it comes through, which has to admit the ticket.
    pub door: Door,
}

/// An entry, by what is known of it.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The one that this scan made.
    OfScan(String),
    /// The one of this ticket at this time.
    OfTicket(String, Stamp),
}

impl Undo {
    /// What it was about, to tell a repetition from another one with the same id.
    fn hash(&self) -> String {
        let entry = match &self.entry {
            Entry::OfScan(id) => format!("undo scan {id}"),
            Entry::OfTicket(id, at) => format!("undo ticket {id} {at}"),
        };
        hexadecimal(&Sha256::digest(entry))
    }
}

/// Takes entries back in their order, and answers each. A refusal changes nothing.
pub(super) async fn undo(
    tx: &mut Move,
    asked: &[(&Undo, Option<&By>)],
) -> store::Result<Vec<Result<Admission, Refusal>>> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let tenant = tx.tenant();
    let ids: Vec<&str> = asked.iter().map(|(undo, _)| undo.undo_id.as_str()).collect();
    let mut answered = scans::answered(tx, tenant, &ids).await?;
    let mut known = Known::load(tx, asked).await?;
    let mut changes = Changes::default();
    let mut answers = Vec::with_capacity(asked.len());
    for (undo, by) in asked {
        let hash = undo.hash();
        if !answered.contains_key(&undo.undo_id) {
            match known.take_back(undo, *by, tx.stamp(), &mut changes)? {
                Ok(answer) => {
                    let done = Answered { code_hash: hash.clone(), outcome: Outcome::EntryUndone, answer };
                    answered.insert(undo.undo_id.clone(), done);
                }
                Err(refusal) => {
                    answers.push(Err(refusal));
                    continue;
                }
            }
        }
        let before = &answered[&undo.undo_id];
        answers.push(Ok(match before.code_hash == hash {
            true => Admission::Decided(before.outcome, before.answer.clone()),
            false => Admission::Reused,
        }));
    }
    changes.write(tx, asked, &answered).await?;
    Ok(answers)
}

/// All that is read before the first decision.
struct Known {
    /// The scans that are named.
    scans: HashMap<String, Made>,
    tickets: HashMap<String, State>,
    /// The scans by which tickets have entered, by ticket.
    standing: HashMap<String, Made>,
    types: HashMap<String, (String, Category)>,
    events: HashMap<String, String>,
}

impl Known {
    async fn load(tx: &mut Move, asked: &[(&Undo, Option<&By>)]) -> store::Result<Self> {
        let tenant = tx.tenant();
        let named = asked.iter().filter_map(|(undo, _)| match &undo.entry {
            Entry::OfScan(id) => Some(id.as_str()),
            Entry::OfTicket(..) => None,
        });
        let found = undone::made(tx, tenant, &named.collect::<Vec<_>>()).await?;
        let scans: HashMap<String, Made> = found.into_iter().map(|scan| (scan.scan_id.clone(), scan)).collect();
        let ids: BTreeSet<String> = asked.iter().filter_map(|(undo, _)| ticket_of(undo, &scans)).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let tickets = rows::states(tx, tenant, &ids).await?;
        let standing = undone::standing(tx, tenant, &ids).await?;
        let standing = standing.into_iter().filter_map(|scan| Some((scan.ticket_id.clone()?, scan))).collect();
        // Sets remove duplicates and give ids and summaries the same order for `zip`.
        let type_ids: BTreeSet<&str> = tickets.values().map(|state| state.ticket_type_id.as_str()).collect();
        let type_ids: Vec<&str> = type_ids.into_iter().collect();
        let summaries = ticket_types::summaries(tx, tenant, &type_ids).await?;
        let types = type_ids.into_iter().map(str::to_owned).zip(summaries).collect();
        let event_ids: BTreeSet<&str> = tickets.values().map(|state| state.event_id.as_str()).collect();
        let events = events::names(tx, tenant, &event_ids.into_iter().collect::<Vec<_>>()).await?;
        Ok(Self { scans, tickets, standing, types, events })
    }

    /// Takes an entry back. The answer is what is kept of it.
    fn take_back(
        &mut self,
        undo: &Undo,
        by: Option<&By>,
        stamp: Stamp,
        changes: &mut Changes,
    ) -> store::Result<Result<String, Refusal>> {
        let (ticket, at) = match self.entry(undo) {
            Ok(entry) => entry,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let after = match TicketMove::UndoEntry.from(ticket.status) {
            Ok(after) => after,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some((entered_at, station)) = ticket.checked_in.clone().filter(|(entered_at, _)| *entered_at == at) else {
            // It was taken back, and somebody has entered since.
            return Ok(Err(Refusal::ChangedMeanwhile));
        };
        let answer = self.answer(undo, &ticket, (entered_at, station.as_deref()), stamp)?;
        if let Some(by) = by {
            let (entered, issued) = (entered_at.to_string(), ticket.issued_at.to_string());
            let details = [("entered", entered.as_str()), ("issued", &issued)];
            changes.history.push(NewEntry::new(by, Action::TicketEntryUndone, &ending(&ticket.id), &details));
        }
        changes.scans.extend(self.standing.remove(&ticket.id));
        changes.done.push((undo.undo_id.clone(), ticket.id.clone()));
        let marked = ticket.marked(after, Mark::EntryUndone, stamp, &mut changes.counts)?;
        self.tickets.insert(marked.state.id.clone(), marked.state.clone());
        changes.marked.push(marked);
        Ok(Ok(answer))
    }

    /// The ticket and the time of the entry that is meant. What the door does not admit does not exist for it.
    fn entry(&self, undo: &Undo) -> Result<(State, Stamp), Refusal> {
        let missing = Refusal::NotFound("entry");
        let at = match &undo.entry {
            Entry::OfTicket(_, at) => *at,
            Entry::OfScan(id) => match self.scans.get(id) {
                Some(scan) if scan.outcome == Outcome::Admitted => scan.accepted_at,
                _ => return Err(missing),
            },
        };
        let ticket = ticket_of(undo, &self.scans).and_then(|id| self.tickets.get(&id));
        let is_here = |ticket: &&State| {
            let Door { events, scope, .. } = &undo.door;
            (events.is_empty() || events.contains(&ticket.event_id)) && self.admits(scope, ticket)
        };
        ticket.filter(is_here).map(|ticket| (ticket.clone(), at)).ok_or(missing)
    }

    fn admits(&self, scope: &Scope, ticket: &State) -> bool {
        let category = self.types.get(&ticket.ticket_type_id).map(|(_, category)| *category);
        category.is_some_and(|category| scope.admits(&ticket.ticket_type_id, category))
    }

    fn answer(
        &self,
        undo: &Undo,
        ticket: &State,
        (at, station): (Stamp, Option<&str>),
        stamp: Stamp,
    ) -> store::Result<String> {
        let missing = || store::Error::internal("a ticket of a type or an event that is not there");
        let (type_name, category) = self.types.get(&ticket.ticket_type_id).ok_or_else(missing)?;
        let answer = ScanAnswer {
            scan_id: &undo.undo_id,
            outcome: Outcome::EntryUndone.into(),
            ticket: Some(DoorTicket {
                name: &ticket.attendee.name,
                ticket_type: TicketTypeSummary {
                    id: &ticket.ticket_type_id,
                    name: type_name,
                    category: (*category).into(),
                },
                event: EventSummary {
                    id: &ticket.event_id,
                    name: self.events.get(&ticket.event_id).ok_or_else(missing)?,
                },
                group: None,
                door_note: None,
                ticket_type_note: None,
            }),
            first_scan: Some(FirstScan { scanned_at: Time(at), station }),
            accepted_at: Time(stamp),
        };
        serde_json::to_string(&answer).map_err(store::Error::internal)
    }
}

fn ticket_of(undo: &Undo, scans: &HashMap<String, Made>) -> Option<String> {
    match &undo.entry {
        Entry::OfScan(id) => scans.get(id)?.ticket_id.clone(),
        Entry::OfTicket(id, _) => Some(id.clone()),
    }
}

/// What the group has decided so far.
#[derive(Default)]
struct Changes {
    counts: Counts,
    marked: Vec<Marked>,
    /// The scans whose entries are taken back.
    scans: Vec<Made>,
    /// Each taking back, and the ticket.
    done: Vec<(String, String)>,
    history: Vec<NewEntry>,
}

impl Changes {
    async fn write(
        self,
        tx: &mut Move,
        asked: &[(&Undo, Option<&By>)],
        answered: &HashMap<String, Answered>,
    ) -> store::Result<()> {
        let (tenant, stamp) = (tx.tenant(), tx.stamp());
        let states: Vec<&State> = self.marked.iter().map(|marked| &marked.state).collect();
        let shown = shown::shown(tx, tenant, &states).await?;
        let mut messages = Vec::with_capacity(shown.len());
        for (state, shown) in states.into_iter().zip(shown) {
            messages.extend(ticket_messages(MessageKind::TicketEntryUndone, state, shown, stamp)?);
        }
        let logged = self.done.iter().filter_map(|(undo_id, ticket_id)| {
            let (undo, _) = asked.iter().find(|(undo, _)| undo.undo_id == *undo_id)?;
            Some(NewScan {
                scan_id: &undo.undo_id,
                door_link_id: undo.door.link_id.as_deref(),
                station: &undo.station,
                ticket_id: Some(ticket_id.clone()),
                scanned_at: None,
                answered: answered.get(undo_id)?.clone(),
                conflict: false,
            })
        });
        let log: Vec<NewScan<'_>> = logged.collect();
        let mut writes = rows::update(tx, &self.marked);
        writes.extend(ticket_counts::write(tx, &self.counts));
        writes.extend(undone::take_back(tx, &self.scans));
        writes.push(outbox::write(tx, &messages)?);
        writes.push(scans::insert(tx, &log)?);
        writes.push(link_scans::add(tx, &log));
        writes.push(audit::write(tx, &self.history));
        tx.write_all(writes).await
    }
}
