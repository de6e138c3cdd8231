//! Spreads a database over the workers of a Citus cluster.

use taquilla_domain::{config::PostgresTimeouts, time_source::TimeSource};

use super::{
    Conn, Error, Result, Store,
    distribution::{Step, has_citus, is_coordinator, place, workers},
    engine::postgres,
    migrate,
};

/// Spreads the tables of a database over the workers that Citus knows. Each table is a step of its own: whoever was interrupted
/// begins again and goes on. Tells how many workers there are.
pub async fn distribute(address: &str, mut each: impl FnMut(Step)) -> Result<i64> {
    if Store::file(address).is_some() {
        return Err(Error::NotSpread("a SQLite file stays on one machine; move to PostgreSQL first".into()));
    }
    let store = Store::connect(address, PostgresTimeouts::default(), TimeSource::System, migrate::LATEST).await?;
    let mut conn = store.dedicated().await?;
    if !has_citus(&mut conn).await? {
        let why = "the database has no Citus: CREATE EXTENSION citus, on the coordinator and on every worker";
        return Err(Error::NotSpread(why.into()));
    }
    if !is_coordinator(&mut conn).await? {
        return Err(Error::NotSpread("the address leads to a worker: give that of the coordinator".into()));
    }
    let workers = workers(&mut conn).await?;
    if workers == 0 {
        let why = "Citus knows no worker: SELECT citus_set_coordinator_host(…), then citus_add_node(…) for each";
        return Err(Error::NotSpread(why.into()));
    }
    refuse_servers(&mut conn).await?;
    migrate::run(store.dedicated().await?).await?;
    place(&mut conn, &mut each).await?;
    conn.batch(&postgres::on_workers()).await?;
    Ok(workers)
}

/// A server that runs has asked where the tables are when it began. It may be connected to any of the machines.
async fn refuse_servers(conn: &mut Conn) -> Result<()> {
    let sql = "SELECT count(*) FROM citus_stat_activity WHERE datname = current_database() AND application_name = 'taquilla' \
         AND NOT is_worker_query AND global_pid <> citus_backend_gpid()";
    match conn.query_first(sql, &[], |row| row.int(0)).await?.unwrap_or(0) {
        0 => Ok(()),
        others => Err(Error::NotSpread(format!(
            "{others} connections of other Taquilla programs are open: stop the servers first"
        ))),
    }
}
