//! What lists are narrowed down by, and where their pages begin.

use taquilla_domain::{clock::Stamp, config::EVENTS_OFFERED, status::EventStatus};
use taquilla_store::{
    Conn, Result, Tenant,
    catalogue::events::{self, EVENTS},
    lists::{self, Position},
};

/// An event to choose.
#[derive(Clone, Debug)]
pub struct Offered {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: EventStatus,
    /// When it begins.
    pub starts_at: Option<Stamp>,
}

/// The newest events, and the one that was chosen if it is older.
pub async fn offered(conn: &mut Conn, tenant: Tenant, chosen: Option<&str>) -> Result<Vec<Offered>> {
    let shape = |event: taquilla_domain::event::Event<'_>| Offered {
        id: event.id.to_owned(),
        name: event.name.to_owned(),
        status: event.status,
        starts_at: event.starts_at,
    };
    let mut offered = Vec::new();
    let start = Position::above(Stamp::END);
    lists::page(conn, tenant, &EVENTS, &events::filter(None), start, EVENTS_OFFERED, |row| {
        offered.push(shape(events::listed(row)?));
        Ok(())
    })
    .await?;
    if let Some(id) = chosen.filter(|id| !offered.iter().any(|event| event.id == *id)) {
        offered.extend(events::find(conn, tenant, id, shape).await?);
    }
    Ok(offered)
}

/// A place in a list as it stands in an address: the stamp in microseconds, and the seq.
pub fn written(place: Position) -> String {
    format!("{}-{}", place.stamp.micros(), place.seq)
}

/// Reads a place in a list.
pub fn place(text: &str) -> Option<Position> {
    let (stamp, seq) = text.rsplit_once('-')?;
    let place = Position { stamp: Stamp::from_micros(stamp.parse().ok()?), seq: seq.parse().ok()? };
    // A place has one spelling.
    (written(place) == text).then_some(place)
}

/// The query of a list: what it is narrowed down by.
pub fn query(given: &[(&str, Option<&str>)]) -> String {
    serializer(given).finish()
}

/// The query of the next page: what the list is narrowed down by, and where it begins.
pub fn next(given: &[(&str, Option<&str>)], place: Position) -> String {
    serializer(given).append_pair("before", &written(place)).finish()
}

fn serializer<'a>(given: &[(&str, Option<&str>)]) -> url::form_urlencoded::Serializer<'a, String> {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(given.iter().filter_map(|(name, value)| Some((name, (*value)?))));
    query
}
