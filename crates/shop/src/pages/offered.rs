//! An item as its page offers it: whether it can be bought now, what a bundle has and saves, and whether few are left.

use taquilla_domain::{
    clock::Stamp,
    config::{FEW_LEFT, FEW_LEFT_PART},
    pool::{self, Shared},
    status::{ItemKind, TypeStatus},
    ticket_type::TicketType,
};
use taquilla_store::sales::holds::Held;

use super::offer::Offer;

/// An item as its page offers it.
#[derive(Debug)]
pub struct Offered {
    /// The item.
    pub item: TicketType,
    /// Whether it can be bought now.
    pub state: State,
    /// What a bundle costs less than its parts, bought one by one.
    pub saves: Option<i64>,
}

/// Whether an item can be bought now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// So many in one order. Of some, few are left.
    Open {
        /// The most of one order. Of what few are left of, no more than those.
        most: i64,
        /// Whether few are left.
        is_scarce: bool,
    },
    /// None is left.
    SoldOut,
    /// Others hold what is left, the next of them until then.
    Held(Stamp),
    /// Its sale begins then.
    NotYet(Stamp),
    /// Its sale ended then.
    Ended(Stamp),
}

impl Offered {
    /// The most of it in one order, if it can be bought now.
    pub fn most(&self) -> Option<i64> {
        match self.state {
            State::Open { most, .. } => Some(most),
            State::SoldOut | State::Held(_) | State::NotYet(_) | State::Ended(_) => None,
        }
    }

    /// The least of it in one order.
    pub fn least(&self) -> i64 {
        self.item.min_per_order.max(1)
    }

    /// The name of the field with how many are wanted.
    pub fn field(&self) -> String {
        field(&self.item.id)
    }

    /// Whether it is several things together.
    pub fn is_bundle(&self) -> bool {
        self.item.kind == ItemKind::Bundle
    }
}

/// The name of the field with how many of an item are wanted.
pub fn field(item_id: &str) -> String {
    format!("{QUANTITY}{item_id}")
}

/// What the names of such fields begin with.
pub const QUANTITY: &str = "quantity_";

/// All items of an offer, in the organiser's order.
pub fn all(offer: &Offer, now: Stamp) -> Vec<Offered> {
    let offered = |item: &TicketType| Offered {
        state: state(item, offer.held.get(&item.id), pool::shared(item, &offer.pools), now),
        saves: saved(item, &offer.items, now),
        item: item.clone(),
    };
    offer.items.iter().map(offered).collect()
}

fn state(item: &TicketType, held: Option<&Held>, shared: Shared, now: Stamp) -> State {
    if let Some(ended) = item.expires_at.filter(|expiry| now >= *expiry) {
        return State::Ended(ended);
    }
    let (left, least) = (item.available(), item.min_per_order.max(1));
    if item.status == TypeStatus::SoldOut || shared.is_full || left.is_some_and(|left| left < least) {
        return State::SoldOut;
    }
    if let Some(from) = item.on_sale_from.filter(|from| now < *from) {
        return State::NotYet(from);
    }
    // What nobody holds, of its own stock and of the pools that it shares.
    let own = left.map(|left| left - held.map_or(0, |held| held.quantity));
    let free = own.into_iter().chain(shared.free).min();
    let Some(free) = free else { return State::Open { most: item.max_per_order, is_scarce: false } };
    if free < least {
        let of_own = held.filter(|_| own.is_some_and(|own| own < least)).map(|held| held.until);
        return of_own.max(shared.held_until).map_or(State::SoldOut, State::Held);
    }
    let most = if free <= FEW_LEFT { item.max_per_order.min(free) } else { item.max_per_order };
    let part = item.limit.map_or(0, |limit| limit / FEW_LEFT_PART);
    State::Open { most, is_scarce: free <= FEW_LEFT.max(part) }
}

/// What a bundle costs less than its parts, where all of them are sold to everybody.
fn saved(bundle: &TicketType, items: &[TicketType], now: Stamp) -> Option<i64> {
    let price = |id: &str| {
        let part = items.iter().find(|item| item.id == id && item.status == TypeStatus::Active)?;
        part.expires_at.is_none_or(|expiry| now < expiry).then_some(part.price)
    };
    let parts: Option<Vec<i64>> =
        bundle.includes.iter().map(|part| Some(price(&part.ticket_type_id)?.saturating_mul(part.quantity))).collect();
    let sum = parts?.into_iter().fold(0_i64, i64::saturating_add);
    Some(sum.saturating_sub(bundle.price)).filter(|saved| *saved > 0)
}

#[cfg(test)]
mod tests {
    use taquilla_domain::{door_note::DoorNote, status::Category, ticket_type::Include};

    use super::*;

    const NOW: Stamp = Stamp::from_micros(1_000);

    fn item(id: &str, price: i64, limit: Option<i64>, sold: i64) -> TicketType {
        TicketType {
            id: id.to_owned(),
            kind: ItemKind::TicketType,
            event_id: "ev".to_owned(),
            category: Category::Ticket,
            name: id.to_owned(),
            description: None,
            image_url: None,
            price,
            currency: "EUR".to_owned(),
            status: TypeStatus::Active,
            deleted: false,
            limit,
            sold,
            max_per_order: 8,
            min_per_order: 1,
            on_sale_from: None,
            reentry: false,
            expires_at: None,
            sort_order: 0,
            door_note: DoorNote::default(),
            updated_at: NOW,
            includes: Vec::new(),
        }
    }

    #[test]
    fn what_can_be_bought_is_told_without_telling_how_much_there_is() {
        let held = |quantity| Held { quantity, until: Stamp::from_micros(5_000) };
        let open = |most, is_scarce| State::Open { most, is_scarce };
        for (limit, sold, held, expected) in [
            (None, 1_000_000, None, open(8, false)),
            (Some(100), 0, None, open(8, false)),
            (Some(100), 89, None, open(8, false)),
            (Some(100), 90, None, open(8, true)),
            (Some(100), 80, Some(held(10)), open(8, true)),
            (Some(100), 94, None, open(8, true)),
            (Some(100), 95, None, open(5, true)),
            (Some(20), 14, None, open(8, false)),
            (Some(20), 15, None, open(5, true)),
            (Some(20), 15, Some(held(4)), open(1, true)),
            (Some(20), 15, Some(held(5)), State::Held(Stamp::from_micros(5_000))),
            (Some(20), 20, Some(held(5)), State::SoldOut),
            (Some(20), 21, None, State::SoldOut),
        ] {
            assert_eq!(
                state(&item("tt", 10, limit, sold), held.as_ref(), Shared::default(), NOW),
                expected,
                "{limit:?} {sold} {held:?}"
            );
        }
        let ended = TicketType { expires_at: Some(NOW), ..item("tt", 10, Some(1), 1) };
        assert_eq!(state(&ended, None, Shared::default(), NOW), State::Ended(NOW));
        let closed = TicketType { status: TypeStatus::SoldOut, ..item("tt", 10, None, 0) };
        assert_eq!(state(&closed, None, Shared::default(), NOW), State::SoldOut);
    }

    #[test]
    fn periods_the_least_of_one_order_and_pools_count() {
        let until = Stamp::from_micros(5_000);
        let none = Shared::default();
        let early = TicketType { on_sale_from: Some(until), ..item("tt", 10, None, 0) };
        assert_eq!(state(&early, None, none, NOW), State::NotYet(until));
        assert_eq!(state(&early, None, none, until), State::Open { most: 8, is_scarce: false });
        let pair = TicketType { min_per_order: 2, ..item("tt", 10, Some(20), 18) };
        assert_eq!(state(&pair, None, none, NOW), State::Open { most: 2, is_scarce: true });
        assert_eq!(state(&pair, Some(&Held { quantity: 1, until }), none, NOW), State::Held(until));
        assert_eq!(state(&TicketType { sold: 19, ..pair }, None, none, NOW), State::SoldOut);
        let endless = item("tt", 10, None, 0);
        let shared = |is_full, held_until, free| Shared { is_full, held_until, free };
        assert_eq!(state(&endless, None, shared(true, None, Some(0)), NOW), State::SoldOut);
        assert_eq!(state(&endless, None, shared(false, Some(until), Some(0)), NOW), State::Held(until));
        assert_eq!(state(&endless, None, shared(false, None, Some(3)), NOW), State::Open { most: 3, is_scarce: true });
        assert_eq!(
            state(&endless, None, shared(false, None, Some(50)), NOW),
            State::Open { most: 8, is_scarce: false }
        );
    }

    #[test]
    fn a_bundle_saves_what_its_parts_cost_more() {
        let part = |id: &str, quantity| Include {
            ticket_type_id: id.to_owned(),
            name: id.to_owned(),
            category: Category::Ticket,
            quantity,
        };
        let bundle = TicketType { includes: vec![part("a", 1), part("b", 2)], ..item("bundle", 30, None, 0) };
        let mut items = vec![item("a", 25, None, 0), item("b", 4, None, 0)];
        assert_eq!(saved(&bundle, &items, NOW), Some(3));
        items[1].price = 2;
        assert_eq!(saved(&bundle, &items, NOW), None, "it costs more than its parts");
        items[1].price = i64::MAX;
        assert!(saved(&bundle, &items, NOW).is_some());
        items[1].status = TypeStatus::Hidden;
        assert_eq!(saved(&bundle, &items, NOW), None, "not everybody can buy the parts");
        assert_eq!(saved(&items[0], &items, NOW), None);
    }
}
