//! What staff did. Rows are only ever added.
//!
//! An entry is written in the transaction of the change, which looks at the authority of whoever makes it
//! ([`authority`]), and each order of a group has its own. Replays, refused
//! attempts and exports, which change nothing that is sold, get theirs in a transaction of its own. Something about a
//! user is written for every producer that the user belongs to, and for none (`producer_id` 0), which is the service.
//! An entry keeps the key of the form that it came with, where one was given, so that a form sent again changes nothing.
//! Secrets are never in it, and of a ticket's id only the last four characters.

use serde_json::{Map, Value};

use taquilla_domain::{
    audit::{Action, By, Details},
    clock::Stamp,
    id,
};

use super::authority;
use crate::{
    Conn, Error, Move, Result, Tenant, Write,
    engine::{
        sql::{Param, Row, params},
        transaction::Transaction,
    },
};

/// The number that stands for no producer. Producers begin at 1.
const NO_PRODUCER: i64 = 0;

const INSERT: &str = "INSERT INTO audit (producer_id, id, at, actor, origin, action, subject, details)";

/// Writes down what somebody does, in the transaction that does it, if they still may. `None` is for what concerns no
/// producer.
pub async fn add(
    tx: &mut Transaction,
    tenant: Option<Tenant>,
    by: &By,
    action: Action,
    subject: &str,
    details: Details<'_>,
) -> Result<()> {
    authority::look(tx, by).await?;
    let (id, details) = (id::new_id("au", by.now), printed(details));
    let number = tenant.map_or(NO_PRODUCER, Tenant::number);
    let form = by.form.as_deref().filter(|_| !tx.form_used);
    let values = params![number, &id, by.now, &by.actor, &by.origin, action.as_str(), subject, &details, form];
    if tx.execute(ADD, values).await? == 0 {
        return Err(Error::FormUsed);
    }
    tx.form_used |= form.is_some();
    Ok(())
}

/// An entry's key is new, so what is there already is its form. One who uses the same form at the same moment is waited for.
const ADD: &str = "INSERT INTO audit (producer_id, id, at, actor, origin, action, subject, details, form) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING";

/// An entry that is written with others.
#[derive(Debug)]
pub struct NewEntry {
    id: String,
    by: By,
    action: Action,
    subject: String,
    details: String,
}

impl NewEntry {
    /// What somebody does, to be written in the transaction that does it.
    pub fn new(by: &By, action: Action, subject: &str, details: Details<'_>) -> Self {
        let (id, details) = (id::new_id("au", by.now), printed(details));
        Self { id, by: by.clone(), action, subject: subject.to_owned(), details }
    }
}

/// Writes down what was done in a move.
pub fn write<'a>(tx: &Move, entries: &'a [NewEntry]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let set = |entry: &'a NewEntry| {
        vec![
            tenant.into(),
            (&entry.id).into(),
            entry.by.now.into(),
            (&entry.by.actor).into(),
            (&entry.by.origin).into(),
            entry.action.as_str().into(),
            (&entry.subject).into(),
            (&entry.details).into(),
            entry.by.work.as_deref().unwrap_or_default().into(),
        ]
    };
    Write::new(OF_MOVE, entries.iter().map(set).collect())
}

const OF_MOVE: &str = "INSERT INTO audit (producer_id, id, at, actor, origin, action, subject, details, work) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

/// Writes down what concerns a user, for every producer that the user belongs to and for the service.
pub async fn add_for_user(
    tx: &mut Transaction,
    user_id: &str,
    by: &By,
    action: Action,
    subject: &str,
    details: Details<'_>,
) -> Result<()> {
    add(tx, None, by, action, subject, details).await?;
    let (id, details) = (id::new_id("au", by.now), printed(details));
    let sql = format!(
        "{INSERT} SELECT producer_id, CAST(?2 AS TEXT), CAST(?3 AS BIGINT), CAST(?4 AS TEXT), CAST(?5 AS TEXT), \
         CAST(?6 AS TEXT), CAST(?7 AS TEXT), CAST(?8 AS TEXT) FROM members WHERE user_id = ?1"
    );
    let values = params![user_id, &id, by.now, &by.actor, &by.origin, action.as_str(), subject, &details];
    tx.execute(&sql, values).await?;
    Ok(())
}

fn printed(details: Details<'_>) -> String {
    let object: Map<String, Value> =
        details.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    Value::Object(object).to_string()
}

/// An entry as it is shown.
#[derive(Debug)]
pub struct Entry {
    /// Its id (`au_…`), which sorts by time.
    pub id: String,
    /// When.
    pub at: Stamp,
    /// Who.
    pub actor: String,
    /// From where.
    pub origin: String,
    /// What.
    pub action: Action,
    /// The id of the thing it was done to.
    pub subject: String,
    /// What changed: names and values.
    pub details: Vec<(String, String)>,
}

fn read(row: &Row<'_>) -> Result<Entry> {
    let details: Map<String, Value> = serde_json::from_str(row.text(6)?).map_err(Error::internal)?;
    let text = |value: Value| value.as_str().map(str::to_owned).unwrap_or_else(|| value.to_string());
    Ok(Entry {
        id: row.text(0)?.to_owned(),
        at: row.stamp(1)?,
        actor: row.text(2)?.to_owned(),
        origin: row.text(3)?.to_owned(),
        action: row.named(4, Action::parse)?,
        subject: row.text(5)?.to_owned(),
        details: details.into_iter().map(|(name, value)| (name, text(value))).collect(),
    })
}

/// By what entries are searched. One filter at a time has an index of its own; the others are compared on the way.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Who did it.
    pub actor: Option<String>,
    /// What was done.
    pub action: Option<Action>,
    /// What it was done to.
    pub subject: Option<String>,
    /// The long work whose moves are asked for. Who asks for no work, action and subject gets none of them: thousands would
    /// hide the rest, and the work's beginning leads to them.
    pub work: Option<String>,
    /// From this id on ([`id_at`]).
    pub from: Option<String>,
    /// Before this id ([`id_at`]).
    pub until: Option<String>,
}

/// The least id of an entry at this time. Ids begin with the time, to the millisecond.
pub fn id_at(at: Stamp) -> String {
    id::first_at("au", at)
}

impl Filter {
    /// The work whose entries are asked for; an empty text is none, and `None` is any.
    fn of_work(&self) -> Option<&str> {
        match &self.work {
            Some(work) => Some(work),
            None if self.action.is_none() && self.subject.is_none() => Some(""),
            None => None,
        }
    }
}

/// Some entries of a producer, or of the service, newest first, older than the one with the id `before`.
pub async fn list(
    conn: &mut Conn,
    tenant: Option<Tenant>,
    filter: &Filter,
    before: Option<&str>,
    limit: i64,
) -> Result<Vec<Entry>> {
    let (sql, values) = statement(tenant, filter, before, limit);
    conn.collect(&sql, &values, read).await
}

/// The query of [`list`].
pub fn statement<'a>(
    tenant: Option<Tenant>,
    filter: &'a Filter,
    before: Option<&'a str>,
    limit: i64,
) -> (String, Vec<Param<'a>>) {
    // The older of two ends is the one that counts.
    let before = before.into_iter().chain(filter.until.as_deref()).min();
    let conditions: [(&str, Option<&str>); 6] = [
        ("work =", filter.of_work()),
        ("actor =", filter.actor.as_deref()),
        ("action =", filter.action.map(Action::as_str)),
        ("subject =", filter.subject.as_deref()),
        ("id <", before),
        ("id >=", filter.from.as_deref()),
    ];
    let mut sql = "SELECT id, at, actor, origin, action, subject, details FROM audit WHERE producer_id = ?1".to_owned();
    let mut values: Vec<Param<'a>> = vec![tenant.map_or(NO_PRODUCER, Tenant::number).into(), limit.into()];
    for (condition, value) in conditions {
        if let Some(value) = value {
            values.push(value.into());
            sql.push_str(&format!(" AND {condition} ?{}", values.len()));
        }
    }
    sql.push_str(" ORDER BY id DESC LIMIT ?2");
    (sql, values)
}
