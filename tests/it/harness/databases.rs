//! Fresh databases on either engine.

use std::path::Path;

use taquilla_store::{Open, Store};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A clone of the migrated template in the cluster that `tests/with-services` started.
pub(super) async fn new_postgres_database() -> String {
    let cluster = std::env::var("TAQUILLA_TEST_POSTGRES")
        .expect("these tests need PostgreSQL: run `make test`, or `tests/with-services cargo nextest run NAME`");
    let (admin, connection) =
        tokio_postgres::connect(&format!("{cluster}/postgres"), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    // Each test runs in its own process: the first one makes the template, and the others wait for it.
    admin.batch_execute("SELECT pg_advisory_lock(1)").await.unwrap();
    let made = admin.query_opt("SELECT 1 FROM pg_database WHERE datname = 'template_taquilla'", &[]).await.unwrap();
    if made.is_none() {
        admin.batch_execute("CREATE DATABASE making").await.unwrap();
        drop(Store::open(&format!("{cluster}/making"), Open::MayCreate).await.unwrap());
        while admin.batch_execute("ALTER DATABASE making RENAME TO template_taquilla").await.is_err() {
            tokio::task::yield_now().await;
        }
    }
    let name = format!("test_{:032x}", rand::random::<u128>());
    admin.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template_taquilla")).await.unwrap();
    admin.batch_execute("SELECT pg_advisory_unlock(1)").await.unwrap();
    format!("{cluster}/{name}")
}

/// The address of an empty database that was never migrated.
pub async fn new_address(engine: Engine, folder: &Path) -> String {
    match engine {
        Engine::Sqlite => format!("sqlite:{}", folder.join("fresh").join("new.db").display()),
        Engine::Postgres => {
            let cluster = std::env::var("TAQUILLA_TEST_POSTGRES").unwrap();
            let (admin, connection) =
                tokio_postgres::connect(&format!("{cluster}/postgres"), tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(connection);
            let name = format!("empty_{:032x}", rand::random::<u128>());
            admin.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
            format!("{cluster}/{name}")
        }
    }
}
