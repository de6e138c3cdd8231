//! What became of an order that was to be placed.

use serde::Deserialize;

use taquilla_domain::order::Order;
use taquilla_store as store;

/// The result of placing an order.
pub enum Placed {
    /// A new order.
    New(Box<NewlyPlaced>),
    /// The first request with this key has placed it.
    Before(PlacedBefore),
}

/// An order that was just placed.
#[derive(Debug)]
pub struct NewlyPlaced {
    /// The order.
    pub order: Order,
    /// The reference with which the buyer looks the order up.
    pub reference: String,
    /// The answer to the buyer, also if the request is repeated.
    pub answer: String,
}

/// An order that was placed before, as it was answered then.
#[derive(Debug)]
pub struct PlacedBefore {
    /// The order's id.
    pub order_id: String,
    /// The reference with which the buyer looks the order up.
    pub reference: String,
    /// The answer to the buyer, word for word.
    pub answer: String,
}

impl Placed {
    /// The reference with which the buyer looks the order up.
    pub fn reference(&self) -> &str {
        match self {
            Self::New(placed) => &placed.reference,
            Self::Before(placed) => &placed.reference,
        }
    }

    /// The answer to the buyer.
    pub fn answer(self) -> String {
        match self {
            Self::New(placed) => placed.answer,
            Self::Before(placed) => placed.answer,
        }
    }
}

impl PlacedBefore {
    /// Reads an answer that was kept. Nobody else reads one.
    pub(super) fn read(answer: &str) -> store::Result<Self> {
        #[derive(Deserialize)]
        struct KeptAnswer {
            order: KeptOrder,
            reference: String,
        }
        #[derive(Deserialize)]
        struct KeptOrder {
            id: String,
        }
        let KeptAnswer { order, reference } = serde_json::from_str(answer).map_err(store::Error::internal)?;
        Ok(Self { order_id: order.id, reference, answer: answer.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_answer_tells_of_its_order() {
        let answer = r#"{"order":{"id":"or_1","event_id":"ev","status":"approved","total":0},"reference":"1-A","held_until":null}"#;
        let PlacedBefore { order_id, reference, answer: kept } = PlacedBefore::read(answer).unwrap();
        assert_eq!((order_id.as_str(), reference.as_str(), kept.as_str()), ("or_1", "1-A", answer));
        for broken in ["", "{}", r#"{"order":{}}"#, r#"{"order":{"id":"or_1"}}"#] {
            assert!(PlacedBefore::read(broken).is_err(), "{broken}");
        }
    }
}
