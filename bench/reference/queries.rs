//! PostgreSQL with nothing around it: one prepared statement, run on every connection over and over with values from a
//! random line of a file. With an address in place of seconds it does so once for each HTTP request and answers with the
//! documents it got.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    http::{StatusCode, header},
};
use parking_lot::Mutex;
use rand::RngExt;
use tokio_postgres::{
    Client, NoTls, Row, Statement,
    types::{ToSql, Type},
};

use crate::{Failure, latencies};

pub struct Asked {
    pub sql: String,
    pub producer: i64,
    pub values: Vec<String>,
}

struct Session {
    client: Client,
    statement: Statement,
    asked: Arc<Asked>,
}

pub async fn run(url: &str, connections: usize, asked: Asked, how: &str) -> Result<(), Failure> {
    let sessions = connect(url, connections, Arc::new(asked)).await?;
    match how.parse() {
        Ok(seconds) => repeat(sessions, Duration::from_secs(seconds)).await,
        Err(_) => serve(sessions, how).await,
    }
}

/// A connection with the planner's settings that Taquilla uses.
pub async fn client(url: &str) -> Result<Client, Failure> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    client.batch_execute("SET plan_cache_mode = force_generic_plan; SET jit = off").await?;
    Ok(client)
}

async fn connect(url: &str, connections: usize, asked: Arc<Asked>) -> Result<Vec<Session>, Failure> {
    let mut sessions = Vec::new();
    for _ in 0..connections {
        let client = client(url).await?;
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
    let count = latencies.len();
    println!("{}", latencies::summary(latencies, count, started.elapsed()));
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
