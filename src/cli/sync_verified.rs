//! What `taquilla sync --verify` prints.

use anyhow::bail;
use indicatif::HumanCount;
use serde::Serialize;

use taquilla_sync::{TableVerified, Verified, Why};

use super::output::{Column, Output};

#[derive(Serialize)]
struct VerifiedOutput<'a> {
    tables: Vec<TableOutput>,
    /// How many differences there are. The first thousand are named.
    count: u64,
    differences: Vec<DifferenceOutput<'a>>,
}

#[derive(Serialize)]
struct TableOutput {
    table: &'static str,
    mirror: SideOutput,
    server: SideOutput,
    behind: u64,
}

#[derive(Serialize)]
struct SideOutput {
    rows: u64,
    digest: String,
}

#[derive(Serialize)]
struct DifferenceOutput<'a> {
    table: &'a str,
    id: &'a str,
    why: &'static str,
    columns: &'a [&'static str],
}

/// Shows what a comparison found. It is an error if something differs.
pub fn show(verified: &Verified, output: &Output) -> anyhow::Result<()> {
    if output.json {
        let tables = verified.tables.iter().map(table).collect();
        let differences = verified.differences.iter().map(|found| DifferenceOutput {
            table: &found.table,
            id: &found.id,
            why: why(&found.why),
            columns: if let Why::Differs(columns) = &found.why { columns } else { &[] },
        });
        output.one(&VerifiedOutput { tables, count: verified.count, differences: differences.collect() }, &[])?;
    } else {
        let columns =
            ["table", "mirror", "server", "digest of the mirror", "digest of the server", "behind"].map(Column::Fact);
        let wide = Output { wide: true, ..*output };
        wide.list(&verified.tables, &columns, &[], table, |table| {
            let count = |number: u64| HumanCount(number).to_string();
            let (here, there) = (digest(table.digest_here), digest(table.digest_there));
            vec![table.table.to_owned(), count(table.here), count(table.there), here, there, count(table.behind)]
        })?;
        if !verified.differences.is_empty() {
            let columns = [Column::Fact("table"), Column::Id("id"), Column::Text("what differs")];
            wide.list(
                &verified.differences,
                &columns,
                &[],
                |_| (),
                |found| {
                    let what = match &found.why {
                        Why::Differs(columns) => columns.join(", "),
                        other => why(other).to_owned(),
                    };
                    vec![found.table.clone(), found.id.clone(), what]
                },
            )?;
        }
    }
    let behind: u64 = verified.tables.iter().map(|table| table.behind).sum();
    if behind > 0 {
        eprintln!(
            "Rows that changed on the server since the last sync, and were not compared: {}.",
            HumanCount(behind)
        );
    }
    match verified.count {
        0 => Ok(()),
        count => bail!("rows that differ: {}; a sync with --full-every 0 reads everything again", HumanCount(count)),
    }
}

fn table(table: &TableVerified) -> TableOutput {
    let side = |rows, sum| SideOutput { rows, digest: digest(sum) };
    TableOutput {
        table: table.table,
        mirror: side(table.here, table.digest_here),
        server: side(table.there, table.digest_there),
        behind: table.behind,
    }
}

fn digest(sum: u128) -> String {
    format!("{sum:032x}")
}

fn why(why: &Why) -> &'static str {
    match why {
        Why::Differs(_) => "differs",
        Why::Missing => "not in the mirror",
        Why::Gone => "not listed by the server",
        Why::Spoilt => "the file is not what was written, from here on",
    }
}
