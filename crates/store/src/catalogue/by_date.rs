//! Events in the order in which people look for them: those that are on or come, soonest first; then those without a date;
//! then those that are over, latest first.

use std::sync::LazyLock;

use taquilla_domain::{clock::Stamp, event::KeptEvent, named};

use super::events::{self, COLUMNS};
use crate::{Conn, Result, Tenant, engine::sql::Param};

named! {
    /// A stretch of the list.
    Stretch {
        /// Events that are on or come.
        Coming = "coming",
        /// Events without a date.
        Undated = "undated",
        /// Events that are over.
        Over = "over",
    }
}

/// A place in the list: after this event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The stretch.
    pub stretch: Stretch,
    /// When the event begins; any moment where it has no date.
    pub starts_at: Stamp,
    /// Its id.
    pub id: String,
}

impl Place {
    /// Before all events, where those are over that began before this moment.
    pub fn first(over: Stamp) -> Self {
        Self { stretch: Stretch::Coming, starts_at: over, id: String::new() }
    }
}

/// So many events after a place, and the place after the last of them, if there may be more. Those are over that began
/// before `over`.
pub async fn page(
    conn: &mut Conn,
    tenant: Tenant,
    from: &Place,
    over: Stamp,
    limit: usize,
) -> Result<(Vec<KeptEvent>, Option<Place>)> {
    let mut found: Vec<KeptEvent> = Vec::new();
    let mut place = from.clone();
    loop {
        // One more than is shown says whether there are more.
        let some = along(conn, tenant, &place, over, limit - found.len() + 1).await?;
        for event in some {
            if found.len() == limit {
                return Ok((found, Some(place)));
            }
            place.starts_at = event.starts_at.unwrap_or(Stamp::BEGINNING);
            place.id.clone_from(&event.id);
            found.push(event);
        }
        let (stretch, starts_at) = match place.stretch {
            Stretch::Coming => (Stretch::Undated, Stamp::BEGINNING),
            Stretch::Undated => (Stretch::Over, over),
            Stretch::Over => return Ok((found, None)),
        };
        place = Place { stretch, starts_at, id: String::new() };
    }
}

/// The next events of a stretch.
async fn along(conn: &mut Conn, tenant: Tenant, place: &Place, over: Stamp, limit: usize) -> Result<Vec<KeptEvent>> {
    let (producer, id, limit) = (Param::from(tenant.number()), Param::from(&place.id), Param::from(limit as i64));
    let (sql, values) = match place.stretch {
        Stretch::Coming => (&COMING, vec![producer, place.starts_at.max(over).into(), id, limit]),
        Stretch::Undated => (&UNDATED, vec![producer, id, limit]),
        Stretch::Over => (&OVER, vec![producer, place.starts_at.min(over).into(), id, limit]),
    };
    conn.collect(sql, &values, |row| Ok(events::read(row, 0)?.kept())).await
}

/// The query of [`Stretch::Coming`].
pub static COMING: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM events t WHERE t.producer_id = ?1 AND t.starts_at >= ?2 \
         AND (t.starts_at > ?2 OR t.id > ?3) ORDER BY t.starts_at, t.id LIMIT ?4"
    )
});

/// The query of [`Stretch::Undated`].
pub static UNDATED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM events t WHERE t.producer_id = ?1 AND t.starts_at IS NULL AND t.id > ?2 \
         ORDER BY t.id LIMIT ?3"
    )
});

/// The query of [`Stretch::Over`].
pub static OVER: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS} FROM events t WHERE t.producer_id = ?1 AND t.starts_at <= ?2 \
         AND (t.starts_at < ?2 OR t.id < ?3) ORDER BY t.starts_at DESC, t.id DESC LIMIT ?4"
    )
});
