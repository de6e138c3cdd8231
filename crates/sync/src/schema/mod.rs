//! What a mirror looks like: tables, columns with their meaning, and views.

mod column;
mod ddl;
mod engine;
mod tables;
mod views;

pub use self::{
    column::{Column, Kind, Table},
    ddl::{create, indexes},
    engine::Engine,
    tables::{EVENTS, ORDERS, TABLES, TICKET_TYPES, TICKETS},
};
