//! The command line: what each command takes, and what it prints. It has no rules of its own.

mod after_restore;
mod backup;
mod backup_schedule;
mod by;
mod catalogue_find;
mod check;
mod commands;
mod common;
mod completions;
mod coupon;
mod demo;
mod distribute;
mod doctor;
mod door_link;
mod endpoint;
mod event;
mod files;
mod flags;
mod found;
mod hold;
mod https;
mod https_local;
mod import;
mod key;
mod listen;
mod log;
mod man_pages;
mod method;
mod mistake;
mod monitoring;
mod order;
mod order_find;
mod order_owed;
mod output;
mod payment;
mod person;
mod personal_data;
mod pool;
mod printable;
mod producer;
mod progress;
mod promoter;
mod public_url;
mod restore;
mod restore_lists;
mod serve;
mod shift;
mod stop;
mod surcharge;
mod terms;
mod ticket;
mod ticket_find;
mod ticket_type;
mod user;
mod vacuum;
mod version;
mod webhook;
mod webhook_allow;
mod webhook_log;

pub use self::{
    commands::{Cli, run},
    mistake::failed,
};
