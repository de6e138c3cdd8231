//! One connection in use: statements, prepared once, and transactions.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use deadpool::managed;
use futures_util::future::try_join;
use tokio::sync::OwnedSemaphorePermit;
use tokio_postgres::{Row as PgRow, types::ToSql};

use super::{
    super::{
        error::{Error, Result},
        sql::{Param, Row},
    },
    client::Client,
    condition::Condition,
    connect::Connector,
    for_each::ForEach,
    patience::Patience,
    sets::Form,
    settings::{BEGIN, BY_KEY},
    shares::Share,
    translated::translated,
    turns::Turn,
    watch::Watch,
};

/// The connections that are ready to be used.
pub type Pool = managed::Pool<Connector>;
/// One of them, which returns when it is dropped.
type Object = managed::Object<Connector>;

/// Nothing is wrong with [`BEGIN`]: the database cannot write just now. A standby says so in words that also stand for
/// missing features (0A000).
pub(super) fn cannot_begin(cause: Error) -> Error {
    match cause {
        Error::Internal(story) => Error::Unavailable(story),
        other => other,
    }
}

/// The advisory lock that servers starting at the same time wait for ("taquilla" in ASCII).
const SCHEMA_LOCK: i64 = 0x7461_7175_696c_6c61;

/// A connection as [`Conn`](super::super::conn::Conn) uses it. It returns to the pool when this is dropped, unless
/// something on it is unfinished.
pub struct Session {
    client: Option<Held>,
    watch: Watch,
    /// What begins each transaction, if a pooler is in between.
    pub(super) for_each: Option<ForEach>,
    /// Something that is sent together with the next statement.
    pub(super) along: Option<Along>,
    /// Whether the session is between `BEGIN` and `COMMIT`. A session dropped there closes its connection, which undoes
    /// the work.
    pub(super) in_transaction: bool,
    _writer: Option<OwnedSemaphorePermit>,
    _turn: Option<Turn>,
    _share: Option<Share>,
}

/// What travels with the next statement.
pub(super) enum Along {
    /// A condition of the statement.
    Check(Condition),
    /// The beginning of a transaction. If it fails, the database cannot be written to, and the statement fails too.
    Begin,
}

enum Held {
    Pooled(Object),
    Own(Client),
}

impl Held {
    fn of(client: Option<&Self>) -> Result<&Client> {
        match client {
            Some(Self::Pooled(object)) => Ok(object),
            Some(Self::Own(client)) => Ok(client),
            None => Err(Error::internal("the session is over")),
        }
    }
}

impl Session {
    pub fn new(object: Object, deadline: Duration, patience: Arc<Patience>, for_each: &ForEach) -> Self {
        Self {
            watch: Watch::new(deadline, patience),
            for_each: object.is_pooled.then(|| for_each.clone()),
            client: Some(Held::Pooled(object)),
            along: None,
            in_transaction: false,
            _writer: None,
            _turn: None,
            _share: None,
        }
    }

    /// Gives the session other settings.
    pub async fn set(&mut self, settings: &str, for_each: impl FnOnce() -> ForEach) -> Result<()> {
        if self.for_each.is_some() {
            self.for_each = Some(for_each());
            return Ok(());
        }
        self.batch(settings).await
    }

    /// Gives the session the settings of imports.
    pub async fn find_by_key(&mut self) -> Result<()> {
        self.set(BY_KEY, ForEach::by_key).await
    }

    /// The text that begins a transaction that writes.
    pub(super) fn begin_text(&self) -> Arc<str> {
        self.for_each.as_ref().map_or_else(|| BEGIN.into(), |for_each| Arc::clone(&for_each.write))
    }

    /// The text that begins a transaction for what comes next, if it needs one of its own.
    pub(super) fn alone(&self) -> Option<Arc<str>> {
        self.for_each.as_ref().filter(|_| !self.in_transaction).map(|for_each| Arc::clone(&for_each.alone))
    }

    /// A statement as it is prepared.
    pub(super) fn marked(&self, text: Arc<str>) -> Arc<str> {
        match &self.for_each {
            Some(ForEach { mark, .. }) if !mark.is_empty() => format!("{mark}{text}").into(),
            _ => text,
        }
    }

    /// Keeps a writer's permit for as long as the session lasts.
    pub fn keep_permit(&mut self, permit: OwnedSemaphorePermit) {
        self._writer = Some(permit);
    }

    /// Keeps a producer's turn for as long as the session lasts.
    pub fn keep_turn(&mut self, turn: Turn) {
        self._turn = Some(turn);
    }

    /// Keeps a place in a producer's share for as long as the session lasts.
    pub fn keep_share(&mut self, share: Share) {
        self._share = Some(share);
    }

    /// Takes the connection out of the pool for long work, which has no deadline.
    pub fn leave_the_pool(&mut self) {
        self.watch.without_deadline();
        self.client = self.client.take().map(|client| match client {
            Held::Pooled(object) => Held::Own(Object::take(object)),
            own @ Held::Own(_) => own,
        });
    }

    /// The connection, and what watches over each exchange on it.
    pub(super) fn line(&mut self) -> Result<(&Client, &mut Watch)> {
        Ok((Held::of(self.client.as_ref())?, &mut self.watch))
    }

    /// How statements over many sets are written.
    pub(super) fn form(&self) -> Form {
        if self.has_citus() { Form::Spread } else { Form::OneMachine }
    }

    /// Whether the database may be spread over machines by Citus.
    pub fn has_citus(&self) -> bool {
        Held::of(self.client.as_ref()).is_ok_and(|client| client.has_citus)
    }

    pub fn check_along(&mut self, condition: Condition) {
        self.along = Some(Along::Check(condition));
    }

    pub fn is_settled(&self) -> bool {
        self.along.is_none()
    }

    pub async fn settle(&mut self) -> Result<()> {
        match self.along.take() {
            None => Ok(()),
            Some(Along::Begin) => self.begin().await,
            Some(Along::Check(condition)) => {
                let found = self.rows(&translated(condition.sql), &condition.params(&[])).await?;
                if found.is_empty() { Err(condition.refuse()) } else { Ok(()) }
            }
        }
    }

    pub async fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut (impl FnMut(&Row<'_>) -> Result<bool> + Send),
    ) -> Result<()> {
        let text = translated(sql);
        let rows = match self.along.take() {
            Some(Along::Check(condition)) if !self.has_citus() => {
                let rows = self.rows(&condition.text(&text, params.len()), &condition.params(params)).await?;
                return condition.each(&rows, each);
            }
            Some(Along::Check(condition)) => self.rows_if(condition, &text, params).await?,
            along => {
                self.along = along;
                self.settle().await?;
                self.rows(&text, params).await?
            }
        };
        for row in &rows {
            if !each(&Row::Postgres(row, row.len()))? {
                break;
            }
        }
        Ok(())
    }

    async fn rows(&mut self, text: &Arc<str>, params: &[Param<'_>]) -> Result<Vec<PgRow>> {
        let (text, alone) = (self.marked(Arc::clone(text)), self.alone());
        let (client, watch) = self.line()?;
        let bound = bound(params);
        let asked = async {
            let statement = client.prepare_cached(&text).await?;
            client.within(alone.as_deref(), client.query(&statement, &bound)).await
        };
        watch.over(asked).await
    }

    /// The rows of a query under a condition, as two statements that travel together: keys are on another machine than the
    /// lists. The condition runs first, and without its row nothing of the other's answer is used.
    async fn rows_if(&mut self, condition: Condition, text: &Arc<str>, params: &[Param<'_>]) -> Result<Vec<PgRow>> {
        let (check, text) = (self.marked(translated(condition.sql)), self.marked(Arc::clone(text)));
        let alone = self.alone();
        let (client, watch) = self.line()?;
        let of_check = condition.params(&[]);
        let (of_check, bound) = (bound(&of_check), bound(params));
        let (found, rows) = watch
            .over(async {
                let (check, statement) = (client.prepare_cached(&check).await?, client.prepare_cached(&text).await?);
                let both = try_join(client.query(&check, &of_check), client.query(&statement, &bound));
                client.within(alone.as_deref(), both).await
            })
            .await?;
        if found.is_empty() { Err(condition.refuse()) } else { Ok(rows) }
    }

    pub async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        self.settle().await?;
        let (text, alone) = (self.marked(translated(sql)), self.alone());
        let (client, watch) = self.line()?;
        let bound = bound(params);
        watch
            .over(async {
                let statement = client.prepare_cached(&text).await?;
                client.within(alone.as_deref(), client.execute(&statement, &bound)).await
            })
            .await
    }

    pub async fn batch(&mut self, sql: &str) -> Result<()> {
        self.settle().await?;
        let (client, watch) = self.line()?;
        watch.over(client.batch_execute(sql)).await
    }

    pub async fn begin(&mut self) -> Result<()> {
        // The flag is set before `BEGIN` and cleared after `COMMIT`, so that a connection whose state is uncertain
        // never returns to the pool.
        self.in_transaction = true;
        let begin = self.begin_text();
        let (client, watch) = self.line()?;
        watch.over(client.batch_execute(&begin)).await.map_err(cannot_begin)
    }

    /// Begins a transaction with the next statement, which saves a wait for the database.
    pub fn begin_with_next(&mut self) {
        self.in_transaction = true;
        self.along = Some(Along::Begin);
    }

    pub async fn commit(&mut self) -> Result<()> {
        self.batch("COMMIT").await?;
        self.in_transaction = false;
        Ok(())
    }

    pub async fn roll_back(&mut self) -> Result<()> {
        if self.watch.is_lost() {
            // Nobody answers. The connection is closed with the session, which undoes the work.
            return Ok(());
        }
        self.batch("ROLLBACK").await?;
        self.in_transaction = false;
        Ok(())
    }

    pub async fn lock_schema(&mut self) -> Result<()> {
        self.batch(&format!("SELECT pg_advisory_xact_lock({SCHEMA_LOCK})")).await
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.in_transaction && !self.watch.is_unanswered() {
            return;
        }
        if let Some(Held::Pooled(object)) = self.client.take() {
            if let Some(asked) = self.watch.missed() {
                close_idle(&object, asked);
            }
            drop(Object::take(object));
        }
    }
}

/// Closes the idle connections that nobody has used since this time. What silenced one connection, a firewall that
/// forgot or a lost machine, has probably silenced them too, and each would cost somebody a deadline.
fn close_idle(silent: &Object, since: Instant) {
    let Some(pool) = Object::pool(silent) else { return };
    let closed = pool.retain(|_, metrics| metrics.recycled.unwrap_or(metrics.created) > since).removed.len();
    tracing::warn!(closed, "a connection to PostgreSQL does not answer; it is closed, and so are idle ones");
}

/// Parameters as the driver takes them.
pub(super) fn bound<'p>(params: &'p [Param<'_>]) -> Vec<&'p (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}
