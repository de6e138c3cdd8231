//! What has happened at the demo before anybody looks: the things that an import cannot bring, so that every page has
//! something to show.

use std::time::Duration;

use rand::{SeedableRng, rngs::StdRng};

use taquilla_domain::{
    admit::Scope,
    audit::By,
    clock::Stamp,
    config::CODES_PAGE,
    door_link::{LinkOptions, NewDoorLink, Stations},
    invalid::Invalid,
    key::Permission,
    order::Order,
    status::{Category, PaymentOutcome, TicketStatus},
    stock::Channel,
    text::Name,
    time_source::TimeSource,
};
use taquilla_rules::{
    admin,
    boxoffice::{self, Door, ItemRequest, OrderRequest, Placed, Scan},
};
use taquilla_store::{
    ChangeError, ChangeResult, Error, Store, Tenant, lists::Position, sales::payments::Payment, tickets::listed,
};

use super::{
    data::{CURRENCY, TONIGHT_ID},
    gates::{self, Gate},
    people::{self, staff},
};

const LATER_ID: &str = "ev_matinee";
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// Lets it happen, and returns who stands at the gates.
pub async fn play(store: &Store, tenant: Tenant, seed: u64, time: &TimeSource) -> ChangeResult<Vec<Gate>> {
    let by = staff(time);
    let mut scene = Scene { store, tenant, rng: StdRng::seed_from_u64(seed), by };
    admin::payments::connect(store, tenant, false, &scene.by).await?;
    let gates = gates::open(store, tenant, TONIGHT_ID, &scene.by).await?;
    scene.soon_over().await?;
    scene.evening(&gates).await?;
    scene.office().await?;
    Ok(gates)
}

struct Scene<'a> {
    store: &'a Store,
    tenant: Tenant,
    rng: StdRng,
    by: By,
}

impl Scene<'_> {
    /// A door link and a key that end in a few days.
    async fn soon_over(&self) -> ChangeResult<()> {
        let in_name = |invalid: Invalid| invalid.in_field("name");
        let new = NewDoorLink {
            event_id: TONIGHT_ID.to_owned(),
            more_events: vec![],
            label: Name::parse("Stage door").map_err(in_name)?,
            scope: Scope::default(),
            stations: Stations::default(),
            zone: None,
            options: LinkOptions::default(),
            pin: None,
            expires_at: Some(self.by.now.plus(3 * DAY)),
        };
        admin::door_links::create(self.store, self.tenant, new, &self.by).await?;
        let (name, permissions) = (Name::parse("Monthly export").map_err(in_name)?, [Permission::OrdersRead]);
        let ends = Some(self.by.now.plus(5 * DAY));
        let permissions = permissions.into_iter().collect();
        admin::keys::create(self.store, self.tenant, name, permissions, ends, &self.by).await?;
        Ok(())
    }

    /// The first of an event's tickets that were issued, by status. The last ones are left to be tried.
    async fn first_tickets(&self, event_id: &str, status: TicketStatus) -> ChangeResult<Vec<(String, Category)>> {
        let mut found = Vec::new();
        let (start, mut conn) = (Position::above(Stamp::END), self.store.read().await?);
        listed::changed(&mut conn, self.tenant, &[event_id], None, start, CODES_PAGE, |ticket| {
            if ticket.status == status {
                found.push((ticket.id.to_owned(), ticket.category));
            }
            Ok(())
        })
        .await?;
        found.reverse();
        Ok(found)
    }

    /// People at the door: most enter, some are refused, and a phone that was offline let somebody in a second time.
    async fn evening(&mut self, gates: &[Gate]) -> ChangeResult<()> {
        let to_come = self.first_tickets(TONIGHT_ID, TicketStatus::Valid).await?;
        let of = |category: Category, count: usize| {
            let fitting = to_come.iter().filter(move |(_, of)| *of == category);
            fitting.map(|(code, _)| code.clone()).take(count).collect::<Vec<_>>()
        };
        let (people, beers) = (of(Category::Ticket, 24), of(Category::Merchandise, 6));
        let refunded = self.first_tickets(TONIGHT_ID, TicketStatus::Refunded).await?;
        let elsewhere = self.first_tickets(LATER_ID, TicketStatus::Valid).await?;
        let mut scans = Vec::new();
        let entrances: Vec<&Gate> = gates.iter().filter(|gate| gate.category == Category::Ticket).collect();
        let bars = gates.iter().filter(|gate| gate.category == Category::Merchandise);
        for (code, gate) in people.iter().zip(entrances.iter().cycle()) {
            scans.push(self.scan(code, gate, None));
        }
        for (code, gate) in beers.iter().zip(bars.cycle()) {
            scans.push(self.scan(code, gate, None));
        }
        let firsts = [refunded.first(), elsewhere.first(), elsewhere.last()].into_iter().flatten();
        let refused = firsts.map(|(code, _)| code.as_str()).chain(["012345678905"]);
        let again = people.iter().take(3).chain(&beers[..beers.len().min(1)]).map(String::as_str);
        for (code, gate) in refused.chain(again).zip(entrances.iter().rev().cycle()) {
            scans.push(self.scan(code, gate, None));
        }
        // What a phone without signal decided: two of these had entered elsewhere meanwhile.
        let kept = people.iter().rev().take(2);
        for (code, gate) in kept.zip(entrances.iter().cycle()) {
            scans.push(self.scan(code, gate, Some(self.by.now.minus(Duration::from_secs(240)))));
        }
        boxoffice::admit(self.store, self.tenant, &scans, self.by.now).await?;
        Ok(())
    }

    fn scan(&self, code: &str, gate: &Gate, scanned_at: Option<Stamp>) -> Scan {
        let scope = Scope { categories: vec![gate.category], ticket_types: vec![] };
        Scan {
            scan_id: format!("scene-{:032x}", rand::random::<u128>()),
            code: code.to_owned(),
            station: gate.station.to_owned(),
            scanned_at,
            turned_away: false,
            kept: scanned_at.is_some(),
            door: Door {
                link_id: Some(gate.link_id.clone()),
                events: vec![TONIGHT_ID.to_owned()],
                scope,
                ..Door::default()
            },
        }
    }

    /// A day at the office: sales, orders that wait, money that nobody asked for, a refund, tickets passed on and withdrawn.
    async fn office(&mut self) -> ChangeResult<()> {
        let (store, tenant, now) = (self.store, self.tenant, self.by.now);
        for price in [None, None, Some(0)] {
            self.sale(2, price, Channel::Staff, true).await?;
        }
        let (sold, _) = self.sale(3, None, Channel::Staff, true).await?;
        boxoffice::refund(store, tenant, &sold.id, &self.by).await?;
        self.sale(1, None, Channel::Public, false).await?;
        let (waiting, reference) = self.sale(2, None, Channel::Public, false).await?;
        // Refusals that are kept: too little, and for no order.
        let owed = (reference, Some(waiting.id), waiting.total - 5);
        for (number, (reference, order_id, amount)) in
            [owed, ("invoice-2041".to_owned(), None, 50)].into_iter().enumerate()
        {
            let payment = Payment {
                id: format!("pay_demo_{}", number + 1),
                reference,
                order_id,
                outcome: PaymentOutcome::Paid,
                amount,
                currency: CURRENCY.to_owned(),
                fault: None,
            };
            match boxoffice::settle(store, tenant, &payment, now).await {
                Ok(_) | Err(ChangeError::Refused(_)) => {}
                Err(cause) => return Err(cause),
            }
        }
        let mut tickets = self.first_tickets(LATER_ID, TicketStatus::Valid).await?.into_iter();
        if let Some((id, _)) = tickets.next() {
            let second = boxoffice::transfer(store, tenant, &id, &people::person(&mut self.rng), &self.by).await?;
            boxoffice::transfer(store, tenant, &second, &people::person(&mut self.rng), &self.by).await?;
        }
        if let Some((id, _)) = tickets.next() {
            boxoffice::cancel(store, tenant, &id, &self.by).await?;
        }
        if let Some((id, _)) = tickets.next() {
            boxoffice::hide(store, tenant, &id, &self.by).await?;
        }
        Ok(())
    }

    /// Sells for a later event. The order waits for its payment, or staff take the money. Returns its reference, too.
    async fn sale(
        &mut self,
        quantity: i64,
        unit_price: Option<i64>,
        channel: Channel,
        paid: bool,
    ) -> ChangeResult<(Order, String)> {
        let ticket_type_id = format!("tt_{}_general", &LATER_ID[3..]);
        let item = ItemRequest { ticket_type_id, quantity, unit_price, attendees: vec![], access_code: None };
        let buyer = people::person(&mut self.rng);
        let sale = OrderRequest::new(LATER_ID.to_owned(), buyer, vec![item], channel);
        let request = OrderRequest { is_paid: paid, ..sale };
        let placed = match channel {
            Channel::Staff => boxoffice::place(self.store, self.tenant, &request, None, &self.by).await?,
            Channel::Public | Channel::Promoter => {
                boxoffice::place(self.store, self.tenant, &request, None, self.by.now).await?
            }
        };
        let Placed::New(placed) = placed else {
            return Err(Error::internal("an order without a key was placed before").into());
        };
        Ok((placed.order, placed.reference))
    }
}
