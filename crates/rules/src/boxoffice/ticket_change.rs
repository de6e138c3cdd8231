//! What staff do with single tickets: cancel one, hide one, pass one on, write a note for the door. Those of a group are decided one after another in
//! memory, and written together.

use std::collections::HashSet;

use taquilla_domain::{
    audit::{Action, By, ending},
    clock::Stamp,
    door_note::DoorNote,
    id,
    moves::TicketMove,
    person::Person,
    refusal::Refusal,
    status::TicketStatus,
    webhook::MessageKind,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeResult, Move,
    catalogue::ticket_counts::{self, Counts},
    sales::{
        promoter_sums::{self, PromoterSums},
        promoters,
    },
    staff::audit::{self, NewEntry},
    tickets::{
        bundles,
        rows::{self, Issued, Mark, Marked, NewTicket, State},
        shown,
    },
    webhooks::outbox,
};

use super::{common::ticket_messages, verdict::decided};

/// What is to become of one ticket.
pub(super) struct TicketChange {
    pub id: String,
    pub step: TicketStep,
}

/// A change of a ticket.
pub(super) enum TicketStep {
    /// It stops working, and its stock is given back.
    Cancel,
    /// It leaves all lists and counts.
    Hide,
    /// Another ticket, for this attendee, replaces it.
    Transfer(Person),
    /// The scanner shows this with it, or nothing.
    Note(DoorNote),
}

/// Changes tickets and answers each change: with the ticket as it is now, or with the one that took its place. A refusal
/// changes nothing. No ticket is in a group twice.
pub(super) async fn change(
    tx: &mut Move,
    asked: &[(&TicketChange, Option<&By>)],
) -> store::Result<Vec<Result<State, Refusal>>> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let tenant = tx.tenant();
    let ids: Vec<&str> = asked.iter().map(|(change, _)| change.id.as_str()).collect();
    let mut tickets = rows::states(tx, tenant, &ids).await?;
    let mut changes = Changes::at(tx.stamp());
    let mut answers = Vec::with_capacity(asked.len());
    for (TicketChange { id, step }, by) in asked {
        let ticket = tickets.remove(id).ok_or(Refusal::NotFound("ticket"));
        answers.push(decided(ticket.map_err(Into::into).and_then(|ticket| changes.make(ticket, step, *by)))?);
    }
    changes.write(tx).await?;
    Ok(answers)
}

/// What the group has decided about tickets so far.
struct Changes {
    stamp: Stamp,
    counts: Counts,
    marked: Vec<Marked>,
    issued: Vec<Issued>,
    /// Tickets that counted in `sold` and have stopped counting.
    stopped: Vec<State>,
    /// What is told about which ticket.
    told: Vec<(MessageKind, State)>,
    history: Vec<NewEntry>,
}

impl Changes {
    fn at(stamp: Stamp) -> Self {
        Self {
            stamp,
            counts: Counts::default(),
            marked: Vec::new(),
            issued: Vec::new(),
            stopped: Vec::new(),
            told: Vec::new(),
            history: Vec::new(),
        }
    }

    fn make(&mut self, ticket: State, step: &TicketStep, by: Option<&By>) -> ChangeResult<State> {
        match step {
            TicketStep::Hide if ticket.hidden => Ok(ticket),
            TicketStep::Hide => {
                let after = ticket.status;
                let hidden = self.stop(ticket, after, Mark::Hidden, MessageKind::TicketHidden)?;
                self.note(by, Action::TicketHidden, &hidden, None);
                Ok(hidden)
            }
            TicketStep::Cancel => {
                let after = TicketMove::Cancel.from(ticket.status)?;
                let cancelled = self.stop(ticket, after, Mark::Cancelled, MessageKind::TicketCancelled)?;
                self.note(by, Action::TicketCancelled, &cancelled, None);
                Ok(cancelled)
            }
            TicketStep::Transfer(to) => {
                let after = TicketMove::Transfer.from(ticket.status)?;
                let (passed_on, new) = self.pass_on(ticket, after, to)?;
                self.note(by, Action::TicketTransferred, &passed_on, Some(&new.id));
                Ok(new)
            }
            TicketStep::Note(note) if ticket.door_note == *note => Ok(ticket),
            TicketStep::Note(note) => {
                let after = ticket.status;
                let marked = ticket.marked(after, Mark::Noted(note), self.stamp, &mut self.counts)?;
                let noted = marked.state.clone();
                self.told.push((MessageKind::TicketNoted, noted.clone()));
                self.marked.push(marked);
                // The history has not what it says: the note is erased with the attendee, and the history stays.
                self.note(by, Action::TicketNoted, &noted, None);
                Ok(noted)
            }
        }
    }

    /// Takes a ticket out of what counts.
    fn stop(&mut self, ticket: State, after: TicketStatus, mark: Mark<'_>, kind: MessageKind) -> store::Result<State> {
        let counted = ticket.counts();
        let marked = ticket.marked(after, mark, self.stamp, &mut self.counts)?;
        let ticket = marked.state.clone();
        self.stopped.extend(counted.then(|| ticket.clone()));
        self.told.push((kind, ticket.clone()));
        self.marked.push(marked);
        Ok(ticket)
    }

    /// Replaces a ticket by a new one for another attendee.
    ///
    /// The new ticket keeps order, ticket type and bundle, so stock does not change and a refund of the order includes it.
    /// It does not keep the note for the door, which may be about whoever held it.
    /// Every transfer makes a new ticket, so a chain of transfers can never lead back.
    fn pass_on(&mut self, ticket: State, after: TicketStatus, to: &Person) -> store::Result<(State, State)> {
        let new_id = id::new_ticket_id();
        let marked = ticket.marked(after, Mark::Transferred(&new_id), self.stamp, &mut self.counts)?;
        let ticket = marked.state.clone();
        let new = NewTicket {
            id: new_id,
            event_id: &ticket.event_id,
            order_id: ticket.order_id.as_deref(),
            order_item: ticket.order_item,
            ticket_type_id: &ticket.ticket_type_id,
            bundle: ticket.bundle_id.as_deref().zip(ticket.bundle_unit.clone()),
            from_bundle: ticket.from_bundle,
            hidden: ticket.hidden,
            attendee: to,
        };
        let issued = new.issued(self.stamp, &mut self.counts)?;
        let new = issued.state.clone();
        self.told.push((MessageKind::TicketTransferred, ticket.clone()));
        self.told.push((MessageKind::TicketIssued, new.clone()));
        self.marked.push(marked);
        self.issued.push(issued);
        Ok((ticket, new))
    }

    /// Adds what staff did to a ticket to the history, and the ticket that replaced it. Of ids of tickets only the ending is
    /// written; with the time of issue it tells which ticket it was.
    fn note(&mut self, by: Option<&By>, action: Action, ticket: &State, replaced_by: Option<&str>) {
        let Some(by) = by else { return };
        let (to, issued) = (replaced_by.map(ending), ticket.issued_at.to_string());
        let details = [("to", to.as_deref()), ("order", ticket.order_id.as_deref()), ("issued", Some(issued.as_str()))];
        let details: Vec<(&'static str, &str)> =
            details.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        self.history.push(NewEntry::new(by, action, &ending(&ticket.id), &details));
    }

    async fn write(mut self, tx: &mut Move) -> store::Result<()> {
        let mut writes = rows::update(tx, &self.marked);
        writes.push(rows::insert(tx, &self.issued)?);
        tx.write_all(writes).await?;
        release(tx, &self.stopped, &mut self.counts).await?;
        let given_back = given_back(tx, &self.stopped).await?;
        let (tenant, stamp) = (tx.tenant(), self.stamp);
        let tickets: Vec<&State> = self.told.iter().map(|(_, ticket)| ticket).collect();
        let shown = shown::shown(tx, tenant, &tickets).await?;
        let mut messages = Vec::with_capacity(shown.len());
        for ((kind, ticket), shown) in self.told.iter().zip(shown) {
            messages.extend(ticket_messages(*kind, ticket, shown, stamp)?);
        }
        let mut writes = Vec::from(ticket_counts::write(tx, &self.counts));
        writes.extend(promoter_sums::write(tenant, &given_back));
        writes.push(outbox::write(tx, &messages)?);
        writes.push(audit::write(tx, &self.history));
        tx.write_all(writes).await
    }
}

/// Gives back the stock of tickets that counted in `sold` and have just stopped counting. All changes are written already.
async fn release(tx: &mut Move, tickets: &[State], counts: &mut Counts) -> store::Result<()> {
    let tenant = tx.tenant();
    let mut units = HashSet::new();
    for ticket in tickets {
        match (&ticket.bundle_id, ticket.from_bundle) {
            // A bundle counts as sold while one of its tickets is live, and is given back once.
            (Some(bundle_id), _) => {
                let is_first = units.insert((bundle_id, &ticket.bundle_unit, &ticket.order_id));
                if is_first && !bundles::bundle_is_live(tx, tenant, ticket).await? {
                    counts.sell(bundle_id, -1);
                }
            }
            (None, true) => {}
            (None, false) => counts.sell(&ticket.ticket_type_id, -1),
        }
    }
    Ok(())
}

/// What promoters gave away of these tickets, and may give away again.
async fn given_back(tx: &mut Move, tickets: &[State]) -> store::Result<PromoterSums> {
    let of_order = |ticket: &'_ State| ticket.order_id.clone();
    let order_ids: HashSet<String> = tickets.iter().filter_map(of_order).collect();
    let order_ids: Vec<&str> = order_ids.iter().map(String::as_str).collect();
    let tenant = tx.tenant();
    let who = promoters::who_gave(tx, tenant, &order_ids).await?;
    let mut sums = PromoterSums::default();
    for promoter_id in tickets.iter().filter_map(|ticket| who.get(ticket.order_id.as_ref()?)) {
        sums.give(promoter_id, -1);
    }
    Ok(sums)
}
