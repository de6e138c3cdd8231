//! What waits, what runs out and what ends: numbers that somebody should look at before they matter.

use std::path::Path;

use taquilla_domain::clock::Stamp;
use taquilla_store::{backlogs::Backlogs, vitals::Vitals};

use super::gathered::Gathered;
use crate::tls::Certificates;

/// What waits in the service as a whole.
pub fn database(gathered: &mut Gathered<'_>, backlogs: &Backlogs, now: Stamp) {
    gathered.gauge("schema_version", "The version of the database's schema", backlogs.schema as f64);
    gathered.gauge("erasures_open", "Erasures of people that are under way, up to 1,000", backlogs.erasures as f64);
    let age = backlogs.erasure_since.map_or(0, |since| now.micros().saturating_sub(since.micros()).max(0));
    gathered.gauge("erasure_age_seconds", "How long the oldest of them is under way", age as f64 / 1e6);
}

/// What waits at all producers.
pub fn producers(gathered: &mut Gathered<'_>, vitals: &Vitals) {
    let help = "Payments of all producers that have paid for nothing and were not paid back, up to 1,000";
    gathered.gauge("payments_open", help, vitals.open_payments as f64);
    let help = "Messages that wait to be delivered, up to 1,000 of each endpoint";
    gathered.gauge("webhook_undelivered", help, vitals.undelivered as f64);
    let help = "How far the search is behind what was sold, of the producer that is furthest behind";
    gathered.gauge("search_behind_seconds", help, vitals.search_behind_micros as f64 / 1e6);
}

/// Room on the disks below these folders.
pub fn disks(gathered: &mut Gathered<'_>, folders: &[(&'static str, Option<&Path>)]) {
    let free = folders.iter().filter_map(|(of, folder)| {
        let path = folder.as_ref().map(|path| if path.as_os_str().is_empty() { Path::new(".") } else { *path })?;
        let disk = rustix::fs::statvfs(path).ok()?;
        Some((*of, disk.f_bavail.saturating_mul(disk.f_frsize) as f64))
    });
    let free: Vec<_> = free.collect();
    if !free.is_empty() {
        gathered.gauges("disk_free_bytes", "Room on the disk of the SQLite file, and on that of backups", "of", &free);
    }
}

/// The certificates of the server's own https.
pub fn certificate(gathered: &mut Gathered<'_>, certificates: &Certificates) {
    let ends = certificates.ends().map(|at| at.micros() as f64 / 1e6);
    gathered.known(
        "certificate_ends_timestamp_seconds",
        "When the certificate that ends first does, in seconds since 1970",
        ends,
    );
    let failures = certificates.order_failures().map(f64::from);
    let help = "Orders of a certificate that have failed since the last success, of the domain with the most";
    gathered.known("acme_failures", help, failures);
}
