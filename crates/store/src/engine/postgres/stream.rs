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
        let (text, alone) = (self.marked(sql.into()), self.alone());
        let (client, watch) = self.line()?;
        let read = async {
            let statement = client.prepare(&text).await?;
            if let Some(begin) = &alone {
                client.batch_execute(begin).await?;
            }
            let mut rows = pin!(client.query_raw(&statement, std::iter::empty::<&(dyn ToSql + Sync)>()).await?);
            let mut outcome = Ok(());
            while let Some(row) = rows.try_next().await? {
                match each(&Row::Postgres(&row, row.len())) {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(cause) => outcome = Err(cause),
                }
                break;
            }
            if alone.is_some() {
                client.batch_execute("COMMIT").await?;
            }
            Ok(outcome)
        };
        watch.over(read).await?
    }
}
