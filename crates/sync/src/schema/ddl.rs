//! The statements that make a mirror.

use super::{
    column::{Kind, Table},
    engine::Engine,
    tables::TABLES,
    views::VIEWS,
};

/// What the mirror knows of its own work. `sync_queue` has what is to be read again, and tickets that left the books.
const BOOKS: &str = "CREATE TABLE sync_state (name text NOT NULL PRIMARY KEY, value text NOT NULL){strict};\n\
     CREATE TABLE sync_queue (what text NOT NULL, id text NOT NULL, PRIMARY KEY (what, id)){strict};\n";

/// All statements for an empty database. What columns mean is written where the engine has a place for it: PostgreSQL in its
/// catalogue, SQLite in the text of the table, which `.schema` shows.
pub fn create(engine: Engine) -> String {
    let strict = if engine == Engine::Sqlite { " STRICT" } else { "" };
    let mut sql = BOOKS.replace("{strict}", strict);
    for table in TABLES.iter().flat_map(|table| [Some(*table), table.children]).flatten() {
        sql += &create_table(table, engine, strict);
    }
    for view in &VIEWS {
        match engine {
            // A comment in front of the statement would not be kept.
            Engine::Sqlite => {
                sql += &format!("CREATE VIEW {} AS -- {}\n{};\n", view.name, view.meaning, view.sql(engine));
            }
            Engine::Postgres => {
                sql += &format!("CREATE VIEW {} AS {};\n", view.name, view.sql(engine));
                sql += &format!("COMMENT ON VIEW {} IS {};\n", view.name, quoted(view.meaning));
            }
        }
    }
    sql
}

fn create_table(table: &Table, engine: Engine, strict: &str) -> String {
    let name = table.name;
    let mut columns: Vec<String> = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        let not_null = if at < table.key { " NOT NULL" } else { "" };
        let meaning = if engine == Engine::Sqlite { format!(" -- {}", column.meaning) } else { String::new() };
        // The comma stands before the next column, so that a comment ends its line.
        columns.push(format!("{} {}{not_null}{meaning}\n", column.name, sql_type(column.kind, engine)));
    }
    if TABLES.iter().any(|with_id| with_id.name == name) {
        columns.push(format!("sync_traversal {} NOT NULL\n", sql_type(Kind::Integer, engine)));
    }
    let about = if engine == Engine::Sqlite { format!(" -- {}\n", table.meaning) } else { String::new() };
    let key = table.key_names().join(", ");
    let mut sql = format!("CREATE TABLE {name} ({about}{}, PRIMARY KEY ({key})){strict};\n", columns.join(", "));
    if engine == Engine::Postgres {
        sql += &format!("COMMENT ON TABLE {name} IS {};\n", quoted(table.meaning));
        for column in table.columns {
            sql += &format!("COMMENT ON COLUMN {name}.{} IS {};\n", column.name, quoted(column.meaning));
        }
    }
    sql
}

/// The indexes, which are made once there are rows: that is faster.
pub fn indexes(table: &Table) -> String {
    let all = [Some(table), table.children];
    let of = |table: &Table| {
        let one =
            |column: &&str| format!("CREATE INDEX IF NOT EXISTS {0}_by_{column} ON {0} ({column});\n", table.name);
        table.indexes.iter().map(one).collect::<String>()
    };
    all.into_iter().flatten().map(of).collect()
}

fn sql_type(kind: Kind, engine: Engine) -> &'static str {
    match (kind, engine) {
        (Kind::Text, _) | (Kind::Time, Engine::Sqlite) => "text",
        (Kind::Integer | Kind::Boolean, Engine::Sqlite) => "integer",
        (Kind::Integer, Engine::Postgres) => "bigint",
        (Kind::Boolean, Engine::Postgres) => "boolean",
        (Kind::Time, Engine::Postgres) => "timestamptz",
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
