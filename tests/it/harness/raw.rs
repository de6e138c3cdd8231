//! Direct access to the database, for looking at all of it and for breaking it.

use std::collections::BTreeMap;

use tokio_postgres::{NoTls, SimpleQueryMessage};

/// A connection that bypasses the store.
pub enum Raw {
    Sqlite(rusqlite::Connection),
    Postgres(tokio_postgres::Client),
}

impl Raw {
    pub async fn open(address: &str) -> Self {
        match address.strip_prefix("sqlite:") {
            Some(path) => {
                let connection = rusqlite::Connection::open(path).unwrap();
                connection.busy_timeout(super::PATIENCE).unwrap();
                Self::Sqlite(connection)
            }
            None => {
                let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
                tokio::spawn(connection);
                Self::Postgres(client)
            }
        }
    }

    /// Runs statements.
    pub async fn batch(&self, sql: &str) {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(sql).unwrap(),
            Self::Postgres(client) => client.batch_execute(sql).await.unwrap(),
        }
    }

    /// The rows of a query, each value as text; NULL is "NULL".
    pub async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare(sql).unwrap();
                let columns = statement.column_count();
                let rows = statement.query_map([], |row| {
                    (0..columns).map(|column| row.get_ref(column).map(text)).collect::<Result<Vec<_>, _>>()
                });
                rows.unwrap().map(Result::unwrap).collect()
            }
            Self::Postgres(client) => {
                let answer = client.simple_query(sql).await.unwrap();
                let rows = answer.iter().filter_map(|message| match message {
                    SimpleQueryMessage::Row(row) => Some(row),
                    _ => None,
                });
                rows.map(|row| (0..row.len()).map(|at| row.get(at).unwrap_or("NULL").to_owned()).collect()).collect()
            }
        }
    }

    /// Every table with its columns, as the schema has them.
    pub async fn tables(&self) -> BTreeMap<String, Vec<String>> {
        let sql = match self {
            Self::Sqlite(_) => {
                "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c \
                 WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid"
            }
            Self::Postgres(_) => {
                "SELECT table_name, column_name FROM information_schema.columns \
                 WHERE table_schema = current_schema() ORDER BY 1, ordinal_position"
            }
        };
        let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in self.rows(sql).await {
            // Servers write the index of orders and tickets by themselves, when it suits them. Where imports wait is
            // there on PostgreSQL only, and empty. Citus shows what it is doing in views.
            if ["search_", "import_", "citus_"].iter().any(|other| row[0].starts_with(other)) {
                continue;
            }
            tables.entry(row[0].clone()).or_default().push(row[1].clone());
        }
        assert!(tables.len() > 15, "{tables:?}");
        tables
    }

    /// Every row of every table, without the columns named.
    pub async fn contents(&self, except: &[(&str, &str)]) -> BTreeMap<String, Vec<String>> {
        let mut contents = BTreeMap::new();
        for (table, columns) in self.tables().await {
            let kept = columns.iter().filter(|column| !except.contains(&(table.as_str(), column.as_str())));
            let names: Vec<&str> = kept.map(String::as_str).collect();
            let rows = self.rows(&format!("SELECT {} FROM {table}", names.join(", "))).await;
            let mut rows: Vec<String> = rows.into_iter().map(|row| row.join("|")).collect();
            rows.sort();
            contents.insert(table, rows);
        }
        contents
    }
}

fn text(value: rusqlite::types::ValueRef<'_>) -> String {
    use rusqlite::types::ValueRef;
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
        other => panic!("a value that no column should have: {other:?}"),
    }
}
