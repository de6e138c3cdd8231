//! What there is to compare with.
//!
//! `bench-reference constant ADDRESS STATUS BYTES` is the same HTTP stack with nothing to do: it answers every request,
//! whatever its path and body, with that many bytes and the headers that Taquilla sends.
//!
//! `bench-reference postgres URL CONNECTIONS SECONDS PRODUCER FILE SQL` is PostgreSQL with nothing around it: one
//! prepared statement, run on every connection over and over with values from a random line of the file.

use std::{
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, StatusCode, header},
    response::IntoResponse,
};
use rand::RngExt;
use tokio_postgres::{
    NoTls,
    types::{ToSql, Type},
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["constant", address, status, bytes] => constant(address, status.parse()?, bytes.parse()?).await,
        ["postgres", url, connections, seconds, producer, file, sql] => {
            let values = std::fs::read_to_string(file)?.lines().map(str::to_owned).collect();
            let asked = Asked { sql: (*sql).to_owned(), producer: producer.parse()?, values };
            postgres(url, connections.parse()?, Duration::from_secs(seconds.parse()?), asked).await
        }
        _ => Err("constant ADDRESS STATUS BYTES, or postgres URL CONNECTIONS SECONDS PRODUCER FILE SQL".into()),
    }
}

async fn constant(address: &str, status: StatusCode, bytes: usize) -> Result<(), Failure> {
    let body = Bytes::from(vec![b'x'; bytes]);
    let answer = move |_request: Bytes| {
        let body = body.clone();
        async move {
            let headers = [
                (header::CONTENT_TYPE, "application/json"),
                (header::CACHE_CONTROL, "private, no-cache"),
                (header::ETAG, "W/\"0123456789abcdef\""),
                (header::VARY, "accept-encoding"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (HeaderName::from_static("x-request-id"), "0123456789abcdef0123456789abcdef"),
            ];
            (status, headers, body).into_response()
        }
    };
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback(answer)).await?;
    Ok(())
}

struct Asked {
    sql: String,
    producer: i64,
    values: Vec<String>,
}

async fn postgres(url: &str, connections: usize, span: Duration, asked: Asked) -> Result<(), Failure> {
    let asked = Arc::new(asked);
    let until = Instant::now() + span;
    let mut running = Vec::new();
    for _ in 0..connections {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        running.push(tokio::spawn(ask(client, Arc::clone(&asked), until)));
    }
    let started = Instant::now();
    let mut latencies = Vec::new();
    for each in running {
        latencies.extend(each.await??);
    }
    let per_second = latencies.len() as f64 / started.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let at = |share: f64| latencies.get((latencies.len() as f64 * share) as usize).copied().unwrap_or(0);
    println!(
        "{{\"per_second\":{per_second},\"requests\":{},\"p50_us\":{},\"p99_us\":{}}}",
        latencies.len(),
        at(0.5),
        at(0.99)
    );
    Ok(())
}

async fn ask(client: tokio_postgres::Client, asked: Arc<Asked>, until: Instant) -> Result<Vec<u64>, Failure> {
    let statement = client.prepare(&asked.sql).await?;
    let mut latencies = Vec::new();
    while Instant::now() < until {
        let line = &asked.values[rand::rng().random_range(0..asked.values.len())];
        let mut values: Vec<Box<dyn ToSql + Sync + Send>> = vec![Box::new(asked.producer)];
        for (text, kind) in line.split(' ').zip(&statement.params()[1..]) {
            values.push(if *kind == Type::INT8 { Box::new(text.parse::<i64>()?) } else { Box::new(text.to_owned()) });
        }
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value.as_ref() as _).collect();
        let started = Instant::now();
        client.query(&statement, &values).await?;
        latencies.push(started.elapsed().as_micros() as u64);
    }
    Ok(latencies)
}
