//! One statement for many sets of parameters.
//!
//! A statement is written for one set, with `?N`. SQLite runs it once for each set. PostgreSQL gets all sets at once, as
//! an array for each parameter, and runs one statement over the rows of these arrays: each row of `given` is a set.
//!
//! The planner must look each row up by its key, even with the statistics of an empty database, whose plan is kept
//! while the tables grow. A condition that is always true sees to it, and `plans::a_group_finds_every_row_by_its_key`
//! checks it.

use tokio_postgres::types::ToSql;

use super::super::sql::Param;

/// The rows of the arrays. The planner guesses that there are ten, and on a small table it would then rather read all of
/// the table than look up ten rows, and would go on to do so until the table, grown, is analysed. [`FEW`] makes it guess
/// one, and looking up one row is never dearer, except in a table of at most one row.
fn given(params: &[Param<'_>]) -> String {
    let kinds: Vec<String> = params
        .iter()
        .enumerate()
        .map(|(at, param)| match param {
            Param::Int(_) => format!("${}::bigint[]", at + 1),
            Param::Text(_) => format!("${}::text[]", at + 1),
        })
        .collect();
    let names: Vec<String> = (1..=params.len()).map(|number| format!("p{number}")).collect();
    format!("unnest({}) WITH ORDINALITY AS given({}, at)", kinds.join(", "), names.join(", "))
}

/// A condition that is true of every set. The planner takes it for one that is seldom true.
const FEW: &str = "given.at + 0 = given.at";

/// The statement over all sets. `params` are those of one set; all sets have the same kinds in the same order.
///
/// A query's rows come with the number of their set as the last column. Sets that a statement changes rows by must name
/// different rows.
pub fn statement(sql: &str, params: &[Param<'_>]) -> String {
    let given = given(params);
    // Subqueries with an offset are planned by themselves: for each set, as the statement is planned for one.
    let each = |query: &str| format!("FROM {given} CROSS JOIN LATERAL ({query} OFFSET 0) found");
    let over = if sql.starts_with("SELECT ") {
        format!("SELECT found.*, given.at {}", each(sql))
    } else if let Some((head, values)) = sql.split_once(" VALUES (") {
        let end = closing(values);
        format!("{head} SELECT {} FROM {given}{}", &values[..end], &values[end + 1..])
    } else if let Some((head, query)) = sql.strip_prefix("INSERT ").and_then(|rest| rest.split_once(" SELECT ")) {
        format!("INSERT {head} SELECT found.* {}", each(&format!("SELECT {query}")))
    } else {
        let (head, condition) = sql.split_once(" WHERE ").unwrap_or((sql, "1 = 1"));
        let joined = if sql.starts_with("DELETE ") { "USING" } else { "FROM" };
        format!("{head} {joined} {given} WHERE {FEW} AND {condition}")
    };
    over.replace('?', "given.p")
}

/// Where the parenthesis ends that was opened before this text.
fn closing(text: &str) -> usize {
    let mut open = 1;
    let end = text.bytes().position(|byte| {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        open == 0
    });
    end.unwrap_or(text.len())
}

/// The parameters of all sets, one array for each parameter.
pub type Columns<'p> = Vec<Box<dyn ToSql + Sync + Send + 'p>>;

/// See [`Columns`].
pub fn columns<'p>(sets: &'p [Vec<Param<'_>>]) -> Columns<'p> {
    let Some(first) = sets.first() else { return Vec::new() };
    let column = |at: usize| -> Box<dyn ToSql + Sync + Send + 'p> {
        match first[at] {
            Param::Int(_) => Box::new(sets.iter().map(|set| set.get(at)?.int()).collect::<Vec<Option<i64>>>()),
            Param::Text(_) => Box::new(sets.iter().map(|set| set.get(at)?.text()).collect::<Vec<Option<&str>>>()),
        }
    };
    (0..first.len()).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_statement_is_written_for_all_sets() {
        let params = [Param::Int(Some(1)), Param::Text(Some("a"))];
        let given = "unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS given(p1, p2, at)";
        let over = |sql: &str| statement(sql, &params).replace(given, "GIVEN");
        assert_eq!(
            over("SELECT a FROM t WHERE b = ?1 AND c = ?2 ORDER BY d LIMIT 3"),
            "SELECT found.*, given.at FROM GIVEN CROSS JOIN LATERAL \
             (SELECT a FROM t WHERE b = given.p1 AND c = given.p2 ORDER BY d LIMIT 3 OFFSET 0) found"
        );
        assert_eq!(
            over("INSERT INTO t (a, b, c) VALUES (?1, lower(?2), 'x') ON CONFLICT DO NOTHING"),
            "INSERT INTO t (a, b, c) SELECT given.p1, lower(given.p2), 'x' FROM GIVEN ON CONFLICT DO NOTHING"
        );
        assert_eq!(
            over("INSERT INTO t (a) SELECT u.a FROM u WHERE u.b = ?2"),
            "INSERT INTO t (a) SELECT found.* FROM GIVEN CROSS JOIN LATERAL \
             (SELECT u.a FROM u WHERE u.b = given.p2 OFFSET 0) found"
        );
        assert_eq!(
            over("UPDATE t SET a = CASE WHEN ?1 > 0 THEN ?2 ELSE a END WHERE b = ?1"),
            "UPDATE t SET a = CASE WHEN given.p1 > 0 THEN given.p2 ELSE a END FROM GIVEN \
             WHERE given.at + 0 = given.at AND b = given.p1"
        );
        assert_eq!(
            over("DELETE FROM t WHERE a = ?1 AND b = ?2"),
            "DELETE FROM t USING GIVEN WHERE given.at + 0 = given.at AND a = given.p1 AND b = given.p2"
        );
    }
}
