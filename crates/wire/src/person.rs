//! What is held of a person, as it is handed out to them.

use serde::Serialize;
use serde_json::value::RawValue;

use taquilla_domain::{personal::Cover, status::OrderStatus};

use super::{api::Order, names::Outcome, time::Time};

/// Everything that a producer holds of a person.
#[derive(Debug, Serialize)]
pub struct HeldOfPerson<'a> {
    /// The producer.
    pub producer: super::api::Producer<'a>,
    /// `email` or `document`.
    pub named_by: &'static str,
    /// The detail that the person was looked for by, as it is compared.
    pub asked_for: &'a str,
    /// When this was made.
    pub made_at: Time,
    /// Orders that the person bought.
    pub orders: Vec<HeldOrder<'a>>,
    /// Tickets that are the person's, or were.
    pub tickets: Vec<HeldTicket<'a>>,
    /// What buyers wrote of the person in orders that are not decided yet.
    pub named_in_orders: Vec<NamedInOrder<'a>>,
    /// The person's account in the producer's team, if there is one.
    pub team: Option<TeamMember<'a>>,
}

/// An order that the person bought.
#[derive(Debug, Serialize)]
pub struct HeldOrder<'a> {
    /// The order, as the API shows it.
    #[serde(flatten)]
    pub order: Order<'a>,
    /// The network address that it came from, which is kept while it holds stock.
    pub placed_from: Option<&'a str>,
    /// What was paid for it.
    pub payments: Vec<HeldPayment<'a>>,
    /// What refunds owed for it, and whether that was paid back.
    pub pay_backs: Vec<HeldPayBack<'a>>,
    /// What staff wrote about it.
    pub notes: Vec<HeldNote<'a>>,
}

/// What staff wrote about an order.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields of their names")]
pub struct HeldNote<'a> {
    pub written_at: Time,
    pub text: &'a str,
}

/// What a refund owed for an order.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields of their names")]
pub struct HeldPayBack<'a> {
    pub amount: i64,
    pub currency: &'a str,
    pub owed_at: Time,
    pub paid_back_at: Option<Time>,
    pub note: Option<&'a str>,
}

/// A payment of an order.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields of their names")]
pub struct HeldPayment<'a> {
    pub id: &'a str,
    pub outcome: &'static str,
    pub amount: i64,
    pub currency: &'a str,
    pub result: &'a str,
    pub received_at: Time,
    pub paid_back_at: Option<Time>,
    pub note: Option<&'a str>,
}

/// A ticket of the person.
#[derive(Debug, Serialize)]
pub struct HeldTicket<'a> {
    /// The ticket, as the API shows it.
    pub ticket: &'a RawValue,
    /// What staff wrote about it for the door.
    pub door_note: Option<&'a str>,
    /// When it was shown at doors, newest first.
    pub scans: Vec<HeldScan<'a>>,
}

/// A ticket that was shown at a door.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields of their names")]
pub struct HeldScan<'a> {
    pub outcome: Outcome,
    pub station: &'a str,
    pub scanned_at: Option<Time>,
    pub accepted_at: Time,
}

/// What a buyer wrote of the person.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields of their names")]
pub struct NamedInOrder<'a> {
    pub order_id: &'a str,
    pub name: &'a str,
    pub email: &'a str,
    pub phone: Option<&'a str>,
    pub identity_document: &'a str,
}

/// An account in the producer's team.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields of their names")]
pub struct TeamMember<'a> {
    pub user_id: &'a str,
    pub name: &'a str,
    pub email: &'a str,
    pub role: &'a str,
    pub joined_at: Time,
}

/// An erasure, as lists of them have it: without who it was.
#[derive(Debug, Serialize)]
pub struct Erasure<'a> {
    /// Its id.
    pub id: &'a str,
    /// The producer.
    pub producer: &'a str,
    /// `email` or `document`; null while it runs.
    pub named_by: Option<&'static str>,
    /// Tells whether somebody else is the same, to this database; null while it runs.
    pub digest: Option<&'a str>,
    /// When it was asked for.
    pub created_at: Time,
    /// When it was done; null while it runs.
    pub finished_at: Option<Time>,
    /// How many orders, tickets and named attendees were erased.
    pub rows: i64,
}

/// How much is held of a person.
#[derive(Debug, Default, Serialize)]
pub struct HowMuch {
    /// Orders that the person bought.
    pub orders: usize,
    /// Orders among them that wait to be decided.
    pub pending_orders: usize,
    /// Tickets that are the person's, or were.
    pub tickets: usize,
    /// Tickets among them that can still enter.
    pub valid_tickets: usize,
    /// Orders of others that wait to be decided and name the person.
    pub named_in_orders: usize,
    /// Whether the person has an account in the producer's team, which is not erased.
    pub is_in_team: bool,
    /// Other addresses on these orders and tickets.
    pub other_emails: Vec<String>,
    /// Other documents on these orders and tickets.
    pub other_documents: Vec<String>,
}

impl Cover for HowMuch {
    fn covered(self) -> Self {
        Self { other_emails: vec![], other_documents: vec![], ..self }
    }
}

impl HowMuch {
    /// Whether nothing is held.
    pub fn is_nothing(&self) -> bool {
        self.orders + self.tickets + self.named_in_orders == 0 && !self.is_in_team
    }

    /// Counts an order.
    pub fn add_order(&mut self, status: OrderStatus) {
        self.orders += 1;
        self.pending_orders += usize::from(status == OrderStatus::Pending);
    }
}
