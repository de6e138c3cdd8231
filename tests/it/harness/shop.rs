//! What buyers and payment processors send to the shop of the producer `pr_a`, for its event `ev`.

use serde_json::{Value, json};

use super::{Answer, Client, World, sign};

/// The body of an order for some units of one item.
pub fn cart(item: &str, quantity: i64) -> Value {
    json!({"buyer": {"name": "Ana", "email": "ana@example.com", "phone": "1"}, "items": [{"ticket_type_id": item, "quantity": quantity}]})
}

/// Places an order.
pub async fn place(world: &World, key: &str, body: &Value) -> Answer {
    world.client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", key)], body).await
}

/// Tells of a payment, signed with the secret at a time that is off by some seconds.
pub async fn pay(world: &World, body: &Value, secret: &str, off_s: i64) -> Answer {
    tell_of_payment(&world.client, world.now().micros() / 1_000_000 + off_s, body, secret).await
}

/// Tells a server of a payment, signed with the secret at this time.
pub async fn tell_of_payment(client: &Client, timestamp: i64, body: &Value, secret: &str) -> Answer {
    let [id, time, signature] = &signed(timestamp, body, secret);
    let headers = [("webhook-id", id.as_str()), ("webhook-timestamp", time), ("webhook-signature", signature)];
    client.post("/shop/v1/pr_a/payments", &headers, body).await
}

/// Tells a server of a payment that may die meanwhile.
pub async fn try_to_tell_of_payment(client: &Client, timestamp: i64, body: &Value, secret: &str) -> Option<Answer> {
    let [id, time, signature] = &signed(timestamp, body, secret);
    let headers = [("webhook-id", id.as_str()), ("webhook-timestamp", time), ("webhook-signature", signature)];
    client.try_post("/shop/v1/pr_a/payments", &headers, body).await
}

/// The id, the time and the signatures of a message; the first signature is wrong.
fn signed(timestamp: i64, body: &Value, secret: &str) -> [String; 3] {
    let signature = format!("v1,bm90aGluZw== {}", sign(secret, "msg_1", timestamp, &body.to_string()));
    ["msg_1".to_owned(), timestamp.to_string(), signature]
}
