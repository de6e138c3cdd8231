//! Where people are who have entered: inside, in which zone, or outside. No feed shows it, so the ticket's `updated_at` and
//! document stay as they are.

use taquilla_domain::{clock::Stamp, status::Category};

use crate::{
    Conn, Move, Result, Tenant, Write,
    engine::sql::{Param, Row, params},
};

/// Where somebody is who has entered with a ticket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// Whether they went out, and may come in again.
    pub is_outside: bool,
    /// When they last went out or came back, or their entry was taken back.
    pub passed_at: Option<Stamp>,
    /// The zone of the door they last came in by; empty is the place as a whole.
    pub zone: String,
}

impl Whereabouts {
    /// Reads the columns `outside`, `passed_at` and `zone`; `first` is the number of the first one.
    pub(super) fn read(row: &Row<'_>, first: usize) -> Result<Self> {
        let (is_outside, passed_at) = (row.flag(first)?, row.opt_stamp(first + 1)?);
        Ok(Self { is_outside, passed_at, zone: row.text(first + 2)?.to_owned() })
    }
}

/// Writes where those are who have entered with tickets, by the tickets' ids.
pub fn write<'a>(tx: &Move, moved: impl Iterator<Item = (&'a str, &'a Whereabouts)>) -> Write<'a> {
    let tenant = tx.tenant();
    let set = |(id, Whereabouts { is_outside, passed_at, zone }): (&'a str, &'a Whereabouts)| -> Vec<Param<'a>> {
        vec![tenant.number().into(), id.into(), (*is_outside).into(), (*passed_at).into(), zone.into()]
    };
    Write::new(WRITE, moved.map(set).collect())
}

/// The statement of [`write()`] for one ticket.
pub const WRITE: &str = "UPDATE tickets SET outside = ?3, passed_at = ?4, zone = ?5 WHERE producer_id = ?1 AND id = ?2";

/// Hands over the listed tickets of people who are outside now, the last to go first: id, ticket type and its category.
pub async fn outside(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    limit: usize,
    mut each: impl FnMut(&str, &str, Category) + Send,
) -> Result<()> {
    conn.query(OUTSIDE, params![tenant.number(), event_id, limit as i64], |row| {
        each(row.text(0)?, row.text(1)?, row.named(2, Category::parse)?);
        Ok(())
    })
    .await
}

/// The query of [`outside`].
pub const OUTSIDE: &str = "SELECT t.id, t.ticket_type_id, (SELECT y.category FROM ticket_types y \
     WHERE y.producer_id = ?1 AND y.id = t.ticket_type_id) FROM tickets t INDEXED BY tickets_outside \
     WHERE t.producer_id = ?1 AND t.event_id = ?2 AND t.outside = 1 AND t.hidden = 0 ORDER BY t.passed_at DESC LIMIT ?3";
