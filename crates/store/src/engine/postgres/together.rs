//! Several statements that travel together: all are sent before the first answer arrives.

use std::sync::Arc;

use futures_util::future::{join, try_join_all};
use tokio_postgres::{Row as PgRow, types::ToSql};

use super::{
    super::{error::Result, sql::Param},
    session::{Along, Session, bound, cannot_begin},
    sets::{self, Columns},
    translated::{translated, translated_for_sets},
};

impl Session {
    /// The rows of some queries that run one after the other. All are sent before the first answer arrives, and the beginning
    /// of a transaction that waited for the next statement goes ahead of them.
    pub async fn query_in_turn(&mut self, queries: &[(&str, &[Param<'_>])]) -> Result<Vec<Vec<PgRow>>> {
        let begin = matches!(self.along, Some(Along::Begin)).then(|| self.begin_text());
        if begin.is_some() {
            self.along = None;
        }
        self.settle().await?;
        let texts: Vec<Arc<str>> = queries.iter().map(|(sql, _)| self.marked(translated(sql))).collect();
        let alone = self.alone();
        let (client, watch) = self.line()?;
        let asked = async {
            let mut sent = Vec::with_capacity(queries.len());
            for (text, (_, params)) in texts.iter().zip(queries) {
                let statement = client.prepare_cached(text).await?;
                sent.push(async move { client.query(&statement, &bound(params)).await });
            }
            let begun = async {
                match &begin {
                    Some(begin) => client.batch_execute(begin).await,
                    None => Ok(()),
                }
            };
            Ok(join(begun, client.within(alone.as_deref(), try_join_all(sent))).await)
        };
        let (begun, rows) = watch.over(asked).await?;
        begun.map_err(|cause| cannot_begin(cause.into()))?;
        Ok(rows?)
    }

    /// Statements over many sets and their parameters; those without a set are left out.
    fn for_sets<'p>(&self, asked: &'p [(&str, &'p [Vec<Param<'_>>])]) -> Result<Vec<(Arc<str>, Columns<'p>)>> {
        let some = asked.iter().filter_map(|(sql, sets)| Some((sql, sets.first()?, sets)));
        let form = self.form();
        some.map(|(sql, first, sets)| {
            Ok((self.marked(translated_for_sets(sql, first, form)), sets::columns(sets, form)?))
        })
        .collect()
    }

    /// The rows of some queries, each for all its sets, those of the first set first. All are sent before the first answer
    /// arrives.
    pub async fn query_sets(&mut self, asked: &[(&str, &[Vec<Param<'_>>])]) -> Result<Vec<Vec<PgRow>>> {
        self.settle().await?;
        let (prepared, alone) = (self.for_sets(asked)?, self.alone());
        let (client, watch) = self.line()?;
        let mut answers = watch
            .over(async {
                let mut sent = Vec::with_capacity(prepared.len());
                for (text, columns) in &prepared {
                    let statement = client.prepare_cached(text).await?;
                    sent.push(async move { client.query(&statement, &shared(columns)).await });
                }
                client.within(alone.as_deref(), try_join_all(sent)).await
            })
            .await?;
        for rows in &mut answers {
            // The rows of one set stay in the order of the query.
            rows.sort_by_key(|row| row.get::<_, i64>(row.len() - 1));
        }
        Ok(answers)
    }

    /// Runs some statements, each for all its sets. All are sent before the first answer arrives.
    pub async fn execute_sets(&mut self, writes: &[(&str, &[Vec<Param<'_>>])]) -> Result<()> {
        self.settle().await?;
        let (prepared, alone) = (self.for_sets(writes)?, self.alone());
        let (client, watch) = self.line()?;
        watch
            .over(async {
                let mut sent = Vec::with_capacity(prepared.len());
                for (text, columns) in &prepared {
                    let statement = client.prepare_cached(text).await?;
                    sent.push(async move { client.execute(&statement, &shared(columns)).await });
                }
                client.within(alone.as_deref(), try_join_all(sent)).await
            })
            .await?;
        Ok(())
    }
}

fn shared<'p>(columns: &'p Columns<'_>) -> Vec<&'p (dyn ToSql + Sync)> {
    columns.iter().map(|column| &**column as &(dyn ToSql + Sync)).collect()
}
