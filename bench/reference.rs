//! What there is to compare with.
//!
//! `bench-reference constant ADDRESS STATUS BYTES` is the same HTTP stack with nothing to do: it answers every request,
//! whatever its path and body, with that many bytes and the headers that Taquilla sends.
//!
//! `bench-reference receiver ADDRESS` takes webhooks and answers 204. Asked with GET, it tells how many it took and how
//! many microseconds lie between the first and the last.
//!
//! `bench-reference postgres URL CONNECTIONS PRODUCER FILE SQL SECONDS` is PostgreSQL with nothing around it: one
//! prepared statement, run on every connection over and over with values from a random line of the file. With an
//! ADDRESS in place of SECONDS it does so once for each HTTP request and answers with the documents it got.

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
    routing::get,
};
use parking_lot::Mutex;
use rand::RngExt;
use tokio_postgres::{
    Client, NoTls, Row, Statement,
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
        ["receiver", address] => receive(address).await,
        ["postgres", url, connections, producer, file, sql, how] => {
            let values = std::fs::read_to_string(file)?.lines().map(str::to_owned).collect();
            let asked = Asked { sql: (*sql).to_owned(), producer: producer.parse()?, values };
            let sessions = connect(url, connections.parse()?, Arc::new(asked)).await?;
            match how.parse() {
                Ok(seconds) => repeat(sessions, Duration::from_secs(seconds)).await,
                Err(_) => serve(sessions, how).await,
            }
        }
        _ => Err("constant ADDRESS STATUS BYTES, receiver ADDRESS, or postgres URL CONNECTIONS PRODUCER FILE SQL SECONDS|ADDRESS".into()),
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

/// How many requests came, and when the first and the last of them did.
type Taken = Arc<Mutex<(u64, Option<(Instant, Instant)>)>>;

async fn receive(address: &str) -> Result<(), Failure> {
    let taken = Taken::default();
    let count = {
        let taken = Arc::clone(&taken);
        async move || {
            let (count, span) = *taken.lock();
            let micros = span.map_or(0, |(first, last)| (last - first).as_micros());
            format!("{{\"received\":{count},\"micros\":{micros}}}")
        }
    };
    let take = async move |_request: Bytes| {
        let now = Instant::now();
        let mut taken = taken.lock();
        taken.0 += 1;
        taken.1 = Some((taken.1.map_or(now, |(first, _)| first), now));
        StatusCode::NO_CONTENT
    };
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, Router::new().route("/", get(count).post(take))).await?;
    Ok(())
}

struct Asked {
    sql: String,
    producer: i64,
    values: Vec<String>,
}

struct Session {
    client: Client,
    statement: Statement,
    asked: Arc<Asked>,
}

async fn connect(url: &str, connections: usize, asked: Arc<Asked>) -> Result<Vec<Session>, Failure> {
    let mut sessions = Vec::new();
    for _ in 0..connections {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        client.batch_execute("SET plan_cache_mode = force_generic_plan; SET jit = off").await?;
        let statement = client.prepare(&asked.sql).await?;
        sessions.push(Session { client, statement, asked: Arc::clone(&asked) });
    }
    Ok(sessions)
}

impl Session {
    async fn ask(&self) -> Result<Vec<Row>, Failure> {
        let line = &self.asked.values[rand::rng().random_range(0..self.asked.values.len())];
        let mut values: Vec<Box<dyn ToSql + Sync + Send>> = vec![Box::new(self.asked.producer)];
        for (text, kind) in line.split(' ').zip(&self.statement.params()[1..]) {
            values.push(if *kind == Type::INT8 { Box::new(text.parse::<i64>()?) } else { Box::new(text.to_owned()) });
        }
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value.as_ref() as _).collect();
        Ok(self.client.query(&self.statement, &values).await?)
    }
}

async fn repeat(sessions: Vec<Session>, span: Duration) -> Result<(), Failure> {
    let started = Instant::now();
    let ask = move |session: Session| async move {
        let mut latencies = Vec::new();
        while started.elapsed() < span {
            let asked = Instant::now();
            session.ask().await?;
            latencies.push(asked.elapsed().as_micros() as u64);
        }
        Ok::<_, Failure>(latencies)
    };
    let running: Vec<_> = sessions.into_iter().map(|session| tokio::spawn(ask(session))).collect();
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

/// A session that goes back when it is dropped, also when the client has gone in the middle of a request.
struct Lease {
    session: Option<Session>,
    home: Arc<Mutex<Vec<Session>>>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.home.lock().extend(self.session.take());
    }
}

async fn serve(sessions: Vec<Session>, address: &str) -> Result<(), Failure> {
    let idle = Arc::new(Mutex::new(sessions));
    let answer = move || {
        let idle = Arc::clone(&idle);
        async move {
            let Some(session) = idle.lock().pop() else { return Err(StatusCode::SERVICE_UNAVAILABLE) };
            let lease = Lease { session: Some(session), home: idle };
            let Some(session) = &lease.session else { return Err(StatusCode::INTERNAL_SERVER_ERROR) };
            let rows = session.ask().await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
            let mut body = Vec::new();
            for row in &rows {
                // The document is the last column.
                body.extend_from_slice(row.get::<_, &str>(row.len() - 1).as_bytes());
            }
            Ok(([(header::CONTENT_TYPE, "application/json")], body))
        }
    };
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, Router::new().fallback(answer)).await?;
    Ok(())
}
