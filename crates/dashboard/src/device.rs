//! Where somebody signs in from.

use taquilla_pages::visitor::Visitor;
use taquilla_rules::admin::staff::sessions::Device;

/// The device that a visitor would sign in from.
pub fn of(visitor: &Visitor) -> Device {
    Device::new(visitor.address.to_string(), visitor.browser())
}
