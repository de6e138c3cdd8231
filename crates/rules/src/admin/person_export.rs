//! What is held of a person as JSON, for the person or for another service.

use serde_json::value::RawValue;

use taquilla_domain::{clock::Stamp, personal::Personal, whom::Named};
use taquilla_store::{
    Error, Result,
    people::held::Ticket,
    sales::{notes::Note, pay_backs::PayBack, payments::ReportedPayment},
};
use taquilla_wire::{
    Time,
    api::{Order, Producer},
    person::{
        HeldNote, HeldOfPerson, HeldOrder, HeldPayBack, HeldPayment, HeldScan, HeldTicket, NamedInOrder, TeamMember,
    },
};

use super::people::PersonHoldings;

fn payment(kept: &ReportedPayment) -> HeldPayment<'_> {
    HeldPayment {
        id: &kept.id,
        outcome: kept.outcome.as_str(),
        amount: kept.amount,
        currency: &kept.currency,
        result: &kept.result,
        received_at: Time(kept.received_at),
        paid_back_at: kept.paid_back_at.map(Time),
        note: kept.note.uncovered().as_deref(),
    }
}

fn pay_back(owing: &PayBack) -> HeldPayBack<'_> {
    HeldPayBack {
        amount: owing.owed.amount,
        currency: &owing.owed.currency,
        owed_at: Time(owing.owed_at),
        paid_back_at: owing.paid_back_at.map(Time),
        note: owing.note.uncovered().as_deref(),
    }
}

fn note(note: &Note) -> HeldNote<'_> {
    HeldNote { written_at: Time(note.written_at), text: &note.text }
}

fn ticket(Ticket { held, shown, scans }: &Ticket) -> Result<HeldTicket<'_>> {
    let scans = scans.iter().map(|scan| HeldScan {
        outcome: scan.outcome.into(),
        station: &scan.station,
        scanned_at: scan.scanned_at.map(Time),
        accepted_at: Time(scan.accepted_at),
    });
    let ticket: &RawValue = serde_json::from_str(shown).map_err(Error::internal)?;
    Ok(HeldTicket { ticket, door_note: held.state.uncovered().door_note.get(), scans: scans.collect() })
}

/// Everything that was found, as one JSON object.
pub fn json(producer: (&str, &str), named: &Named, found: &PersonHoldings, now: Stamp) -> Result<Personal<String>> {
    let orders = found.held.orders.iter().map(|bought| HeldOrder {
        order: Order::from(&bought.order),
        placed_from: bought.placed_from.as_deref(),
        payments: bought.payments.iter().map(payment).collect(),
        pay_backs: bought.pay_backs.iter().map(pay_back).collect(),
        notes: bought.notes.iter().map(Personal::uncovered).map(note).collect(),
    });
    let named_in_orders = found.held.waiting.iter().map(|(order_id, person)| NamedInOrder {
        order_id,
        name: &person.name,
        email: &person.email,
        phone: person.phone.as_deref(),
        identity_document: &person.identity_document,
    });
    let team = found.member.as_ref().map(|member| TeamMember {
        user_id: &member.user_id,
        name: &member.name,
        email: &member.email,
        role: &member.role,
        joined_at: Time(member.joined_at),
    });
    let whole = HeldOfPerson {
        producer: Producer { id: producer.0, name: producer.1 },
        named_by: named.by().as_str(),
        asked_for: named.detail(),
        made_at: Time(now),
        orders: orders.collect(),
        tickets: found.held.tickets.iter().map(ticket).collect::<Result<_>>()?,
        named_in_orders: named_in_orders.collect(),
        team,
    };
    serde_json::to_string(&whole).map(Personal::new).map_err(Error::internal)
}
