//! Searching tickets. No index has names in it, so a search goes through the tickets themselves, newest first, a part
//! at a time.

use taquilla_domain::{config::SEARCHED_TOGETHER, words::Words};

use super::listed::Query;
use crate::{
    Conn, Result, Tenant,
    lists::{self, End, FIRST, Position, Source},
};

/// What a search looks at.
pub const SEARCHED: Source = Source {
    table: "tickets",
    columns: "t.id, t.attendee_name, t.attendee_email, t.attendee_document, t.attendee_phone",
    visible: " AND t.hidden = 0",
};

/// Reads the next tickets from a position on, at most [`SEARCHED_TOGETHER`], and gives the ids of those that have all
/// the words in their id or in what is known of the attendee; also how many were read.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    query: &Query,
    words: &Words,
    from: Option<Position>,
) -> Result<(Vec<String>, u64, End)> {
    let (mut found, mut read_rows) = (Vec::new(), 0);
    let (filter, start) = query.filter();
    let end = lists::page(conn, tenant, &SEARCHED, &filter, from.unwrap_or(start), SEARCHED_TOGETHER, |row| {
        read_rows += 1;
        let phone = row.opt_text(FIRST + 4)?.unwrap_or_default();
        let [id, name, email, document] = [0, 1, 2, 3].map(|column| row.text(FIRST + column));
        let id = id?;
        if words.are_in(&[id, name?, email?, document?, phone]) {
            found.push(id.to_owned());
        }
        Ok(())
    })
    .await?;
    Ok((found, read_rows, end))
}
