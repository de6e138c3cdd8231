//! What a mirror looks like: tables, columns with their meaning, and views.

mod column;
mod ddl;
mod tables;
mod views;

pub use self::{
    column::{Column, Kind, Table},
    ddl::{Engine, create, indexes},
    tables::{EVENTS, ORDERS, TABLES, TICKET_TYPES, TICKETS},
};
