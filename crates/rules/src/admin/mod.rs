//! What staff do besides selling: producers, keys, door links, webhook endpoints, the catalogue, payments,
//! settings; and finding all that (`lists`, `search`).
//!
//! Every tool for staff calls these functions, so every rule is here or in the types of `domain/`, and none is in the
//! command line.

pub mod catalogue;
pub mod coupons;
pub mod door_links;
pub mod endpoints;
pub mod guests;
pub mod inside;
pub mod keys;
pub mod lists;
pub mod notes;
pub mod payments;
pub mod people;
pub mod person_export;
pub mod picture;
pub mod producers;
pub mod promoters;
pub mod search;
pub mod settings;
pub mod shifts;
pub mod shop_look;
pub mod shop_origins;
pub mod staff;
pub mod surcharges;
pub mod terms;
pub mod work;
