//! Fresh databases on either engine. Migrations take longer than most tests, so they run once: the rest are copies.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use taquilla_store::{Open, Store};

use super::citus;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A copy of a migrated file. Without `tests/with-services`, which has a folder for it, the file is made by the first that
/// opens it.
pub(super) async fn new_sqlite_database(folder: &Path) -> String {
    let path = folder.join("test.db");
    if let Some(shared) = std::env::var_os("TAQUILLA_TEST_FOLDER") {
        std::fs::copy(sqlite_template(&PathBuf::from(shared)).await, &path).unwrap();
    }
    format!("sqlite:{}", path.display())
}

/// Each test runs in its own process. Several may make the file at first, and all make the same: each puts it there whole.
async fn sqlite_template(shared: &Path) -> PathBuf {
    let template = shared.join("template.db");
    if !template.exists() {
        let folder = tempfile::tempdir_in(shared).unwrap();
        let (making, whole) = (folder.path().join("making.db"), folder.path().join("whole.db"));
        let store = Store::open(&format!("sqlite:{}", making.display()), Open::MayCreate).await.unwrap();
        let conn = rusqlite::Connection::open(&making).unwrap();
        conn.execute("VACUUM INTO ?1", [whole.to_str().unwrap()]).unwrap();
        drop((conn, store));
        // As Taquilla itself makes one: for nobody else to read.
        std::fs::set_permissions(&whole, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::rename(whole, &template).unwrap();
    }
    template
}

/// Whether tests on PostgreSQL get databases that are spread over machines, as `make test-citus` wants them.
pub(super) fn is_on_citus() -> bool {
    wanted().starts_with("citus")
}

/// `citus`, or `citus-worker` for servers that have a worker's address.
fn wanted() -> String {
    std::env::var("TAQUILLA_TEST_DATABASE").unwrap_or_default()
}

/// A clone of the migrated template in the cluster that `tests/with-services` started, or one that is spread over machines.
pub(super) async fn new_postgres_database() -> String {
    if is_on_citus() {
        let address = citus::new_distributed().await;
        return if wanted() == "citus-worker" { citus::by_worker(&address) } else { address };
    }
    let cluster = std::env::var("TAQUILLA_TEST_POSTGRES")
        .expect("these tests need PostgreSQL: run `make test`, or `tests/with-services cargo nextest run NAME`");
    let (admin, connection) =
        tokio_postgres::connect(&format!("{cluster}/postgres"), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let is_made = async || {
        let sql = "SELECT 1 FROM pg_database WHERE datname = 'template_taquilla'";
        admin.query_opt(sql, &[]).await.unwrap().is_some()
    };
    if !is_made().await {
        // Each test runs in its own process: the first one makes the template, and the others wait for it.
        admin.batch_execute("SELECT pg_advisory_lock(1)").await.unwrap();
        if !is_made().await {
            admin.batch_execute("CREATE DATABASE making").await.unwrap();
            drop(Store::open(&format!("{cluster}/making"), Open::MayCreate).await.unwrap());
            while admin.batch_execute("ALTER DATABASE making RENAME TO template_taquilla").await.is_err() {
                tokio::task::yield_now().await;
            }
        }
        admin.batch_execute("SELECT pg_advisory_unlock(1)").await.unwrap();
    }
    let name = format!("test_{:032x}", rand::random::<u128>());
    // Copying the template's files takes half of what copying it page by page does. Before PostgreSQL 15 there was no other way.
    let version: i32 =
        admin.query_one("SHOW server_version_num", &[]).await.unwrap().get::<_, String>(0).parse().unwrap();
    let strategy = if version >= 150_000 { "STRATEGY FILE_COPY" } else { "" };
    admin.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template_taquilla {strategy}")).await.unwrap();
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
