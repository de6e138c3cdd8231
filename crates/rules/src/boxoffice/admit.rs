//! Letting people in: decides and logs any number of scans in one move.
//!
//! This is the only place that lets anybody in (G4). Scans are decided after the sales of their group, and a second
//! scan of one ticket is told of the first. The whole answer is kept under the `scan_id`. An entry may be taken back
//! (`undo.rs`); the next scan of that ticket may admit again.
//!
//! Where a ticket type allows it, somebody who has entered goes out and comes back. That changes where they are, and
//! nothing that feeds show: the first entry stays the entry. Of two who come back with one ticket, one is admitted.

use std::collections::{BTreeSet, HashMap, HashSet, hash_map::Entry};

use sha2::{Digest, Sha256};

use taquilla_domain::{
    admit::{Credential, Outcome, Scope, Way, admit as decide, spellings},
    clock::Stamp,
    key::hexadecimal,
    status::{Category, TicketStatus},
    webhook::MessageKind,
};
use taquilla_store as store;
use taquilla_store::{
    Conn, Move, Tenant,
    catalogue::{
        events,
        ticket_counts::{self, Counts},
        ticket_types,
    },
    door::{
        link_scans,
        scans::{self, Answered, NewScan},
        undone,
    },
    tickets::{
        documents::completed,
        groups::{self, Member},
        rows::{self, Mark, Marked, State},
        whereabouts::{self, Whereabouts},
    },
    webhooks::outbox,
};
use taquilla_wire::{
    Time,
    api::TicketTypeSummary,
    door::{DoorTicket, EventSummary, FirstScan, Group, ScanAnswer},
};

use super::common::ticket_messages;

/// A code shown at a door.
#[derive(Clone, Debug)]
pub struct Scan {
    /// The device's id for this scan. A repeated scan with the same id gets the same answer.
    pub scan_id: String,
    /// The code that was shown.
    pub code: String,
    /// The station.
    pub station: String,
    /// The time of the scan by the device's clock.
    pub scanned_at: Option<Stamp>,
    /// Whether the device refused the code by itself. Such a scan is logged and admits nobody.
    pub turned_away: bool,
    /// Whether the device decided by itself, while it was offline, and tells of it now.
    pub kept: bool,
    /// The door it came through.
    pub door: Door,
}

/// The door that a scan comes through.
#[derive(Clone, Debug, Default)]
pub struct Door {
    /// The door link, if the scan came through one.
    pub link_id: Option<String>,
    /// The events whose tickets it admits; none means any.
    pub events: Vec<String>,
    /// Which ticket types it admits.
    pub scope: Scope,
    /// Which way people go who are scanned there.
    pub way: Way,
    /// The zone it leads to; empty is the place as a whole.
    pub zone: String,
    /// Whether guests scan here by themselves, and others read along: answers have no names, and no notes about a person.
    pub is_public: bool,
}

/// The answer to a scan.
#[derive(Clone, Debug)]
pub enum Admission {
    /// The decision, made now or when this scan first came, and the whole answer as JSON.
    Decided(Outcome, String),
    /// This `scan_id` was used for another code; nothing was decided.
    Reused,
}

/// Decides scans in their order and answers each. At most one scan of a ticket is ever admitted (G4).
pub(super) async fn admit(tx: &mut Move, scans: &[&Scan]) -> store::Result<Vec<Admission>> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let ids: Vec<&str> = scans.iter().map(|scan| scan.scan_id.as_str()).collect();
    let mut answered = scans::answered(tx, tenant, &ids).await?;
    let mut known =
        Known::load(tx, tenant, scans.iter().copied().filter(|scan| !answered.contains_key(&scan.scan_id))).await?;

    let mut admissions = Vec::with_capacity(scans.len());
    let mut log = Vec::new();
    for scan in scans {
        let code_hash = hexadecimal(&Sha256::digest(&scan.code));
        let answered = match answered.entry(scan.scan_id.clone()) {
            Entry::Occupied(before) => before.into_mut(),
            Entry::Vacant(new) => {
                let (outcome, ticket_id) = known.decide(scan);
                if let Some(id) = ticket_id.as_ref().filter(|_| outcome.lets_pass()) {
                    known.pass(scan, outcome, id, stamp);
                }
                let answer = known.answer(scan, outcome, ticket_id.as_deref(), stamp)?;
                let conflict = scan.kept && !scan.turned_away && !outcome.lets_pass();
                let answered = new.insert(Answered { code_hash: code_hash.clone(), outcome, answer });
                log.push(NewScan {
                    scan_id: &scan.scan_id,
                    door_link_id: scan.door.link_id.as_deref(),
                    station: &scan.station,
                    ticket_id,
                    scanned_at: scan.scanned_at,
                    answered: answered.clone(),
                    conflict,
                });
                answered
            }
        };
        admissions.push(match answered.code_hash == code_hash {
            true => Admission::Decided(answered.outcome, answered.answer.clone()),
            false => Admission::Reused,
        });
    }

    let admitted = log.iter().filter(|scan| scan.answered.outcome == Outcome::Admitted);
    let mut counts = Counts::default();
    let entered = admitted.filter_map(|scan| Some((known.tickets.remove(scan.ticket_id.as_deref()?)?, scan.station)));
    let entered = entered
        .map(|(mut ticket, station)| {
            ticket.whereabouts = known.whereabouts.get(&ticket.id).cloned().unwrap_or_default();
            ticket.marked(TicketStatus::Scanned, Mark::Scanned(station), stamp, &mut counts)
        })
        .collect::<store::Result<Vec<Marked>>>()?;
    for (id, whereabouts) in &known.whereabouts {
        if let Some(ticket) = known.tickets.remove(id) {
            ticket.move_to(whereabouts.clone(), &mut counts);
        }
    }
    let mut messages = Vec::with_capacity(entered.len());
    for Marked { state, document, .. } in &entered {
        let known = known.types.get(&state.ticket_type_id);
        let (name, category) = known.ok_or_else(|| store::Error::internal("a ticket of a type that is not there"))?;
        let shown = completed(document, name, *category)?;
        messages.extend(ticket_messages(MessageKind::TicketScanned, state, shown, stamp)?);
    }
    // Somebody who enters the place as a whole is where a new ticket says.
    let moved =
        known.whereabouts.iter().filter(|(id, to)| **to != Whereabouts::default() || !known.entered.contains_key(*id));
    let mut writes = rows::update(tx, &entered);
    writes.push(whereabouts::write(tx, moved.map(|(id, to)| (id.as_str(), to))));
    writes.extend(ticket_counts::write(tx, &counts));
    writes.push(outbox::write(tx, &messages)?);
    writes.push(scans::insert(tx, &log)?);
    writes.push(link_scans::add(tx, &log));
    tx.write_all(writes).await?;
    Ok(admissions)
}

/// What a scan would be answered at this moment. Nothing is written, so the scan itself may be answered otherwise.
pub async fn look(conn: &mut Conn, tenant: Tenant, scan: &Scan, now: Stamp) -> store::Result<String> {
    let known = Known::load(conn, tenant, [scan].into_iter()).await?;
    let (outcome, ticket_id) = known.decide(scan);
    known.answer(scan, outcome, ticket_id.as_deref(), now)
}

/// All that deciding needs, read before the first decision.
struct Known {
    tickets: HashMap<String, State>,
    types: HashMap<String, (String, Category)>,
    /// What the scanner shows with tickets of each type; empty is nothing.
    type_notes: HashMap<String, String>,
    events: HashMap<String, String>,
    /// The tickets that belong together, by order.
    groups: HashMap<String, Vec<Member>>,
    /// Tickets that entered in this transaction, when and where, so that the answer to a second scan of one names the
    /// first, and the answers to a group's scans count on.
    entered: HashMap<String, (Stamp, String)>,
    /// Where those are whom scans of this transaction let pass, by ticket.
    whereabouts: HashMap<String, Whereabouts>,
    /// The ticket types with which people may go out and come in again, if anybody goes out.
    reentry: HashSet<String>,
    /// When the entries of tickets were last taken back that devices tell of which were offline.
    undone: HashMap<String, Stamp>,
}

impl Known {
    async fn load(conn: &mut Conn, tenant: Tenant, scans: impl Iterator<Item = &Scan> + Send) -> store::Result<Self> {
        // Sets remove duplicates and give ids and summaries the same order for `zip`.
        let (mut codes, mut kept) = (BTreeSet::new(), BTreeSet::new());
        let mut lets_out = false;
        for scan in scans {
            lets_out |= scan.door.way == Way::Out;
            codes.extend(spellings(&scan.code));
            if scan.kept && !scan.turned_away {
                kept.extend(spellings(&scan.code));
            }
        }
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let tickets = rows::states(conn, tenant, &codes).await?;
        let kept: Vec<&str> = kept.iter().map(String::as_str).filter(|code| tickets.contains_key(*code)).collect();
        let undone = if kept.is_empty() { HashMap::new() } else { undone::last(conn, tenant, &kept).await? };
        let live = tickets.values().filter(|state| state.counts());
        let order_ids: BTreeSet<&str> = live.filter_map(|state| state.order_id.as_deref()).collect();
        let order_ids: Vec<&str> = order_ids.into_iter().collect();
        let groups = groups::of_orders(conn, tenant, &order_ids).await?;
        let members = groups.values().flatten().map(|member| member.ticket_type_id.as_str());
        let type_ids: BTreeSet<&str> =
            tickets.values().map(|state| state.ticket_type_id.as_str()).chain(members).collect();
        let type_ids: Vec<&str> = type_ids.into_iter().collect();
        let (summaries, notes): (Vec<_>, Vec<_>) =
            ticket_types::at_the_door(conn, tenant, &type_ids).await?.into_iter().unzip();
        let types = type_ids.iter().map(|id| (*id).to_owned()).zip(summaries).collect();
        let type_notes = type_ids.into_iter().map(str::to_owned).zip(notes).collect();
        let event_ids: BTreeSet<&str> = tickets.values().map(|state| state.event_id.as_str()).collect();
        let event_ids: Vec<&str> = event_ids.into_iter().collect();
        let events = events::names(conn, tenant, &event_ids).await?;
        let mut reentry = HashSet::new();
        for event_id in event_ids.iter().filter(|_| lets_out) {
            reentry.extend(ticket_types::with_reentry(conn, tenant, event_id).await?);
        }
        let (entered, whereabouts) = (HashMap::new(), HashMap::new());
        Ok(Self { tickets, types, type_notes, events, groups, entered, whereabouts, reentry, undone })
    }

    /// Notes that somebody passes a door with this ticket.
    fn pass(&mut self, scan: &Scan, outcome: Outcome, id: &str, stamp: Stamp) {
        if outcome == Outcome::Admitted {
            self.entered.insert(id.to_owned(), (stamp, scan.station.clone()));
        }
        // What a device decided by itself happened when the device says.
        let made_at = scan.scanned_at.filter(|at| scan.kept && *at < stamp).unwrap_or(stamp);
        let passed_at = match outcome {
            Outcome::Admitted => self.tickets.get(id).and_then(|ticket| ticket.whereabouts.passed_at),
            _ => Some(made_at),
        };
        let is_outside = outcome == Outcome::WentOut;
        let zone = if is_outside { String::new() } else { scan.door.zone.clone() };
        self.whereabouts.insert(id.to_owned(), Whereabouts { is_outside, passed_at, zone });
    }

    fn whereabouts<'a>(&'a self, ticket: &'a State) -> &'a Whereabouts {
        self.whereabouts.get(&ticket.id).unwrap_or(&ticket.whereabouts)
    }

    /// The outcome of a scan, and the ticket it is of.
    fn decide(&self, scan: &Scan) -> (Outcome, Option<String>) {
        let ticket = spellings(&scan.code).find_map(|code| self.tickets.get(&code));
        let outcome = match (scan.turned_away, ticket) {
            (true, _) => Outcome::TurnedAway,
            (false, ticket) => {
                let credential = ticket.and_then(|ticket| self.credential(ticket));
                match decide(credential, &scan.door.events, &scan.door.scope, scan.door.way) {
                    Outcome::Admitted if ticket.is_some_and(|ticket| self.is_older_than_undo(scan, ticket)) => {
                        Outcome::EntryUndone
                    }
                    Outcome::Reentered if ticket.is_some_and(|ticket| self.is_older_than_passage(scan, ticket)) => {
                        Outcome::AlreadyScanned
                    }
                    Outcome::WentOut if ticket.is_some_and(|ticket| self.is_older_than_passage(scan, ticket)) => {
                        Outcome::NotInside
                    }
                    outcome => outcome,
                }
            }
        };
        (outcome, ticket.map(|ticket| ticket.id.clone()))
    }

    /// Whether a device that was offline let somebody in before the ticket's entry was taken back. Whoever took it back
    /// decided that nobody is in with this ticket, so what happened earlier does not make it enter again.
    fn is_older_than_undo(&self, scan: &Scan, ticket: &State) -> bool {
        let undone_at = self.undone.get(&ticket.id).filter(|_| scan.kept);
        scan.scanned_at.zip(undone_at).is_some_and(|(scanned_at, undone_at)| scanned_at < *undone_at)
    }

    /// Whether a device that was offline let somebody pass before they last went out or came back: where they are now was
    /// decided since.
    fn is_older_than_passage(&self, scan: &Scan, ticket: &State) -> bool {
        let made_at = scan.scanned_at.filter(|_| scan.kept);
        made_at.zip(self.whereabouts(ticket).passed_at).is_some_and(|(made_at, passed_at)| made_at < passed_at)
    }

    fn credential<'a>(&self, ticket: &'a State) -> Option<Credential<'a>> {
        let (_, category) = self.types.get(&ticket.ticket_type_id)?;
        let status = if self.entered.contains_key(&ticket.id) { TicketStatus::Scanned } else { ticket.status };
        let (event_id, ticket_type_id) = (&ticket.event_id, &ticket.ticket_type_id);
        let is_outside = self.whereabouts(ticket).is_outside;
        let may_reenter = self.reentry.contains(ticket_type_id);
        Some(Credential { status, event_id, ticket_type_id, category: *category, is_outside, may_reenter })
    }

    fn answer(&self, scan: &Scan, outcome: Outcome, ticket_id: Option<&str>, stamp: Stamp) -> store::Result<String> {
        let ticket = ticket_id.and_then(|id| self.tickets.get(id)).filter(|_| outcome != Outcome::TurnedAway);
        let own = ticket.filter(|_| outcome.names_the_holder());
        let of_person = own.filter(|_| !scan.door.is_public);
        let before =
            own.filter(|_| outcome != Outcome::Admitted).and_then(|ticket| match self.entered.get(&ticket.id) {
                Some((at, station)) => Some((*at, Some(station.as_str()))),
                None => ticket.checked_in.as_ref().map(|(at, station)| (*at, station.as_deref())),
            });
        let shown = ticket.and_then(|ticket| {
            let (type_name, category) = self.types.get(&ticket.ticket_type_id)?;
            Some(DoorTicket {
                name: of_person.map_or("", |ticket| &ticket.attendee.name),
                ticket_type: TicketTypeSummary {
                    id: &ticket.ticket_type_id,
                    name: type_name,
                    category: (*category).into(),
                },
                event: EventSummary { id: &ticket.event_id, name: self.events.get(&ticket.event_id)? },
                group: own.and_then(|ticket| self.group(ticket, &scan.door.scope)),
                door_note: of_person.and_then(|ticket| ticket.door_note.get()),
                ticket_type_note: own
                    .and_then(|ticket| self.type_notes.get(&ticket.ticket_type_id))
                    .map(String::as_str)
                    .filter(|note| !note.is_empty()),
            })
        });
        let answer = ScanAnswer {
            scan_id: &scan.scan_id,
            outcome: outcome.into(),
            ticket: shown,
            first_scan: before.map(|(at, station)| FirstScan { scanned_at: Time(at), station }),
            accepted_at: Time(stamp),
        };
        serde_json::to_string(&answer).map_err(store::Error::internal)
    }

    /// How many tickets of this ticket's group have entered by now. `None` if it is alone, or not in a group.
    fn group(&self, ticket: &State, scope: &Scope) -> Option<Group> {
        let members = self.groups.get(ticket.order_id.as_deref()?)?;
        members.iter().find(|member| member.id == ticket.id)?;
        let admits = |member: &&Member| {
            let category = self.types.get(&member.ticket_type_id).map(|(_, category)| *category);
            member.event_id == ticket.event_id
                && category.is_some_and(|category| scope.admits(&member.ticket_type_id, category))
        };
        let here = members.iter().filter(admits);
        let entered = here.clone().filter(|member| member.has_entered || self.entered.contains_key(&member.id)).count();
        let of = here.count();
        (of > 1).then_some(Group { entered, of })
    }
}
