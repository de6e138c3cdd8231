//! Names and categories of ticket types, remembered by each server to complete tickets' documents.
//!
//! A name is remembered together with the catalogue version that was read before it. The version comes with every row
//! and changes with every new name, so an outdated name is never used, whichever server changed it.

use std::{collections::HashMap, sync::Arc};

use parking_lot::RwLock;

use taquilla_domain::config::TYPE_NAMES_MAX;

use super::documents;
use crate::{Conn, Error, Result, Tenant, catalogue::ticket_types};

/// The names that one server remembers.
#[derive(Default)]
pub struct TypeNames(RwLock<HashMap<Tenant, Arc<Names>>>);

/// The names of one producer's ticket types, all of one version of its catalogue.
#[derive(Clone, Default)]
pub struct Names {
    version: i64,
    types: Vec<Named>,
    /// The index in `types` of each ticket type, by its id as JSON.
    places: HashMap<Box<[u8]>, usize>,
}

/// A ticket type whose name is known.
#[derive(Clone)]
struct Named {
    /// Its id as JSON.
    id: Box<[u8]>,
    /// What fills the hole in the documents of its tickets.
    ending: Box<[u8]>,
}

impl Names {
    /// What fills the hole in a ticket's document, if its ticket type is known. Tickets in a list often follow others
    /// of the same ticket type, so the index of the last hit is tried first.
    pub fn ending(&self, type_id: &[u8], last: &mut usize) -> Option<&[u8]> {
        if self.types.get(*last).is_none_or(|known| *known.id != *type_id) {
            *last = *self.places.get(type_id)?;
        }
        self.types.get(*last).map(|known| &*known.ending)
    }

    fn add(&mut self, new: Named) {
        if !self.places.contains_key(&new.id) {
            self.places.insert(new.id.clone(), self.types.len());
            self.types.push(new);
        }
    }
}

impl TypeNames {
    /// The names known for this version of the producer's catalogue.
    pub fn of(&self, tenant: Tenant, version: i64) -> Arc<Names> {
        match self.0.read().get(&tenant) {
            Some(names) if names.version == version => Arc::clone(names),
            _ => Arc::new(Names { version, ..Names::default() }),
        }
    }

    /// Looks up unknown ticket types, given by their ids as JSON, and returns them together with all that was known.
    /// Must run on the connection that read the version: a name read after its version is at worst newer than the
    /// version says, never older.
    pub async fn learn(
        &self,
        conn: &mut Conn,
        tenant: Tenant,
        known: &Names,
        unknown: &[Box<[u8]>],
    ) -> Result<Arc<Names>> {
        let mut ids: Vec<String> = Vec::with_capacity(unknown.len());
        for json in unknown {
            ids.push(serde_json::from_slice(json).map_err(Error::internal)?);
        }
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let found = ticket_types::summaries(conn, tenant, &ids).await?;
        let mut all = self.0.write();
        // Above the limit the server forgets all names and starts again.
        if all.values().map(|names| names.types.len()).sum::<usize>() > TYPE_NAMES_MAX {
            all.clear();
        }
        // What the caller knows is never lost, or the caller would ask for it again and again. Other requests may have
        // learnt names of the same version meanwhile; those are added.
        let mut names = known.clone();
        if let Some(others) = all.get(&tenant).filter(|names| names.version == known.version) {
            others.types.iter().for_each(|other| names.add(other.clone()));
        }
        for (json, (name, category)) in unknown.iter().zip(found) {
            let ending = documents::ending(&name, category).into_bytes().into();
            names.add(Named { id: json.clone(), ending });
        }
        let names = Arc::new(names);
        if all.get(&tenant).is_none_or(|newest| newest.version <= names.version) {
            all.insert(tenant, Arc::clone(&names));
        }
        Ok(names)
    }
}
