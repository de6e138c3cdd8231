//! Every setting and every limit, with its reason, a file for each subject.
//!
//! Settings that an operator may change are fields of [`Config`]. Promises and safety limits are constants.

mod backups;
mod boxoffice;
mod demo;
mod doctor;
mod door;
mod finding;
mod forgetting;
mod holds;
mod https;
mod import;
mod keys;
mod lengths;
mod line;
mod lists;
mod live;
mod log;
mod metrics;
mod overview;
mod payments;
mod prices;
mod promoters;
mod requests;
mod rounds;
mod search;
mod settings;
mod shop;
mod staff;
mod store;
mod values;
mod webhooks;

pub use self::{
    backups::*, boxoffice::*, demo::*, doctor::*, door::*, finding::*, forgetting::*, holds::*, https::*, import::*,
    keys::*, lengths::*, line::*, lists::*, live::*, log::*, metrics::*, overview::*, payments::*, prices::*,
    promoters::*, requests::*, rounds::*, search::*, settings::*, shop::*, staff::*, store::*, values::*, webhooks::*,
};
