//! SQL that both engines understand, with `?N` as SQLite writes parameters.

use super::batch::{Clear, Queue};
use crate::schema::{TABLES, TICKET_TYPES, TICKETS, Table};

/// A parameter.
#[derive(Clone, Debug)]
pub enum Param {
    Text(String),
    Integer(i64),
}

pub type Statement = (String, Vec<Param>);

/// What deletes rows with what belongs to them.
pub fn clear(clear: &Clear) -> Vec<Statement> {
    match clear {
        Clear::NotSeenSince(name, traversal) => {
            let table = TABLES.into_iter().find(|table| table.name == *name);
            table.map_or_else(Vec::new, |table| delete(table, "sync_traversal < ?1", &[Param::Integer(*traversal)]))
        }
        Clear::TypesOf(event_id) => delete(&TICKET_TYPES, "event_id = ?1", &[Param::Text(event_id.clone())]),
        Clear::TypesOfNoEvent => delete(&TICKET_TYPES, "event_id NOT IN (SELECT id FROM events)", &[]),
        Clear::Hidden => delete(
            &TICKETS,
            "id IN (SELECT id FROM sync_queue WHERE what = ?1)",
            &[Param::Text(Queue::Hidden.as_str().to_owned())],
        ),
        Clear::KnownHidden => vec![(
            "DELETE FROM sync_queue WHERE what = ?1".to_owned(),
            vec![Param::Text(Queue::Hidden.as_str().to_owned())],
        )],
    }
}

fn delete(table: &Table, condition: &str, params: &[Param]) -> Vec<Statement> {
    let name = table.name;
    let children = table.children.map(|child| {
        let key = child.columns.first().map_or("", |column| column.name);
        format!("DELETE FROM {} WHERE {key} IN (SELECT id FROM {name} WHERE {condition})", child.name)
    });
    let own = format!("DELETE FROM {name} WHERE {condition}");
    children.into_iter().chain([own]).map(|sql| (sql, params.to_vec())).collect()
}

/// How many orders there are at least, judging by the tickets.
pub fn orders_of_tickets() -> String {
    format!("SELECT count(DISTINCT order_id) FROM {}", TICKETS.name)
}

/// The columns of a table as a list.
pub fn columns(table: &Table) -> String {
    table.names().collect::<Vec<_>>().join(", ")
}

/// What happens where the key is there already.
pub fn on_conflict(table: &Table, with_traversal: bool) -> String {
    let others = table.names().skip(table.key).chain(with_traversal.then_some("sync_traversal"));
    let set: Vec<String> = others.map(|name| format!("{name} = excluded.{name}")).collect();
    format!("ON CONFLICT ({}) DO UPDATE SET {}", table.key_names().join(", "), set.join(", "))
}

/// The order in which children are read.
pub const BY_POSITION: &str = "position";

/// Puts something on the list of what is to be read again.
pub const ENQUEUE: &str = "INSERT INTO sync_queue (what, id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
pub const DEQUEUE: &str = "DELETE FROM sync_queue WHERE what = ?1 AND id = ?2";
pub const REMEMBER: &str =
    "INSERT INTO sync_state (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
pub const QUEUED: &str = "SELECT id FROM sync_queue WHERE what = ?1 ORDER BY id LIMIT 100";

/// The statement as PostgreSQL writes parameters.
pub fn for_postgres(sql: &str) -> String {
    sql.replace('?', "$")
}

/// The tables that a mirror cannot share a place with.
pub fn ours() -> impl Iterator<Item = &'static str> {
    TABLES.into_iter().flat_map(|table| [Some(table), table.children]).flatten().map(|table| table.name)
}
