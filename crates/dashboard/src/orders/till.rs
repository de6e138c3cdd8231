//! Money at the box office: how it was paid, what the items of a form cost, and the change to hand back.

use std::{collections::BTreeMap, time::Duration};

use taquilla_domain::{
    money::Amount,
    status::PaymentMethod::{self, Card, Cash, Other},
};
use taquilla_pages::{form::Form, formats::money, texts::Texts};

/// How it was paid, by the field `method`. Nothing is said by a form without it.
pub fn method(form: &Form) -> Option<PaymentMethod> {
    PaymentMethod::parse(form.value("method"))
}

/// The key of the name of a way to pay.
pub fn method_key(method: &PaymentMethod) -> &'static str {
    match method {
        Cash => "method-cash",
        Card => "method-card",
        Other => "method-other",
    }
}

/// Amounts by currency.
pub type Totals = BTreeMap<String, i64>;

/// What a form's items cost: its quantities with the prices and currencies of the items, by the names of their fields.
/// What is no number counts for nothing.
pub fn totals<'a>(form: &Form, items: impl Iterator<Item = (String, i64, &'a str)>) -> Totals {
    let is_free = form.has("free", "yes");
    let mut totals = Totals::new();
    for (field, price, currency) in items {
        let quantity = form.value(&field).trim().parse::<i64>().ok().filter(|quantity| *quantity > 0);
        if let Some(quantity) = quantity {
            let price = if is_free { 0 } else { price };
            let total = totals.entry(currency.to_owned()).or_default();
            *total = price.saturating_mul(quantity).saturating_add(*total);
        }
    }
    totals
}

/// Amounts as people read them.
pub fn shown(t: Texts, totals: &Totals) -> String {
    totals.iter().map(|(currency, amount)| money(t.0, *amount, currency)).collect::<Vec<_>>().join(" + ")
}

/// What the buyer gave in cash, if that was written. It is enough for the order, which has one currency.
pub fn given(form: &mut Form, totals: &Totals, t: Texts) -> Option<i64> {
    let is_cash = method(form) == Some(Cash) && !form.has("pay", "later") && !form.has("free", "yes");
    if !is_cash || form.value("given").trim().is_empty() {
        return None;
    }
    let given = form.read("given", |text| Amount::parse(text.trim()), |_| t.text("sell-wrong-given"))?.get();
    let short = totals.iter().find(|(_, total)| given < **total);
    if let Some((currency, total)) = short {
        form.wrong("given", t.with("sell-given-short", "total", money(t.0, *total, currency)));
    }
    Some(given)
}

/// How long stock is held, in words.
pub fn held_for(t: Texts, hold: Duration) -> String {
    let seconds = hold.as_secs() as i64;
    match seconds % 3_600 {
        0 if seconds > 0 => t.with("span-hours", "count", seconds / 3_600),
        _ => t.with("span-minutes", "count", (seconds + 59) / 60),
    }
}

#[cfg(test)]
mod tests {
    use taquilla_pages::texts::Language;

    use super::*;

    fn shown(totals: &Totals) -> String {
        super::shown(Texts(Language::English), totals)
    }

    #[test]
    fn totals_are_of_what_is_a_number() {
        let items =
            || [("a".to_owned(), 25, "EUR"), ("b".to_owned(), 10, "EUR"), ("c".to_owned(), 7, "USD")].into_iter();
        let form = Form::filled(&[("a", " 2 "), ("b", "x"), ("c", "")]);
        assert_eq!(shown(&totals(&form, items())), "€50");
        let form = Form::filled(&[("a", "9223372036854775807"), ("c", "1")]);
        assert_eq!(shown(&totals(&form, items())), "€9,223,372,036,854,775,807 + $7");
        assert_eq!(shown(&totals(&Form::filled(&[("a", "2"), ("free", "yes")]), items())), "€0");
    }
}
