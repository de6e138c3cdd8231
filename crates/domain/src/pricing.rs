//! What the items of an order cost, after a coupon and with surcharges.
//!
//! Money is in whole units, and everything adds up to the unit. **A coupon** takes a percentage of all items that it covers
//! together, rounded once, or an amount, but never more than these cost. **A surcharge** comes on top of what is left. For the
//! whole order it is an amount, or a percentage of the order, rounded once. For each ticket it is an amount, or a percentage
//! of the ticket's price, rounded for each; tickets are the units of entrances and bundles. What costs nothing carries no
//! surcharge. Halves are rounded up. Each surcharge is reckoned from the prices without the others.
//!
//! What is taken off or added as a whole is shared among the items in proportion to what they cost; the units that are left over
//! go to the largest remainders, and among equals to the first. An item whose total is no multiple of its quantity becomes two
//! lines, whose prices are one unit apart. So `unit_price × quantity = total` holds in each line.

use super::{invalid::Invalid, money::Amount};
use crate::config::AMOUNT_MAX;

/// What a coupon takes off, or a surcharge adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// So many hundredths, from 1 to 100.
    Percent(i64),
    /// An amount of at least 1.
    Amount(i64),
}

impl Rate {
    /// One of the two.
    pub fn new(percent: Option<i64>, amount: Option<i64>) -> Result<Self, Invalid> {
        match (percent, amount) {
            (Some(percent), None) => Self::percent(percent),
            (None, Some(amount)) => Self::amount(amount),
            _ => Err(Invalid::new("either a percentage or an amount is expected")),
        }
    }

    /// A percentage.
    pub fn percent(percent: i64) -> Result<Self, Invalid> {
        match (1..=100).contains(&percent) {
            true => Ok(Self::Percent(percent)),
            false => Err(Invalid::new("a whole number of percent from 1 to 100 is expected")),
        }
    }

    /// An amount.
    pub fn amount(amount: i64) -> Result<Self, Invalid> {
        match Amount::new(amount)?.get() {
            0 => Err(Invalid::new("an amount of at least 1 is expected")),
            amount => Ok(Self::Amount(amount)),
        }
    }

    /// The percentage and the amount, of which one is there.
    pub fn parts(self) -> (Option<i64>, Option<i64>) {
        match self {
            Self::Percent(percent) => (Some(percent), None),
            Self::Amount(amount) => (None, Some(amount)),
        }
    }

    /// What it makes of a price.
    fn of(self, price: i128) -> i128 {
        match self {
            Self::Percent(percent) => (price * i128::from(percent) + 50) / 100,
            Self::Amount(amount) => i128::from(amount),
        }
    }
}

/// What a surcharge is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// Each unit of an entrance or of a bundle.
    Ticket,
    /// The order.
    Order,
}

/// An item as it is ordered.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The price of one unit.
    pub price: i64,
    /// How many units, at least one.
    pub quantity: i64,
    /// Whether the coupon is for it.
    pub is_covered: bool,
    /// Whether its units are tickets, to be charged one by one.
    pub is_ticket: bool,
}

/// Units of an item that cost the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which of the items.
    pub item: usize,
    /// How many units.
    pub quantity: i64,
    /// What one costs.
    pub unit_price: i64,
}

/// What an order costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prices {
    /// Its lines, in the order of the items. The units of an item that cost less come first.
    pub lines: Vec<Line>,
    /// What the coupon takes off.
    pub discount: i64,
    /// What each surcharge adds.
    pub surcharges: Vec<i64>,
}

impl Prices {
    /// What the order costs.
    pub fn total(&self) -> i64 {
        self.lines.iter().map(|line| line.unit_price * line.quantity).sum()
    }

    /// What all surcharges add.
    pub fn surcharge(&self) -> i64 {
        self.surcharges.iter().sum()
    }
}

/// What items cost with a coupon and surcharges; `None` if that is more than [`AMOUNT_MAX`].
pub fn price(items: &[Wanted], coupon: Option<Rate>, surcharges: &[(Rate, Per)]) -> Option<Prices> {
    let most = i128::from(AMOUNT_MAX);
    let listed: Vec<i128> = items.iter().map(|item| i128::from(item.price) * i128::from(item.quantity)).collect();
    if listed.iter().sum::<i128>() > most {
        return None;
    }
    let covered: Vec<i128> =
        items.iter().zip(&listed).map(|(item, price)| if item.is_covered { *price } else { 0 }).collect();
    let sum: i128 = covered.iter().sum();
    let discount = coupon.map_or(0, |rate| rate.of(sum).min(sum));
    let left: Vec<i128> = listed.iter().zip(apportion(discount, &covered)).map(|(price, less)| price - less).collect();

    let mut totals = left.clone();
    let mut added = Vec::with_capacity(surcharges.len());
    for (rate, per) in surcharges {
        let shares = match per {
            Per::Order => match left.iter().sum() {
                0 => vec![0; items.len()],
                sum => apportion(rate.of(sum), &left),
            },
            Per::Ticket => items.iter().zip(&left).map(|(item, left)| for_tickets(*rate, item, *left)).collect(),
        };
        added.push(shares.iter().sum::<i128>());
        totals.iter_mut().zip(shares).for_each(|(total, share)| *total += share);
        if totals.iter().sum::<i128>() > most {
            return None;
        }
    }
    let whole = |amount: i128| i64::try_from(amount).ok();
    let mut lines = Vec::with_capacity(items.len());
    for (at, (item, total)) in items.iter().zip(&totals).enumerate() {
        lines.extend(split(at, item.quantity, whole(*total)?));
    }
    let surcharges = added.into_iter().map(whole).collect::<Option<Vec<i64>>>()?;
    Some(Prices { lines, discount: whole(discount)?, surcharges })
}

/// What a surcharge adds for the tickets of an item, whose units cost this together.
fn for_tickets(rate: Rate, item: &Wanted, left: i128) -> i128 {
    if !item.is_ticket {
        return 0;
    }
    let of = |Line { quantity, unit_price, .. }: Line| match unit_price {
        0 => 0,
        price => i128::from(quantity) * rate.of(i128::from(price)),
    };
    i64::try_from(left).map_or(0, |left| split(0, item.quantity, left).map(of).sum())
}

/// The lines of an item whose units cost this together.
fn split(item: usize, quantity: i64, total: i64) -> impl Iterator<Item = Line> {
    let (unit_price, dearer) = (total / quantity.max(1), total % quantity.max(1));
    let lines = [
        Line { item, quantity: quantity - dearer, unit_price },
        Line { item, quantity: dearer, unit_price: unit_price + 1 },
    ];
    lines.into_iter().filter(|line| line.quantity > 0)
}

/// Shares an amount in proportion to weights.
fn apportion(amount: i128, weights: &[i128]) -> Vec<i128> {
    let sum: i128 = weights.iter().sum();
    if sum == 0 {
        return vec![0; weights.len()];
    }
    let mut shares: Vec<i128> = weights.iter().map(|weight| amount * weight / sum).collect();
    let mut by_remainder: Vec<usize> = (0..weights.len()).collect();
    // A stable sort: among equals the first stays first.
    by_remainder.sort_by_key(|at| std::cmp::Reverse(amount * weights[*at] % sum));
    let left_over = usize::try_from(amount - shares.iter().sum::<i128>()).unwrap_or_default();
    for at in by_remainder.into_iter().take(left_over) {
        shares[at] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn item(price: i64, quantity: i64) -> Wanted {
        Wanted { price, quantity, is_covered: true, is_ticket: true }
    }

    fn lines(prices: &Prices) -> Vec<(usize, i64, i64)> {
        prices.lines.iter().map(|line| (line.item, line.quantity, line.unit_price)).collect()
    }

    #[test]
    fn a_line_that_does_not_divide_becomes_two() {
        let ten_off = Some(Rate::Amount(10));
        let prices = price(&[item(25, 3)], ten_off, &[]).unwrap();
        assert_eq!((lines(&prices), prices.total()), (vec![(0, 1, 21), (0, 2, 22)], 65));
        let prices = price(&[item(25, 3), item(10, 1)], Some(Rate::Percent(10)), &[]).unwrap();
        // 8.5 is 9; of it 7.94 and 1.06, so 8 and 1.
        assert_eq!((lines(&prices), prices.discount), (vec![(0, 2, 22), (0, 1, 23), (1, 1, 9)], 9));
    }

    #[test]
    fn a_coupon_never_takes_more_than_there_is() {
        let free = price(&[item(25, 2)], Some(Rate::Amount(60)), &[(Rate::Amount(3), Per::Order)]).unwrap();
        assert_eq!(
            (free.total(), free.discount, free.surcharge()),
            (0, 50, 0),
            "and what is free carries no surcharge"
        );
        let covered = [item(25, 2), Wanted { is_covered: false, ..item(10, 1) }];
        let prices = price(&covered, Some(Rate::Percent(100)), &[]).unwrap();
        assert_eq!(lines(&prices), [(0, 2, 0), (1, 1, 10)]);
    }

    #[test]
    fn surcharges_are_for_tickets_or_for_the_order() {
        let cart = [item(25, 2), Wanted { is_ticket: false, ..item(4, 3) }, item(0, 1)];
        let of = |rate, per| price(&cart, None, &[(rate, per)]).unwrap();
        assert_eq!(of(Rate::Amount(2), Per::Ticket).surcharge(), 4, "not for drinks, and not for what is free");
        assert_eq!(of(Rate::Percent(10), Per::Ticket).surcharge(), 6, "2.5 is 3 for each");
        assert_eq!(of(Rate::Percent(10), Per::Order).surcharge(), 6, "of 62");
        assert_eq!(of(Rate::Amount(5), Per::Order).total(), 67);
        // Neither is reckoned from the other.
        let both = price(&cart, None, &[(Rate::Percent(10), Per::Order), (Rate::Percent(10), Per::Order)]).unwrap();
        assert_eq!(both.surcharges, [6, 6]);
        // What a coupon takes off carries no surcharge.
        let less = price(&[item(20, 1)], Some(Rate::Percent(50)), &[(Rate::Percent(10), Per::Order)]).unwrap();
        assert_eq!((less.total(), less.surcharge()), (11, 1));
    }

    #[test]
    fn what_no_amount_can_be_is_told() {
        assert!(price(&[item(AMOUNT_MAX, 1)], None, &[(Rate::Amount(1), Per::Order)]).is_none());
        assert!(price(&[item(AMOUNT_MAX, i64::MAX)], None, &[]).is_none());
        assert!(price(&[item(1, 1_000_000_000)], None, &[(Rate::Amount(AMOUNT_MAX), Per::Ticket)]).is_none());
        assert!(Rate::new(None, None).is_err() && Rate::new(Some(1), Some(1)).is_err());
        assert!(Rate::percent(0).is_err() && Rate::percent(101).is_err() && Rate::amount(0).is_err());
    }

    fn rate() -> impl Strategy<Value = Rate> {
        prop_oneof![(1..=100_i64).prop_map(Rate::Percent), (1..=500_i64).prop_map(Rate::Amount)]
    }

    fn surcharge() -> impl Strategy<Value = (Rate, Per)> {
        (rate(), prop::sample::select(vec![Per::Ticket, Per::Order]))
    }

    fn wanted() -> impl Strategy<Value = Wanted> {
        (0..200_i64, 1..12_i64, any::<bool>(), any::<bool>())
            .prop_map(|(price, quantity, is_covered, is_ticket)| Wanted { price, quantity, is_covered, is_ticket })
    }

    proptest! {
        #[test]
        fn everything_adds_up_to_the_unit(
            items in prop::collection::vec(wanted(), 1..6), coupon in prop::option::of(rate()),
            surcharges in prop::collection::vec(surcharge(), 0..4),
        ) {
            let prices = price(&items, coupon, &surcharges).unwrap();
            let listed: i64 = items.iter().map(|item| item.price * item.quantity).sum();
            let covered: i64 = items.iter().filter(|item| item.is_covered).map(|item| item.price * item.quantity).sum();
            prop_assert_eq!(prices.total(), listed - prices.discount + prices.surcharge());
            prop_assert!(prices.discount >= 0 && prices.discount <= covered);
            match coupon {
                None => prop_assert_eq!(prices.discount, 0),
                Some(Rate::Amount(amount)) => prop_assert_eq!(prices.discount, amount.min(covered)),
                Some(Rate::Percent(percent)) => {
                    let twice = 2 * (prices.discount * 100 - covered * percent);
                    prop_assert!(twice > -100 && twice <= 100, "rounded to the nearest, halves up");
                }
            }
            prop_assert!(prices.surcharges.iter().all(|surcharge| *surcharge >= 0));
            if listed == prices.discount {
                prop_assert_eq!(prices.total(), 0, "what is free carries no surcharge");
            }
            for (at, item) in items.iter().enumerate() {
                let own: Vec<&Line> = prices.lines.iter().filter(|line| line.item == at).collect();
                prop_assert!(!own.is_empty() && own.len() <= 2);
                prop_assert_eq!(own.iter().map(|line| line.quantity).sum::<i64>(), item.quantity);
                prop_assert!(own.iter().all(|line| line.quantity > 0 && line.unit_price >= 0));
                if let [cheaper, dearer] = own[..] {
                    prop_assert_eq!(dearer.unit_price - cheaper.unit_price, 1);
                }
            }
            let in_order = prices.lines.windows(2).all(|pair| pair[0].item <= pair[1].item);
            prop_assert!(in_order);
            prop_assert_eq!(&price(&items, coupon, &surcharges).unwrap(), &prices, "the same each time");
        }

        #[test]
        fn shares_are_fair(amount in 0..10_000_i128, weights in prop::collection::vec(0..1_000_i128, 1..8)) {
            let (shares, sum) = (apportion(amount, &weights), weights.iter().sum::<i128>());
            prop_assert_eq!(shares.iter().sum::<i128>(), if sum == 0 { 0 } else { amount });
            for (share, weight) in shares.iter().zip(&weights) {
                prop_assert!(sum == 0 || (share * sum - amount * weight).abs() < sum, "less than a unit from its part");
            }
        }
    }
}
