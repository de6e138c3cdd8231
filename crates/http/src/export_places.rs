//! How many exports run at once.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;

use taquilla_domain::config::{EXPORT_RETRY_S, EXPORTS_MAX, EXPORTS_PER_PRODUCER};
use taquilla_store::Tenant;

use super::errors::Error;

/// The exports of a server that run now, by producer.
#[derive(Clone, Default)]
pub struct ExportPlaces(Arc<Mutex<HashMap<i64, usize>>>);

impl ExportPlaces {
    /// Takes a place for an export of a producer.
    pub fn take(&self, tenant: Tenant) -> Result<ExportPlace, Error> {
        let mut running = self.0.lock();
        let all: usize = running.values().sum();
        let own = running.entry(tenant.number()).or_default();
        if all >= EXPORTS_MAX || *own >= EXPORTS_PER_PRODUCER {
            let detail = "As many files as may be taken out at once are on their way. Try again once one is complete.";
            return Err(Error::RateLimited { retry_after_s: EXPORT_RETRY_S, detail, allowance: None });
        }
        *own += 1;
        Ok(ExportPlace { places: self.clone(), tenant })
    }
}

/// A place, which is free again once this is dropped.
pub struct ExportPlace {
    places: ExportPlaces,
    tenant: Tenant,
}

impl Drop for ExportPlace {
    fn drop(&mut self) {
        let mut running = self.places.0.lock();
        if let Some(own) = running.get_mut(&self.tenant.number()) {
            *own -= 1;
            if *own == 0 {
                running.remove(&self.tenant.number());
            }
        }
    }
}
