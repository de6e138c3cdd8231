//! What tells an order that came in a form from another one under the same idempotency key.
//!
//! The digest is `1:` and the SHA-256, in hexadecimal, of this text. Each line ends with a line feed, texts are JSON strings,
//! and what is not there is `null`:
//!
//! ```text
//! event <id>
//! buyer <name> <email> <phone> <identity document>
//! item <id> <quantity> <unit price> <access code>          one for each item, in the order given
//! attendee <name> <email> <phone> <identity document>      after its item, one for each
//! past holds <true or false>
//! coupon <code>                                            only where there is one
//! terms <id>                                               only where some were accepted
//! paid <true or false>
//! ```
//!
//! It says what was asked for. How long stock is held is a setting of the server, so it is not in it.

use std::fmt::Write;

use serde_json::Value;
use sha2::{Digest, Sha256};

use taquilla_domain::{key::hexadecimal, person::Person};
use taquilla_store::sales::idempotency::Idempotency;

use super::order_request::{OrderRequest, PastHolds};

impl OrderRequest {
    /// What makes this order safe to repeat under the key of its form.
    pub fn under_key(&self, key: String) -> Idempotency {
        Idempotency { key, request_hash: digest(self), earlier_hash: Some(earlier_digest(self)) }
    }
}

fn digest(request: &OrderRequest) -> String {
    let mut text = String::new();
    // Writing to a text does not fail.
    let _written = write_request(&mut text, request);
    format!("1:{}", hexadecimal(&Sha256::digest(text)))
}

fn write_request(text: &mut String, request: &OrderRequest) -> std::fmt::Result {
    writeln!(text, "event {}", json(&request.event_id))?;
    write_person(text, "buyer", &request.buyer)?;
    for item in &request.items {
        let (price, code) = (Value::from(item.unit_price), Value::from(item.access_code.as_deref()));
        writeln!(text, "item {} {} {price} {code}", json(&item.ticket_type_id), item.quantity)?;
        item.attendees.iter().try_for_each(|attendee| write_person(text, "attendee", attendee))?;
    }
    writeln!(text, "past holds {}", request.past_holds == PastHolds::Yes)?;
    if let Some(code) = &request.coupon {
        writeln!(text, "coupon {}", json(code))?;
    }
    if let Some(terms) = &request.terms {
        writeln!(text, "terms {}", json(terms))?;
    }
    writeln!(text, "paid {}", request.is_paid)
}

fn write_person(text: &mut String, who: &str, person: &Person) -> std::fmt::Result {
    let Person { name, email, phone, identity_document } = person;
    let phone = Value::from(phone.as_deref());
    writeln!(text, "{who} {} {} {phone} {}", json(name), json(email), json(identity_document))
}

fn json(text: &str) -> Value {
    Value::from(text)
}

/// The digest that was stored before there was the one above: of what the compiler printed of the request. An order that was
/// placed before an upgrade may be repeated after it, as long as its answer is kept.
fn earlier_digest(request: &OrderRequest) -> String {
    let Person { name, email, phone, identity_document } = &request.buyer;
    let items: Vec<String> = request
        .items
        .iter()
        .map(|item| {
            format!(
                "ItemRequest {{ ticket_type_id: {:?}, quantity: {}, unit_price: {:?}, attendees: [], access_code: None }}",
                item.ticket_type_id, item.quantity, item.unit_price
            )
        })
        .collect();
    let past_holds = if request.past_holds == PastHolds::Yes { "Yes" } else { "No" };
    let printed = format!(
        "OrderRequest {{ event_id: {:?}, buyer: Person {{ name: {name:?}, email: {email:?}, phone: {phone:?}, \
         identity_document: {identity_document:?} }}, items: [{}], channel: Staff, hold: {:?}, past_holds: {past_holds}, \
         is_paid: {}, stranger: None }}",
        request.event_id,
        items.join(", "),
        request.hold,
        request.is_paid
    );
    hexadecimal(&Sha256::digest(printed))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use taquilla_domain::stock::Channel;

    use super::*;
    use crate::boxoffice::ItemRequest;

    fn request() -> OrderRequest {
        let item = |id: &str, quantity| ItemRequest {
            ticket_type_id: id.into(),
            quantity,
            unit_price: None,
            attendees: vec![],
            access_code: None,
        };
        let buyer = Person {
            name: "Ana \"Nita\" Núñez".into(),
            email: "ana@example.org".into(),
            phone: Some("+34 600".into()),
            identity_document: String::new(),
        };
        let items = vec![item("tt_a", 2), ItemRequest { unit_price: Some(0), ..item("tt_b", 1) }];
        OrderRequest { is_paid: true, ..OrderRequest::new("ev_1".into(), buyer, items, Channel::Staff) }
    }

    /// Stored digests are compared with these, so this text must not change.
    #[test]
    fn the_text_is_as_written_down() {
        let mut text = String::new();
        write_request(&mut text, &request()).unwrap();
        let expected = "event \"ev_1\"\n\
            buyer \"Ana \\\"Nita\\\" Núñez\" \"ana@example.org\" \"+34 600\" \"\"\n\
            item \"tt_a\" 2 null null\n\
            item \"tt_b\" 1 0 null\n\
            past holds false\n\
            paid true\n";
        assert_eq!(text, expected);
        assert_eq!(digest(&request()), "1:de37182fb06759026f1ddb50b75c025a13dfc2e9cfbaa82ec38caf5ca4084c0e");
    }

    #[test]
    fn the_earlier_digest_is_of_what_was_printed() {
        let printed = "OrderRequest { event_id: \"ev_1\", buyer: Person { name: \"Ana \\\"Nita\\\" Núñez\", \
            email: \"ana@example.org\", phone: Some(\"+34 600\"), identity_document: \"\" }, items: [ItemRequest { \
            ticket_type_id: \"tt_a\", quantity: 2, unit_price: None, attendees: [], access_code: None }, ItemRequest { \
            ticket_type_id: \"tt_b\", quantity: 1, unit_price: Some(0), attendees: [], access_code: None }], channel: Staff, \
            hold: 1800s, past_holds: No, is_paid: true, stranger: None }";
        assert_eq!(earlier_digest(&request()), hexadecimal(&Sha256::digest(printed)));
        assert_eq!(earlier_digest(&request()), "b6e0bf08204db9bba90c730d504a64402b282080e56bf444e76547d28b7afbd1");
    }

    #[test]
    fn whatever_is_asked_for_makes_another_digest() {
        let mut others = vec![request(); 7];
        others[0].event_id = "ev_2".into();
        others[1].buyer.phone = None;
        others[2].items[0].quantity = 3;
        others[3].items[1].unit_price = None;
        others[4].past_holds = PastHolds::Yes;
        others[5].is_paid = false;
        others[6].coupon = Some("SUMMER".into());
        for other in others {
            assert_ne!(digest(&other), digest(&request()), "{other:?}");
        }
        let held_longer = OrderRequest { hold: Duration::from_secs(1), ..request() };
        assert_eq!(digest(&held_longer), digest(&request()));
    }
}
