//! Many who come while nobody can be served: the next move finds them all waiting.

use std::future::Future;

use reqwest::Method;
use serde_json::Value;

use super::{Answer, Client, Engine, Producer, World, until};

/// Sends requests while another process holds the producer, and lets go once they have arrived. Gives the answers in the
/// order of the requests.
///
/// Nothing outside tells that a request waits, so a crowd has as much time to arrive as it takes to ask for something else
/// many times. Who comes later all the same is served by the move after.
pub async fn together<T, F>(world: &World, producer: &Producer, client: &Client, requests: Vec<F>) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let busy = world.hold(producer).await;
    let waiting = arrive(world, client, requests).await;
    drop(busy);
    answers(waiting).await
}

/// Sends requests that cannot be served at present, and waits until they have arrived; see [`together`].
pub async fn arrive<T, F>(world: &World, client: &Client, requests: Vec<F>) -> Vec<tokio::task::JoinHandle<T>>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let waiting: Vec<_> = requests.into_iter().map(tokio::spawn).collect();
    if world.engine == Engine::Postgres {
        assert!(until(async || world.waiting_for_locks().await > 0).await, "nobody waits");
    }
    for _ in 0..waiting.len().clamp(20, 300) {
        client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await;
    }
    waiting
}

/// Waits for everybody.
pub async fn answers<T>(waiting: Vec<tokio::task::JoinHandle<T>>) -> Vec<T> {
    let mut answers = Vec::new();
    for answer in waiting {
        answers.push(tokio::time::timeout(super::PATIENCE, answer).await.expect("somebody got no answer").unwrap());
    }
    answers
}

/// How many orders were placed with each stamp, oldest first. Orders that were decided together have one stamp.
pub async fn group_sizes(world: &World) -> Vec<usize> {
    let sql = "SELECT count(*) FROM orders GROUP BY created_at ORDER BY created_at";
    world.raw().await.rows(sql).await.iter().map(|row| row[0].parse().unwrap()).collect()
}

/// Places an order at the event `ev` of `pr_a`, over and over while it is told to come back.
pub async fn buy(client: Client, key: String, body: Value) -> Answer {
    loop {
        let answer = client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", &key)], &body).await;
        // A slow machine sends some buyers away for a while.
        if answer.status != 503 {
            return answer;
        }
    }
}
