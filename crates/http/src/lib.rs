//! What every face needs: shared state, keys, parameters, bodies, cursors, limits, errors, and the edge around all of
//! it. Faces import from here and never from each other.

pub mod access_lines;
pub mod allowance;
pub mod app;
pub mod bearer;
pub mod body;
pub mod caller;
pub mod client_address;
pub mod codes;
pub mod connections;
pub mod cursor;
pub mod edge;
pub mod entity_tag;
pub mod envelope;
pub mod errors;
pub mod export_places;
pub mod https;
pub mod known;
pub mod last_used;
pub mod lost_marks;
pub mod openapi;
pub mod params;
pub mod path_id;
pub mod problem;
pub mod rate;
pub mod reader;
mod refusal_codes;
pub mod schema;
pub mod seldom;
pub mod streams;
