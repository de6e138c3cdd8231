//! What buyers do. A paid order counts once its payment has approved it: its latency is that of both requests together.

use std::time::SystemTime;

use rand::RngExt;
use serde::Deserialize;
use taquilla_domain::signature::SigningSecret;

use crate::{Failure, connection::Connection};

/// What is bought, and how it is paid.
pub struct Sale {
    orders: String,
    payments: String,
    /// The ticket types are this text and a number.
    item: String,
    items: usize,
    secret: Option<SigningSecret>,
}

/// The answer to an order.
#[derive(Deserialize)]
struct Placed {
    order: Order,
    reference: String,
}

#[derive(Deserialize)]
struct Order {
    total: i64,
    currency: String,
}

impl Placed {
    /// Reads an answer. Constant bytes are no order: a payment of the same length is sent for them.
    fn read(answer: &[u8]) -> Self {
        serde_json::from_slice(answer).unwrap_or_else(|_| Self {
            order: Order { total: 25, currency: "EUR".to_owned() },
            reference: "1-01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned(),
        })
    }
}

impl Sale {
    pub fn new(producer: &str, event: &str, item: &str, items: usize, secret: Option<&str>) -> Result<Self, Failure> {
        let parse = |text| SigningSecret::parse(text).ok_or("this is no signing secret");
        Ok(Self {
            orders: format!("/shop/v1/{producer}/events/{event}/orders"),
            payments: format!("/shop/v1/{producer}/payments"),
            item: item.to_owned(),
            items,
            secret: secret.map(parse).transpose()?,
        })
    }

    /// Places an order and, if it is to be paid, pays: whether both were taken.
    pub async fn buy(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let (item, number) = (&self.item, rand::rng().random_range(0..self.items));
        // One buyer may have only so many unpaid orders, so each order has its own.
        let buyer: u64 = rand::random();
        let body = format!(
            "{{\"buyer\":{{\"name\":\"Ana Ruiz\",\"email\":\"ana.{buyer:016x}@example.com\"}},\
             \"items\":[{{\"ticket_type_id\":\"{item}{number}\",\"quantity\":1}}]}}"
        );
        let key = format!("Idempotency-Key: {:032x}\r\n", rand::random::<u128>());
        let (placed, answer) = connection.ask("POST", &self.orders, &key, &body).await?;
        let (true, Some(secret)) = (placed, &self.secret) else { return Ok(placed) };

        let Placed { order: Order { total, currency }, reference } = Placed::read(answer);
        let id = format!("{:032x}", rand::random::<u128>());
        let body = format!(
            "{{\"payment_id\":\"pay_{id}\",\"reference\":\"{reference}\",\"status\":\"paid\",\"amount\":{total},\
             \"currency\":\"{currency}\"}}"
        );
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
        let signature = secret.sign(&id, now as i64, body.as_bytes());
        let headers = format!("webhook-id: {id}\r\nwebhook-timestamp: {now}\r\nwebhook-signature: {signature}\r\n");
        Ok(connection.ask("POST", &self.payments, &headers, &body).await?.0)
    }
}
