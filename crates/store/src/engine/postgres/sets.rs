//! One statement for many sets of parameters.
//!
//! A statement is written for one set, with `?N`. SQLite runs it once for each set. PostgreSQL gets all sets at once, as an
//! array for each parameter, and runs one statement over the rows of these arrays: each row of `given` is a set.
//!
//! The planner must look each row up by its key, even with the statistics of an empty database, whose plan is kept
//! while the tables grow. A condition that is always true sees to it, and `plans::a_group_finds_every_row_by_its_key`
//! checks it.
//!
//! Where tables are spread over machines ([`Form::Spread`]), the statement goes to the one that has the producer's rows. So the
//! producer, which is the first parameter and the same in all sets, is one number that every table is compared with, and an insert
//! selects from the producer's row in `clocks`. One machine gets arrays only: with a single number, the plan of an empty table reads
//! all rows of a producer, and is kept. Citus plans anew each time.

use tokio_postgres::types::ToSql;

use super::super::{
    error::{Error, Result},
    sql::Param,
};
use crate::tables;

/// Where the tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// On one machine.
    OneMachine,
    /// Spread over the workers of a Citus cluster.
    Spread,
}

impl Form {
    /// How many parameters stay as they are.
    fn single(self) -> usize {
        match self {
            Self::OneMachine => 0,
            Self::Spread => 1,
        }
    }
}

/// The rows of the arrays. The planner guesses that there are ten, and on a small table it would then rather read all of
/// the table than look up ten rows, and would go on to do so until the table, grown, is analysed. [`FEW`] makes it guess
/// one, and looking up one row is never dearer, except in a table of at most one row.
fn given(params: &[Param<'_>], form: Form) -> String {
    let kinds: Vec<String> = params
        .iter()
        .enumerate()
        .skip(form.single())
        .map(|(at, param)| match param {
            Param::Int(_) => format!("${}::bigint[]", at + 1),
            Param::Text(_) => format!("${}::text[]", at + 1),
        })
        .collect();
    let names: Vec<String> = (form.single() + 1..=params.len()).map(|number| format!("p{number}")).collect();
    format!("unnest({}) WITH ORDINALITY AS given({}, at)", kinds.join(", "), names.join(", "))
}

/// A condition that is true of every set. The planner takes it for one that is seldom true.
const FEW: &str = "given.at + 0 = given.at";

/// The statement over all sets. `params` are those of one set: the producer and at least one more, of the same kinds in the
/// same order in all sets.
///
/// A query's rows come with the number of their set as the last column. Sets that a statement changes rows by must name
/// different rows.
pub fn statement(sql: &str, params: &[Param<'_>], form: Form) -> String {
    let given = given(params, form);
    let over = if sql.starts_with("SELECT ") {
        // Subqueries with an offset are planned by themselves: for each set, as the statement is planned for one.
        format!("SELECT found.*, given.at FROM {given} CROSS JOIN LATERAL ({sql} OFFSET 0) found")
    } else if let Some((head, values)) = sql.split_once(" VALUES (?1, ") {
        let end = closing(values);
        let (values, rest) = (&values[..end], &values[end + 1..]);
        let table = head.strip_prefix("INSERT INTO ").and_then(|head| head.split(' ').next()).unwrap_or_default();
        if form == Form::Spread && tables::is_spread(table) {
            format!(
                "{head} SELECT clocks.producer_id, {values} FROM clocks, {given} WHERE clocks.producer_id = ?1{rest}"
            )
        } else {
            format!("{head} SELECT CAST(?1 AS BIGINT), {values} FROM {given}{rest}")
        }
    } else {
        let (head, condition) = sql.split_once(" WHERE ").unwrap_or((sql, "1 = 1"));
        let joined = if sql.starts_with("DELETE ") {
            " USING "
        } else if sql.starts_with("UPDATE ") {
            " FROM "
        } else {
            // An insert that selects from a table.
            ", "
        };
        format!("{head}{joined}{given} WHERE {FEW} AND {condition}")
    };
    numbered(&over, form)
}

/// The statement with `$1` for a producer that stays as it is, and `given.pN` for the others.
fn numbered(sql: &str, form: Form) -> String {
    let mut pieces = sql.split('?');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_first = piece.starts_with('1') && !piece[1..].starts_with(|next: char| next.is_ascii_digit());
        text.push_str(if is_first && form == Form::Spread { "$" } else { "given.p" });
        text.push_str(piece);
    }
    text
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

/// The parameters of all sets: an array for each, or the producer itself and an array for each other.
pub type Columns<'p> = Vec<Box<dyn ToSql + Sync + Send + 'p>>;

/// See [`Columns`].
pub fn columns<'p>(sets: &'p [Vec<Param<'_>>], form: Form) -> Result<Columns<'p>> {
    let Some(first) = sets.first() else { return Ok(Vec::new()) };
    let producer = first[0].int();
    if first.len() < 2 || producer.is_none() || sets.iter().any(|set| set[0].int() != producer) {
        return Err(Error::internal("sets of parameters that are not of one producer"));
    }
    let column = |at: usize| -> Box<dyn ToSql + Sync + Send + 'p> {
        match first[at] {
            Param::Int(_) => Box::new(sets.iter().map(|set| set.get(at)?.int()).collect::<Vec<Option<i64>>>()),
            Param::Text(_) => Box::new(sets.iter().map(|set| set.get(at)?.text()).collect::<Vec<Option<&str>>>()),
        }
    };
    let single = form.single();
    let mut columns: Columns<'p> = Vec::with_capacity(first.len());
    columns.extend((0..single).map(|_| -> Box<dyn ToSql + Sync + Send + 'p> { Box::new(producer) }));
    columns.extend((single..first.len()).map(column));
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_statement_is_written_for_all_sets() {
        let params = [Param::Int(Some(1)), Param::Text(Some("a")), Param::Int(Some(1))];
        let given = "unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS given(p2, p3, at)";
        let over = |sql: &str| statement(sql, &params, Form::Spread).replace(given, "GIVEN");
        assert_eq!(
            over("SELECT a FROM t WHERE b = ?1 AND c = ?2 ORDER BY d LIMIT 3"),
            "SELECT found.*, given.at FROM GIVEN CROSS JOIN LATERAL \
             (SELECT a FROM t WHERE b = $1 AND c = given.p2 ORDER BY d LIMIT 3 OFFSET 0) found"
        );
        assert_eq!(
            over("INSERT INTO orders (producer_id, b, c) VALUES (?1, lower(?2), ?3) ON CONFLICT DO NOTHING"),
            "INSERT INTO orders (producer_id, b, c) SELECT clocks.producer_id, lower(given.p2), given.p3 \
             FROM clocks, GIVEN WHERE clocks.producer_id = $1 ON CONFLICT DO NOTHING"
        );
        assert_eq!(
            over("INSERT INTO work (producer_id, b, c) VALUES (?1, ?2, 'x')"),
            "INSERT INTO work (producer_id, b, c) SELECT CAST($1 AS BIGINT), given.p2, 'x' FROM GIVEN"
        );
        assert_eq!(
            over("INSERT INTO t (a) SELECT u.a FROM u WHERE u.b = ?1 AND u.c = ?2"),
            "INSERT INTO t (a) SELECT u.a FROM u, GIVEN WHERE given.at + 0 = given.at AND u.b = $1 AND u.c = given.p2"
        );
        assert_eq!(
            over("UPDATE t SET a = CASE WHEN ?3 > 0 THEN ?2 ELSE a END WHERE b = ?1"),
            "UPDATE t SET a = CASE WHEN given.p3 > 0 THEN given.p2 ELSE a END FROM GIVEN \
             WHERE given.at + 0 = given.at AND b = $1"
        );
        assert_eq!(
            over("DELETE FROM t WHERE a = ?1 AND b = ?2"),
            "DELETE FROM t USING GIVEN WHERE given.at + 0 = given.at AND a = $1 AND b = given.p2"
        );
        assert_eq!(numbered("?1 ?10 ?12", Form::Spread), "$1 given.p10 given.p12");
        let given = "unnest($1::bigint[], $2::text[], $3::bigint[]) WITH ORDINALITY AS given(p1, p2, p3, at)";
        let over = |sql: &str| statement(sql, &params, Form::OneMachine).replace(given, "GIVEN");
        assert_eq!(
            over("INSERT INTO orders (producer_id, b, c) VALUES (?1, lower(?2), ?3) ON CONFLICT DO NOTHING"),
            "INSERT INTO orders (producer_id, b, c) SELECT CAST(given.p1 AS BIGINT), lower(given.p2), given.p3 FROM GIVEN \
             ON CONFLICT DO NOTHING"
        );
        assert_eq!(
            over("DELETE FROM t WHERE a = ?1 AND b = ?2"),
            "DELETE FROM t USING GIVEN WHERE given.at + 0 = given.at AND a = given.p1 AND b = given.p2"
        );
    }

    #[test]
    fn sets_of_two_producers_are_refused() {
        let set = |producer: i64| vec![Param::from(producer), Param::from("a")];
        for form in [Form::OneMachine, Form::Spread] {
            assert_eq!(columns(&[set(1), set(1)], form).unwrap().len(), 2);
            assert!(columns(&[set(1), set(2)], form).is_err());
            assert!(columns(&[vec![Param::from(1)]], form).is_err());
        }
    }
}
