//! Rows as they arrive, for queries over whole tables.

use std::pin::pin;

use futures_util::TryStreamExt;
use tokio_postgres::types::ToSql;

use super::{
    super::{error::Result, sql::Row},
    session::Session,
};

impl Session {
    /// Hands each row of a query to `each` while the others are on their way, until it answers `false`. The driver keeps a
    /// few rows only: PostgreSQL waits for whoever reads them.
    pub async fn stream(&mut self, sql: &str, each: &mut (impl FnMut(&Row<'_>) -> Result<bool> + Send)) -> Result<()> {
        let (client, watch) = self.line()?;
        let read = async {
            let statement = client.prepare(sql).await?;
            let mut rows = pin!(client.query_raw(&statement, std::iter::empty::<&(dyn ToSql + Sync)>()).await?);
            while let Some(row) = rows.try_next().await? {
                match each(&Row::Postgres(&row, row.len())) {
                    Ok(true) => {}
                    Ok(false) => break,
                    failed => return Ok(failed.map(|_| ())),
                }
            }
            Ok(Ok(()))
        };
        watch.over(read).await?
    }
}
