//! Orders as the API sends them: rendered when a row changes, stored with the row, and only copied when the row is
//! read.
//!
//! A stored document is the whole order with its reference, which is cut out for those who may not see it.
//!
//! A key without `TICKETS_READ` gets null in the place of the reference, and none of the fields behind it that say what led to
//! the order (`ORDER_ORIGIN`). An import renders its orders before it locks
//! the producer, and its move fills in the stamp and the number.

use memchr::memmem;

use taquilla_domain::{clock::Stamp, order::Order, order_number::OrderNumber};
use taquilla_wire::api;

use crate::{Error, Result};

/// What stands before the reference's value, and after the fields that are cut out with it. Each stands in a document once, because inside a JSON string
/// every quotation mark is escaped.
const REFERENCE: (&[u8], &[u8]) = (br#","reference":"#, br#","channel":"#);

/// Stands in a document for the stamp of an import's move, which is known last. No imported order has it, because the
/// stamps of a file are in the past.
pub const WAITING: Stamp = Stamp::from_micros(32_503_680_000_000_000);

/// Renders an order for storing.
pub fn render(order: &Order) -> Result<String> {
    serde_json::to_string(&api::Order::from(order)).map_err(Error::internal)
}

/// The end of a stamp's name and its value, such as `_at":"…"`. SQL replaces that of [`WAITING`] wherever it stands.
pub fn stamp_part(stamp: Stamp) -> String {
    format!(r#"_at":"{stamp}""#)
}

/// The end of a document, with the order's number. SQL replaces that of [`OrderNumber::NONE`], which an import renders.
pub fn number_part(number: OrderNumber) -> String {
    format!(r#""number":"{number}"}}"#)
}

/// Appends a stored document, with null in the place of the reference and without coupon and promoter if these are not to be
/// shown.
pub fn write(stored: &[u8], with_reference: bool, into: &mut Vec<u8>) -> Result<()> {
    let (before, after) = REFERENCE;
    let missing = || Error::internal("an order without its document");
    let value = memmem::rfind(stored, before).ok_or_else(missing)? + before.len();
    into.reserve(stored.len());
    if with_reference {
        into.extend_from_slice(stored);
    } else {
        let end = value + memmem::find(&stored[value..], after).ok_or_else(missing)?;
        into.extend_from_slice(&stored[..value]);
        into.extend_from_slice(b"null");
        into.extend_from_slice(&stored[end..]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use taquilla_domain::{
        order::{OrderItem, Promoter, UsedCoupon},
        person::Person,
        status::{ItemKind, OrderChannel, OrderStatus, PaymentMethod},
    };

    fn order(texts: &[String], stamps: &[i64]) -> Order {
        let stamp = |at: usize| Stamp::from_micros(stamps[at]);
        let some = |at: usize| Some(texts[at].clone()).filter(|text| !text.is_empty());
        Order {
            id: texts[0].clone(),
            number: OrderNumber::from_column(stamps[0]),
            event_id: texts[1].clone(),
            status: OrderStatus::ALL[stamps[0].unsigned_abs() as usize % OrderStatus::ALL.len()],
            buyer: Person {
                name: texts[2].clone(),
                email: texts[3].clone(),
                phone: some(4),
                identity_document: texts[5].clone(),
            },
            items: texts[6..]
                .iter()
                .map(|text| OrderItem {
                    ticket_type_id: text.clone(),
                    kind: ItemKind::TicketType,
                    name: text.clone(),
                    quantity: stamps[1],
                    list_price: stamps[2],
                    unit_price: 0,
                    total: stamps[3],
                })
                .collect(),
            currency: texts[1].clone(),
            total: stamps[3],
            discount: stamps[1],
            surcharge: stamps[2],
            reference: some(3),
            coupon: some(4).map(|code| UsedCoupon { id: None, code }),
            promoter: some(5).map(|name| Promoter { id: some(1), name }),
            language: None,
            channel: Some(OrderChannel::Shop).filter(|_| stamps[1] % 2 == 0),
            payment_id: some(2),
            payment_method: Some(PaymentMethod::Card).filter(|_| stamps[0] % 2 == 0),
            sold_by: None,
            paid_at: Some(stamp(0)).filter(|_| stamps[2] % 2 == 0),
            refunded_at: Some(stamp(1)).filter(|_| stamps[3] % 2 == 0),
            held_until: Some(stamp(2)),
            past_holds_at: None,
            created_at: stamp(2),
            updated_at: stamp(3),
        }
    }

    /// Arbitrary texts, and texts made of the byte sequences that documents are cut at.
    fn text() -> impl Strategy<Value = String> {
        let waits = stamp_part(WAITING);
        let parts = prop::sample::select(
            [
                "\u{1}",
                "\"",
                "\\",
                ",\"reference\":",
                ",\"channel\":",
                "null",
                "\"number\":\"0\"}",
                &waits,
                "3000-01-01T00:00:00.000000Z",
            ]
            .map(str::to_owned)
            .to_vec(),
        );
        prop_oneof![".{0,12}", prop::collection::vec(parts, 0..6).prop_map(|parts| parts.concat())]
    }

    proptest! {
        #[test]
        fn a_written_document_is_the_order_itself(
            texts in prop::collection::vec(text(), 6..9), stamps in prop::collection::vec(0..2_000_000_000_000_000_i64, 4),
        ) {
            let order = order(&texts, &stamps);
            let stored = render(&order).unwrap();
            for with_reference in [true, false] {
                let mut written = Vec::new();
                write(stored.as_bytes(), with_reference, &mut written).unwrap();
                let shown = match with_reference {
                    true => order.clone(),
                    false => Order { reference: None, coupon: None, promoter: None, ..order.clone() },
                };
                prop_assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(&api::Order::from(&shown)).unwrap());
            }
        }

        #[test]
        fn filling_in_the_stamp_is_as_good_as_knowing_it(
            texts in prop::collection::vec(text(), 6..9), stamps in prop::collection::vec(0..2_000_000_000_000_000_i64, 4),
            is_dated: bool,
        ) {
            let known = order(&texts, &stamps);
            let stamp = known.updated_at;
            let created_at = if is_dated { known.created_at } else { WAITING };
            let number = OrderNumber::NONE;
            let waiting = render(&Order { created_at, updated_at: WAITING, number, ..known.clone() }).unwrap();
            let waiting = waiting.replace(&number_part(number), &number_part(known.number));
            let created_at = if is_dated { known.created_at } else { stamp };
            let known = render(&Order { created_at, ..known }).unwrap();
            prop_assert_eq!(waiting.replace(&stamp_part(WAITING), &stamp_part(stamp)), known);
        }
    }
}
