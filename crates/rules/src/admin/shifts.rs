//! Shifts at the box office: somebody begins one with the cash in the drawer, sells, and ends it with what they counted.
//!
//! Both are moves, so no sale is half inside of a shift. What should be in the drawer is summed by the move that ends the
//! shift, from the orders and refunds that moves wrote ([`till`]).

use std::collections::BTreeMap;

use taquilla_domain::{
    audit::{Action, By},
    id,
    money::{Amount, Currency},
    refusal::Refusal,
    status::PaymentMethod,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    sales::{
        shifts::{self, Cash, Counted, Shift},
        till::{self, Sums},
    },
    staff::{audit, authority},
    transaction,
};

/// Begins a shift with this cash in the drawer. Who has one that is open goes on with it.
pub async fn begin(store: &Store, tenant: Tenant, currency: &Currency, cash: Amount, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        authority::look(tx, by).await?;
        if shifts::open(tx, tenant, &by.actor).await?.is_some() {
            return Ok(());
        }
        let id = id::new_id("sh", tx.stamp());
        let begun_with = Cash { currency: currency.as_str().to_owned(), begun_with: cash.get(), counted: None };
        shifts::begin(tx, &id, &by.actor, &[begun_with]).await?;
        let in_drawer = format!("{} {}", cash.get(), currency.as_str());
        audit::add(tx, Some(tenant), by, Action::ShiftBegun, &id, &[("cash", &in_drawer)]).await?;
        Ok(())
    })
}

/// Ends the open shift of whoever asks, with what they counted, by currency. Each currency that the shift has cash in is
/// counted; if one is missing, nothing is changed.
pub async fn end(store: &Store, tenant: Tenant, counted: &BTreeMap<String, Amount>, by: &By) -> ChangeResult<Shift> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        authority::look(tx, by).await?;
        let mut shift = shifts::open(tx, tenant, &by.actor).await?.ok_or(Refusal::NotFound("shift"))?;
        let stamp = tx.stamp();
        let sums = till::sums(tx, tenant, &shift.person, shift.begun_at, stamp).await?;
        shift.cash = in_drawer(&shift, &sums);
        for cash in &mut shift.cash {
            let Some(there) = counted.get(&cash.currency) else {
                return Err(Refusal::invalid("counted", format!("count the {} too", cash.currency)).into());
            };
            let expected = expected(cash, &sums);
            cash.counted = Some(Counted { counted: there.get(), expected });
        }
        shift.ended_at = Some(stamp);
        shifts::end(tx, &shift.id, &shift.cash).await?;
        let differences =
            shift.cash.iter().filter_map(|cash| Some(format!("{} {}", cash.counted?.difference(), cash.currency)));
        let differences = differences.collect::<Vec<_>>().join(", ");
        audit::add(tx, Some(tenant), by, Action::ShiftEnded, &shift.id, &[("difference", &differences)]).await?;
        Ok(shift)
    })
}

/// The currencies that a shift has cash in: those it began with, and those it took or paid back.
pub fn in_drawer(shift: &Shift, sums: &Sums) -> Vec<Cash> {
    let mut cash: BTreeMap<String, Cash> =
        shift.cash.iter().map(|cash| (cash.currency.clone(), cash.clone())).collect();
    for (currency, method) in sums.keys() {
        if *method == Some(PaymentMethod::Cash) {
            let none = || Cash { currency: currency.clone(), begun_with: 0, counted: None };
            cash.entry(currency.clone()).or_insert_with(none);
        }
    }
    cash.into_values().collect()
}

/// What should be in the drawer: what it began with, and what was taken and not paid back in cash.
pub fn expected(cash: &Cash, sums: &Sums) -> i64 {
    let sum = sums.get(&(cash.currency.clone(), Some(PaymentMethod::Cash))).copied().unwrap_or_default();
    cash.begun_with + sum.left()
}
