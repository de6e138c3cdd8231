//! Certificates from an authority by ACME (RFC 8555): ordered and renewed by the server itself.

mod authority;
mod folder;
pub mod keeper;
pub mod names;
mod order;
