//! Creating producers.

use crate::{
    domain::{clock::Stamp, id, refusal::Refusal, text::Name},
    store::{ChangeResult, Store, producers},
    transaction,
};

/// Creates a producer and returns its id, which is made here if none is given.
pub async fn create(store: &Store, id: Option<&str>, name: &Name, now: Stamp) -> ChangeResult<String> {
    if id.is_some_and(|id| !id::is_plausible(id)) {
        return Err(Refusal::invalid("id", id::FORM).into());
    }
    let id = id.map_or_else(|| id::new_id("pr", now), str::to_owned);
    transaction!(store.begin_unstamped(), |tx| {
        match producers::insert(tx, &id, name, now).await? {
            true => Ok(id.clone()),
            false => Err(Refusal::IdTaken("producer").into()),
        }
    })
}
