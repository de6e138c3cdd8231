//! Live pages that are open.

use prometheus_client::metrics::gauge::Gauge;

/// An open live page, which is counted until this is dropped.
pub struct OpenStream(Gauge);

impl OpenStream {
    pub(super) fn begin(open: &Gauge) -> Self {
        open.inc();
        Self(open.clone())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}
