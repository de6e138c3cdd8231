//! Letting people in: any number of scans, decided and written down in one transaction.

use std::collections::{BTreeSet, HashMap, hash_map::Entry};

use sha2::{Digest, Sha256};

use super::common::tell_tickets;
use crate::{
    domain::{
        admit::{Credential, Outcome, Scope, admit as decide, spellings},
        clock::Stamp,
        key::hexadecimal,
        status::{Category, TicketStatus},
        webhook::MessageKind,
    },
    store::{
        self, ChangeResult, Conn, Store, Tenant,
        catalogue::{events, ticket_types},
        door::scans::{self, Answered, NewScan},
        tickets::rows::{self, Mark, State},
    },
    transaction,
    wire::{
        Time,
        api::TicketTypeSummary,
        door::{DoorTicket, EventSummary, FirstScan, ScanAnswer},
    },
};

/// A code that somebody showed somewhere.
#[derive(Clone, Debug)]
pub struct Scan {
    /// Names this attempt: the same again gets the same answer.
    pub scan_id: String,
    /// What was shown.
    pub code: String,
    /// Where.
    pub station: String,
    /// The device's own time.
    pub scanned_at: Option<Stamp>,
    /// The device refused it by itself: it is written down and admits nobody.
    pub turned_away: bool,
    /// What it came through.
    pub door: Door,
}

/// What a scan comes through.
#[derive(Clone, Debug, Default)]
pub struct Door {
    /// The link, if it is one.
    pub link_id: Option<String>,
    /// The only event it opens.
    pub event_id: Option<String>,
    /// Which items it admits.
    pub scope: Scope,
}

/// What a scan is answered.
#[derive(Clone, Debug)]
pub enum Admission {
    /// What was decided, now or when this scan first came, and the whole answer as JSON.
    Decided(Outcome, String),
    /// This `scan_id` was used for another code; nothing was decided.
    Reused,
}

/// Decides scans in their order and answers each. For one ticket one scan at most is ever admitted (G4).
pub async fn admit(store: &Store, tenant: Tenant, scans: &[Scan], now: Stamp) -> ChangeResult<Vec<Admission>> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let stamp = tx.stamp();
        let ids: Vec<&str> = scans.iter().map(|scan| scan.scan_id.as_str()).collect();
        let mut answered = scans::answered(tx, tenant, &ids).await?;
        let mut known =
            Known::load(tx, tenant, scans.iter().filter(|scan| !answered.contains_key(&scan.scan_id))).await?;

        let mut admissions = Vec::with_capacity(scans.len());
        let mut log = Vec::new();
        for scan in scans {
            let code_hash = hexadecimal(&Sha256::digest(&scan.code));
            let answered = match answered.entry(scan.scan_id.clone()) {
                Entry::Occupied(before) => before.into_mut(),
                Entry::Vacant(new) => {
                    let (outcome, ticket_id) = known.decide(scan);
                    let answer = known.answer(scan, outcome, ticket_id.as_deref())?;
                    if let (Outcome::Admitted, Some(id)) = (outcome, &ticket_id) {
                        known.entered.insert(id.clone(), (stamp, scan.station.clone()));
                    }
                    let answered = new.insert(Answered { code_hash: code_hash.clone(), outcome, answer });
                    log.push(NewScan {
                        scan_id: &scan.scan_id,
                        door_link_id: scan.door.link_id.as_deref(),
                        station: &scan.station,
                        ticket_id,
                        scanned_at: scan.scanned_at,
                        answered: answered.clone(),
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
        let mut entered: Vec<(State, &str)> = admitted
            .filter_map(|scan| Some((known.tickets.remove(scan.ticket_id.as_deref()?)?, scan.station)))
            .collect();
        let marks =
            entered.iter_mut().map(|(state, station)| (state, TicketStatus::Scanned, Mark::Scanned(station))).collect();
        rows::mark_all(tx, marks).await?;
        let states: Vec<&State> = entered.iter().map(|(state, _)| state).collect();
        tell_tickets(tx, MessageKind::TicketScanned, &states).await?;
        scans::insert(tx, &log).await?;
        Ok(admissions)
    })
}

/// All that deciding needs, read before it begins.
struct Known {
    tickets: HashMap<String, State>,
    types: HashMap<String, (String, Category)>,
    events: HashMap<String, String>,
    /// Tickets that entered in this very transaction, when and where: a second scan of one is told of the first.
    entered: HashMap<String, (Stamp, String)>,
}

impl Known {
    async fn load(conn: &mut Conn, tenant: Tenant, scans: impl Iterator<Item = &Scan> + Send) -> ChangeResult<Self> {
        // Each once, and in an order that two walks through them share.
        let codes: BTreeSet<String> = scans.flat_map(|scan| spellings(&scan.code)).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let tickets = rows::states(conn, tenant, &codes).await?;
        let type_ids: BTreeSet<&str> = tickets.values().map(|state| state.ticket_type_id.as_str()).collect();
        let type_ids: Vec<&str> = type_ids.into_iter().collect();
        let summaries = ticket_types::summaries(conn, tenant, &type_ids).await?;
        let types = type_ids.into_iter().map(str::to_owned).zip(summaries).collect();
        let event_ids: BTreeSet<&str> = tickets.values().map(|state| state.event_id.as_str()).collect();
        let event_ids: Vec<&str> = event_ids.into_iter().collect();
        let events = events::names(conn, tenant, &event_ids).await?;
        Ok(Self { tickets, types, events, entered: HashMap::new() })
    }

    /// What a scan gets, and which ticket it is of.
    fn decide(&self, scan: &Scan) -> (Outcome, Option<String>) {
        let ticket = spellings(&scan.code).find_map(|code| self.tickets.get(&code));
        let outcome = match (scan.turned_away, ticket) {
            (true, _) => Outcome::TurnedAway,
            (false, ticket) => {
                let credential = ticket.and_then(|ticket| self.credential(ticket));
                decide(credential, scan.door.event_id.as_deref(), &scan.door.scope)
            }
        };
        (outcome, ticket.map(|ticket| ticket.id.clone()))
    }

    fn credential<'a>(&self, ticket: &'a State) -> Option<Credential<'a>> {
        let (_, category) = self.types.get(&ticket.ticket_type_id)?;
        let status = if self.entered.contains_key(&ticket.id) { TicketStatus::Scanned } else { ticket.status };
        let (event_id, ticket_type_id) = (&ticket.event_id, &ticket.ticket_type_id);
        Some(Credential { status, event_id, ticket_type_id, category: *category })
    }

    fn answer(&self, scan: &Scan, outcome: Outcome, ticket_id: Option<&str>) -> store::Result<String> {
        let ticket = ticket_id.and_then(|id| self.tickets.get(id)).filter(|_| outcome != Outcome::TurnedAway);
        let own = ticket.filter(|_| outcome.names_the_holder());
        let before = own.and_then(|ticket| match self.entered.get(&ticket.id) {
            Some((at, station)) => Some((*at, Some(station.as_str()))),
            None => ticket.checked_in.as_ref().map(|(at, station)| (*at, station.as_deref())),
        });
        let shown = ticket.and_then(|ticket| {
            let (type_name, category) = self.types.get(&ticket.ticket_type_id)?;
            Some(DoorTicket {
                name: own.map_or("", |ticket| &ticket.attendee.name),
                ticket_type: TicketTypeSummary { id: &ticket.ticket_type_id, name: type_name, category: *category },
                event: EventSummary { id: &ticket.event_id, name: self.events.get(&ticket.event_id)? },
            })
        });
        let answer = ScanAnswer {
            scan_id: &scan.scan_id,
            outcome,
            ticket: shown,
            first_scan: before.map(|(at, station)| FirstScan { scanned_at: Time(at), station }),
        };
        serde_json::to_string(&answer).map_err(store::Error::internal)
    }
}
