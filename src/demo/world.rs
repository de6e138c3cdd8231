//! The people of the demo: they buy in the shop and at the box office, pay, pass tickets on and come to the door. They go
//! the ways that everybody goes: buyers, payment processors and phones over HTTP, staff through the box office.

use std::collections::VecDeque;

use anyhow::anyhow;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rustls::pki_types::CertificateDer;

use taquilla_domain::{
    clock::Stamp,
    config::{CODES_PAGE, DEMO_NIGHTS_MAX},
    signature::SigningSecret,
    status::{Category, TicketStatus},
    time_source::TimeSource,
};
use taquilla_rules::admin;
use taquilla_store::{
    ChangeError, Store, Tenant,
    lists::{End, Position},
    sales::processors,
    tickets::listed,
};

use super::{
    gates::{self, Gate},
    nights::{self, Night},
    outside::Outside,
    people,
};

/// How many of the last tickets and orders are remembered, to show one again or to give one back.
pub(super) const REMEMBERED: usize = 60;
/// With fewer tickets to come than this, people come more slowly and buy more, so that the door never runs dry.
const FEW: usize = 60;
/// Things between two looks at the list of tickets.
const LOOK_EVERY: u32 = 40;
/// Pages of the list of tickets that one look reads.
const LOOK_PAGES: usize = 4;
/// The events that people buy for besides tonight's.
pub(super) const LATER_EVENTS: [&str; 2] = ["ev_winter", "ev_matinee"];

/// Where the demo's people are.
pub struct Place {
    /// The database.
    pub store: Store,
    /// The demo's producer.
    pub tenant: Tenant,
    /// The producer's public id.
    pub producer_id: String,
    /// The server's address, such as `http://127.0.0.1:8080`.
    pub base: String,
    /// The certificate of this server, if it was made here.
    pub certificate: Option<CertificateDer<'static>>,
    /// The present.
    pub time: TimeSource,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Somebody ordered in the shop.
    Ordered,
    /// A payment was reported.
    Paid,
    /// A payment was reported that settles nothing.
    PaidInVain,
    /// The box office sold.
    SoldByStaff,
    /// The box office refunded.
    Refunded,
    /// A ticket was passed on.
    PassedOn,
    /// A code was shown at the door.
    Scanned,
    /// A phone that was offline told what it had decided.
    Uploaded,
    /// A night ended and the next began.
    NextNight,
    /// Nothing: it was not possible just now.
    Nothing,
    /// All nights are over, and nothing happens any more.
    Rested,
}

/// A payment that will be reported.
pub(super) struct Payment {
    pub due: Stamp,
    pub reference: String,
    pub status: &'static str,
    pub amount: i64,
    pub currency: String,
}

/// What the people know of tonight's tickets: ids, with what they are.
#[derive(Default)]
pub(super) struct Tickets {
    pub to_come: Vec<(String, Category)>,
    pub inside: VecDeque<(String, Category)>,
    pub refunded: Vec<String>,
    pub elsewhere: Vec<String>,
}

/// The demo's people, as far as they have come.
pub struct World {
    pub(super) place: Place,
    pub(super) outside: Outside,
    pub(super) rng: StdRng,
    pub(super) night: Night,
    pub(super) gates: Vec<Gate>,
    pub(super) secret: SigningSecret,
    pub(super) payments: Vec<Payment>,
    /// The orders that were sold last.
    pub(super) sold: VecDeque<String>,
    pub(super) tickets: Tickets,
    looked: u32,
}

pub(super) fn said(error: ChangeError) -> anyhow::Error {
    match error {
        ChangeError::Refused(refusal) => anyhow!("{refusal}"),
        ChangeError::Store(cause) => cause.into(),
    }
}

impl World {
    /// The people of a demo that has its data, and whoever stands at its gates already. The same seed gives the same wishes.
    pub async fn new(place: Place, seed: u64, gates: Option<Vec<Gate>>) -> anyhow::Result<Self> {
        let (store, tenant) = (&place.store, place.tenant);
        let night = nights::now_on(&mut store.read().await?, tenant).await?;
        let night = night.ok_or_else(|| anyhow!("the demo has no data"))?;
        let known = processors::secrets(&mut store.read().await?, tenant).await?;
        let secret = match known.as_ref().and_then(|known| known.valid(place.time.now()).next()) {
            Some(secret) => secret.clone(),
            None => {
                let by = people::staff(&place.time);
                admin::payments::connect(store, tenant, false, &by).await.map_err(said)?.0
            }
        };
        let gates = match gates {
            Some(gates) => gates,
            None => gates::open(store, tenant, &night.event_id, &people::staff(&place.time)).await.map_err(said)?,
        };
        let (payments, sold, tickets) = (Vec::new(), VecDeque::new(), Tickets::default());
        let (outside, rng) =
            (Outside::new(place.base.clone(), place.certificate.clone())?, StdRng::seed_from_u64(seed));
        Ok(Self { place, outside, rng, night, gates, secret, payments, sold, tickets, looked: 0 })
    }

    /// Lets one thing happen.
    pub async fn step(&mut self) -> anyhow::Result<Deed> {
        let now = self.place.time.now();
        if nights::is_over(&self.night, now) {
            return self.next_night().await;
        }
        if now >= self.night.ends_at && self.night.number >= DEMO_NIGHTS_MAX {
            return Ok(Deed::Rested);
        }
        if self.looked.is_multiple_of(LOOK_EVERY) {
            self.look().await?;
        }
        self.looked += 1;
        if let Some(at) = self.payments.iter().position(|payment| payment.due <= now) {
            let payment = self.payments.swap_remove(at);
            return self.pay(payment).await;
        }
        let coming = self.tickets.to_come.len().min(FEW) as u32;
        let wishes = [
            (Wish::Order, 22 + (FEW as u32 - coming) / 3),
            (Wish::SellByStaff, 7),
            (Wish::PassOn, 4),
            (Wish::Enter, coming * 50 / FEW as u32),
            (Wish::EnterAgain, 4),
            (Wish::EnterWithNothing, 3),
            (Wish::Upload, 2),
            (Wish::Refund, 2),
            (Wish::PayInVain, 1),
        ];
        let (wish, _) = wishes.choose_weighted(&mut self.rng, |(_, weight)| *weight)?;
        match wish {
            Wish::Order => self.order().await,
            Wish::SellByStaff => self.sell_by_staff().await,
            Wish::PassOn => self.pass_on().await,
            Wish::Enter => self.enter().await,
            Wish::EnterAgain => self.enter_again().await,
            Wish::EnterWithNothing => self.enter_with_nothing().await,
            Wish::Upload => self.upload().await,
            Wish::Refund => self.refund().await,
            Wish::PayInVain => self.pay_in_vain().await,
        }
    }

    async fn next_night(&mut self) -> anyhow::Result<Deed> {
        let Place { store, tenant, time, .. } = &self.place;
        self.night = nights::next(store, *tenant, &self.night, time).await.map_err(said)?;
        self.gates = gates::open(store, *tenant, &self.night.event_id, &people::staff(time)).await.map_err(said)?;
        self.tickets = Tickets::default();
        self.sold.clear();
        self.looked = 0;
        Ok(Deed::NextNight)
    }

    /// Reads which tickets are to come, and which would be refused.
    async fn look(&mut self) -> anyhow::Result<()> {
        let mut tickets = Tickets { inside: std::mem::take(&mut self.tickets.inside), ..Tickets::default() };
        let (tenant, mut conn) = (self.place.tenant, self.place.store.read().await?);
        let mut from = Position::above(Stamp::END);
        for _ in 0..LOOK_PAGES {
            let event_id = self.night.event_id.as_str();
            let end = listed::changed(&mut conn, tenant, &[event_id], None, from, CODES_PAGE, |ticket| {
                match ticket.status {
                    TicketStatus::Valid => tickets.to_come.push((ticket.id.to_owned(), ticket.category)),
                    TicketStatus::Refunded if tickets.refunded.len() < REMEMBERED => {
                        tickets.refunded.push(ticket.id.to_owned());
                    }
                    _ => {}
                }
                Ok(())
            })
            .await?;
            match end {
                End::More(position) => from = position,
                End::Complete => break,
            }
        }
        let from = Position::above(Stamp::END);
        listed::changed(&mut conn, tenant, &LATER_EVENTS[..1], None, from, REMEMBERED, |ticket| {
            tickets.elsewhere.push(ticket.id.to_owned());
            Ok(())
        })
        .await?;
        self.tickets = tickets;
        Ok(())
    }

    /// A new id; the same seed gives the same ids.
    pub(super) fn new_id(&mut self, kind: &str) -> String {
        format!("{kind}-{:032x}", self.rng.random::<u128>())
    }
}

/// What somebody wants to do next.
enum Wish {
    Order,
    SellByStaff,
    PassOn,
    Enter,
    EnterAgain,
    EnterWithNothing,
    Upload,
    Refund,
    PayInVain,
}
