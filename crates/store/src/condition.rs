//! What an operator wants to know of a database before a server runs on it. Nothing is changed.

use taquilla_domain::{clock::Stamp, config::PostgresTimeouts, public_url::PublicUrl, time_source::TimeSource};

use super::{Error, Result, Store, distribution::Distribution, migrate, settings};

/// A database that is there.
pub struct Condition {
    /// The engine and its version, such as `PostgreSQL 15.14`.
    pub engine: String,
    /// The version of its schema, which this binary works with, or an older one.
    pub schema: i64,
    /// What this machine's clock showed before and after the database's was read.
    pub here: (Stamp, Stamp),
    /// What the database's clock showed. Of a SQLite file it is this machine's.
    pub there: Stamp,
    /// Where its tables are.
    pub distribution: Distribution,
    /// The latest change of any producer.
    pub changed_at: Option<Stamp>,
    /// The public URL that a server was started with.
    pub public_url: Option<PublicUrl>,
}

impl Condition {
    /// Looks at the database at an address.
    pub async fn of(address: &str) -> Result<Self> {
        let mut conn = Store::look(address).await?;
        if !migrate::has_schema(&mut conn).await? {
            return Err(Error::NoDatabase(Store::shown(address)));
        }
        let (schema, known) = (migrate::version(&mut conn).await?, migrate::LATEST);
        if schema > known {
            migrate::refuse_newer(&mut conn).await?;
        }
        let sql = conn.dialect("SELECT sqlite_version()", "SELECT current_setting('server_version')");
        let version = conn.query_first(sql, &[], |row| Ok(row.text(0)?.to_owned())).await?.unwrap_or_default();
        let engine = format!("{} {version}", conn.dialect("SQLite", "PostgreSQL"));
        let sql = format!("SELECT {}", conn.clock());
        let before = TimeSource::System.now();
        let there = conn.query_first(&sql, &[], |row| row.stamp(0)).await?.unwrap_or(before);
        let here = (before, TimeSource::System.now());
        let distribution = Distribution::of(&mut conn).await?;
        let sql = format!("SELECT max(clock) FROM {}", migrate::locked_by_moves(schema));
        let changed_at = conn.query_first(&sql, &[], |row| row.opt_stamp(0)).await?.flatten();
        let public_url = settings::public_url(&mut conn).await?;
        Ok(Self { engine, schema, here, there, distribution, changed_at, public_url })
    }
}

/// Tells whether the database at an address, which is there, can be written to.
pub async fn check_writable(address: &str) -> Result<()> {
    let store = Store::connect(address, PostgresTimeouts::default(), TimeSource::System, migrate::LATEST).await?;
    store.check_writable().await
}
