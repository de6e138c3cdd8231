//! A connection runs the store's statements for reading. Writing is for transactions (`transaction.rs`) and for long
//! work (`dedicated.rs`). Nobody outside the store runs SQL.
//!
//! What waits for PostgreSQL is boxed, here and where connections begin and end. Otherwise every handler's future would hold
//! all of the driver's, and the compiler would look through them again for each handler, which took two fifths of its time.

use std::{borrow::Cow, sync::Arc};

use futures_util::FutureExt;

use taquilla_domain::{config::SQLITE_CACHE_KIB, time_source::TimeSource};

use super::{
    error::{Error, Result},
    postgres,
    seen::LastSeen,
    sql::{KeptParam, Param, Row},
    sqlite,
};

/// A connection that reads. On SQLite no method ever waits: the statement runs on the calling thread.
pub struct Conn {
    pub(super) link: Link,
    /// See [`Conn::clock`].
    pub(super) clock: TimeSource,
    /// What all connections of this server have seen.
    pub(super) seen: Arc<LastSeen>,
}

/// PostgreSQL's clock at this moment, not at the transaction's begin, in microseconds.
const CLOCK_TIMESTAMP: &str = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";

/// The same when the statement arrived.
const STATEMENT_TIMESTAMP: &str = "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)";

/// The engine's own connection.
pub(super) enum Link {
    Sqlite(sqlite::Session),
    Postgres(Box<postgres::Session>),
}

/// A query for any number of sets of parameters, and what reads its rows.
pub struct Question<'a> {
    pub(crate) sql: &'a str,
    pub(crate) sets: Vec<Vec<Param<'a>>>,
    pub(crate) read: Box<Reading<'a>>,
}

type Reading<'a> = dyn FnMut(&Row<'_>) -> Result<()> + Send + 'a;

impl Conn {
    /// Whether each statement travels to another process, so that sending two at once saves a wait.
    pub fn is_remote(&self) -> bool {
        matches!(self.link, Link::Postgres(_))
    }

    /// Makes a query a condition of the next statement: if the query gives no row, the statement gives none either and
    /// fails with [`Error::KeyRefused`], after `refused` was called. On SQLite nothing travels, so the caller runs the
    /// query first instead.
    pub(crate) fn check_along(
        &mut self,
        sql: &'static str,
        params: Vec<KeptParam>,
        refused: impl FnOnce() + Send + Sync + 'static,
    ) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(_) => Err(Error::internal("a check that would never be made")),
            Link::Postgres(session) => {
                session.check_along(postgres::Condition { sql, params, refused: Box::new(refused) });
                Ok(())
            }
        }
    }

    /// Whether no check from `check_along` still waits for the next statement.
    pub fn is_settled(&self) -> bool {
        match &self.link {
            Link::Sqlite(_) => true,
            Link::Postgres(session) => session.is_settled(),
        }
    }

    /// Runs a waiting check now instead of together with the next statement.
    pub async fn settle(&mut self) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(_) => Ok(()),
            Link::Postgres(session) => session.settle().boxed().await,
        }
    }

    /// Runs a query and hands each row to `each`, until it answers `false`.
    pub(crate) async fn query_while(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<bool> + Send,
    ) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(session) => {
                session.count_statement();
                session.query(sql, params, &mut each)
            }
            Link::Postgres(session) => session.query(sql, params, &mut each).boxed().await,
        }
    }

    /// Runs a query and hands each row to `each`.
    pub(crate) async fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut each: impl FnMut(&Row<'_>) -> Result<()> + Send,
    ) -> Result<()> {
        self.query_while(sql, params, |row| each(row).map(|()| true)).await
    }

    /// Runs queries one after the other and hands over each row with its query's place. They travel to PostgreSQL together.
    pub(crate) async fn query_in_turn(
        &mut self,
        queries: &[(&str, &[Param<'_>])],
        mut each: impl FnMut(usize, &Row<'_>) -> Result<()> + Send,
    ) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(session) => {
                session.count_statement();
                for (place, (sql, params)) in queries.iter().enumerate() {
                    session.query(sql, params, &mut |row| each(place, row).map(|()| true))?;
                }
            }
            Link::Postgres(session) => {
                let answers = session.query_in_turn(queries).boxed().await?;
                for (place, rows) in answers.iter().enumerate() {
                    rows.iter().try_for_each(|row| each(place, &Row::Postgres(row, row.len())))?;
                }
            }
        }
        Ok(())
    }

    /// Every row of a query, in its order.
    pub(crate) async fn collect<T: Send>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.query(sql, params, |row| {
            rows.push(read(row)?);
            Ok(())
        })
        .await?;
        Ok(rows)
    }

    /// The first row of a query, if there is one.
    pub(crate) async fn query_first<T: Send>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Option<T>> {
        let mut first = None;
        self.query_while(sql, params, |row| {
            first = Some(read(row)?);
            Ok(false)
        })
        .await?;
        Ok(first)
    }

    /// The first row of a query with one text parameter, if there is one. A SQLite connection remembers the row until
    /// anything was committed to the database by anybody, and asks again only then.
    pub(crate) async fn query_first_unless_unchanged<T: Clone + Send + 'static>(
        &mut self,
        sql: &'static str,
        text: &str,
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Option<T>> {
        if let Link::Sqlite(session) = &mut self.link
            && let Some(known) = session.recall(sql, text)?
        {
            return Ok(Some(known));
        }
        let found = self.query_first(sql, &[Param::from(text)], read).await?;
        if let (Link::Sqlite(session), Some(found)) = (&mut self.link, &found) {
            session.remember(sql, text, found.clone());
        }
        Ok(found)
    }

    /// Runs one query for each set of parameters and gives all their rows, those of the first set first. For PostgreSQL
    /// it is one statement, whatever the number of sets.
    pub(crate) async fn collect_many<T: Send>(
        &mut self,
        sql: &str,
        sets: &[Vec<Param<'_>>],
        read: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        let mut rows = Vec::with_capacity(sets.len());
        let read = |row: &Row<'_>| {
            rows.push(read(row)?);
            Ok(())
        };
        self.ask(vec![Question { sql, sets: sets.to_vec(), read: Box::new(read) }]).await?;
        Ok(rows)
    }

    /// Asks several questions, which travel to PostgreSQL together. Each question's rows are read in the order of its sets,
    /// after those of the questions before it. One without sets is not asked.
    pub async fn ask(&mut self, mut questions: Vec<Question<'_>>) -> Result<()> {
        questions.retain(|question| !question.sets.is_empty());
        match &mut self.link {
            Link::Sqlite(session) => {
                for Question { sql, sets, read } in &mut questions {
                    session.count_statement();
                    for params in sets {
                        session.query(sql, params, &mut |row| read(row).map(|()| true))?;
                    }
                }
            }
            Link::Postgres(session) => {
                let asked: Vec<_> = questions.iter().map(|question| (question.sql, question.sets.as_slice())).collect();
                let answers = session.query_sets(&asked).boxed().await?;
                for (question, rows) in questions.iter_mut().zip(&answers) {
                    rows.iter().try_for_each(|row| (question.read)(&Row::Postgres(row, row.len() - 1)))?;
                }
            }
        }
        Ok(())
    }

    /// Runs a query whose rows may be more than fit into memory, and hands each row to `each`, until it answers `false`.
    /// After that nothing else can be asked on a connection to PostgreSQL before the rest has arrived.
    pub(crate) async fn stream(
        &mut self,
        sql: &str,
        mut each: impl FnMut(&Row<'_>) -> Result<bool> + Send,
    ) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(session) => session.query(sql, &[], &mut each),
            Link::Postgres(session) => session.stream(sql, &mut each).boxed().await,
        }
    }

    /// From here on every statement of this connection sees the same state. Nobody waits for it, and it waits for nobody.
    /// It ends with the connection.
    pub(crate) async fn begin_snapshot(&mut self) -> Result<()> {
        match &mut self.link {
            // SQLite takes the state of the first read. Who reads everything once needs little memory of it.
            Link::Sqlite(session) => session
                .batch(&format!("PRAGMA cache_size = -{SQLITE_CACHE_KIB}; BEGIN; SELECT count(*) FROM sqlite_schema")),
            Link::Postgres(session) => session.begin_state().boxed().await,
        }
    }

    /// Gives back a connection that [`Store::read_state`](super::database::Store::read_state) gave.
    pub async fn end_state(mut self) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(_) => Ok(()),
            Link::Postgres(session) => session.roll_back().boxed().await,
        }
    }

    /// The steps of a statement's plan on this connection, for tests that the cost of lists stays flat (G8).
    pub async fn explain(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<String>> {
        match &mut self.link {
            Link::Sqlite(_) => {
                let explained = format!("EXPLAIN QUERY PLAN {sql}");
                self.collect(&explained, params, |row| Ok(row.text(3)?.to_owned())).await
            }
            Link::Postgres(session) => {
                let rows = session.explain(sql, params).boxed().await?;
                rows.iter().map(|row| Ok(Row::Postgres(row, row.len()).text(0)?.trim().to_owned())).collect()
            }
        }
    }

    /// Like [`Conn::explain`], of the statement as it runs for many sets of parameters such as these.
    pub async fn explain_many(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<String>> {
        match &mut self.link {
            Link::Sqlite(_) => self.explain(sql, params).await,
            Link::Postgres(session) => {
                let rows = session.explain_sets(sql, params).boxed().await?;
                rows.iter().map(|row| Ok(Row::Postgres(row, row.len()).text(0)?.trim().to_owned())).collect()
            }
        }
    }

    /// SQL for the present by the database's clock, in microseconds. It decides when a hold ends, because servers may
    /// disagree about the time. A SQLite file's clock is the machine's. Only tests set another one.
    pub(crate) fn clock(&self) -> Cow<'static, str> {
        match (&self.clock, &self.link) {
            (TimeSource::Stepped(_), _) => self.clock.now().micros().to_string().into(),
            (TimeSource::System, Link::Sqlite(_)) => "CAST(unixepoch('subsec') * 1000000 AS BIGINT)".into(),
            // The subquery runs once and only when it is needed: after the wait for a lock, not before. PostgreSQL
            // would not search an index for a bare call, because each call may give another value.
            (TimeSource::System, Link::Postgres(_)) => format!("(SELECT {CLOCK_TIMESTAMP})").into(),
        }
    }

    /// SQL for the present of a tick, which becomes the stamp: the database's, asked anew after the wait for the producer's
    /// row. SQLite's clock is the machine's, which the caller has read to the microsecond (`given`). Where the row is on another
    /// machine, the coordinator puts its time in before the wait: all producers have one clock, and stamps follow one another
    /// all the same.
    pub(crate) fn tick_clock(&self, given: &'static str) -> Cow<'static, str> {
        match (&self.clock, &self.link) {
            (_, Link::Sqlite(_)) => given.into(),
            (TimeSource::System, Link::Postgres(session)) if session.has_citus() => STATEMENT_TIMESTAMP.into(),
            (TimeSource::System, Link::Postgres(_)) => CLOCK_TIMESTAMP.into(),
            (TimeSource::Stepped(_), Link::Postgres(_)) => self.clock(),
        }
    }

    /// What this server has seen of the database.
    pub(crate) fn seen(&self) -> &LastSeen {
        &self.seen
    }

    /// Picks the text for this connection's engine.
    pub(crate) fn dialect<'t>(&self, sqlite: &'t str, postgres: &'t str) -> &'t str {
        match self.link {
            Link::Sqlite(_) => sqlite,
            Link::Postgres(_) => postgres,
        }
    }

    pub(super) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        match &mut self.link {
            Link::Sqlite(session) => {
                session.count_statement();
                session.execute(sql, params)
            }
            Link::Postgres(session) => session.execute(sql, params).boxed().await,
        }
    }

    pub(super) async fn execute_many(&mut self, sql: &str, sets: &[Vec<Param<'_>>]) -> Result<()> {
        if sets.is_empty() {
            return Ok(());
        }
        match &mut self.link {
            Link::Sqlite(session) => {
                session.count_statement();
                sets.iter().try_for_each(|params| session.execute(sql, params).map(drop))
            }
            Link::Postgres(session) => session.execute_sets(&[(sql, sets)]).boxed().await,
        }
    }

    pub(super) async fn execute_all(&mut self, writes: &[(&str, &[Vec<Param<'_>>])]) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(_) => {
                for (sql, sets) in writes {
                    self.execute_many(sql, sets).await?;
                }
                Ok(())
            }
            Link::Postgres(session) => session.execute_sets(writes).boxed().await,
        }
    }

    pub(super) async fn fill(&mut self, table: &str, columns: &[&str], rows: &[Vec<Param<'_>>]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        match &mut self.link {
            Link::Sqlite(session) => {
                let numbers: Vec<String> = (1..=columns.len()).map(|number| format!("?{number}")).collect();
                let sql = format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(", "), numbers.join(", "));
                rows.iter().try_for_each(|row| session.execute(&sql, row).map(drop))
            }
            Link::Postgres(session) => session.copy(table, columns, rows).boxed().await,
        }
    }

    pub(super) async fn batch(&mut self, sql: &str) -> Result<()> {
        match &mut self.link {
            Link::Sqlite(session) => session.batch(sql),
            Link::Postgres(session) => session.batch(sql).boxed().await,
        }
    }
}
