//! Numbers that are known when somebody asks, beside those that were counted.

use std::sync::atomic::AtomicU64;

use prometheus_client::{
    metrics::{
        counter::ConstCounter,
        family::Family,
        gauge::{ConstGauge, Gauge},
        info::Info,
    },
    registry::Registry,
};

/// Adds numbers of this moment to what is told.
pub struct Gathered<'a>(pub &'a mut Registry);

impl Gathered<'_> {
    /// A number that goes up and down.
    pub fn gauge(&mut self, name: &str, help: &str, value: f64) {
        self.0.register(name, help, ConstGauge::new(value));
    }

    /// The same if it is known. If not, it is left out, so that nobody takes it for zero.
    pub fn known(&mut self, name: &str, help: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.gauge(name, help, value);
        }
    }

    /// Numbers that a label tells apart.
    pub fn gauges(&mut self, name: &str, help: &str, label: &'static str, values: &[(&'static str, f64)]) {
        let family = Family::<[(&'static str, &'static str); 1], Gauge<f64, AtomicU64>>::default();
        for (value, number) in values {
            family.get_or_create(&[(label, *value)]).set(*number);
        }
        self.0.register(name, help, family);
    }

    /// A number that only grows. Its name gets `_total` as its ending.
    pub fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.0.register(name, help, ConstCounter::new(value));
    }

    /// The same in seconds, of which there may be parts.
    pub fn seconds(&mut self, name: &str, help: &str, value: f64) {
        self.0.register(name, help, ConstCounter::new(value));
    }

    /// Facts, each with its name. The name gets `_info` as its ending.
    pub fn info(&mut self, name: &str, help: &str, facts: Vec<(&'static str, &'static str)>) {
        self.0.register(name, help, Info::new(facts));
    }
}
