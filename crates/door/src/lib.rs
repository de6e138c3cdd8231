//! The door: the calls of scanners, and their page.
//!
//! A door link is the only credential here. It admits tickets and shows the name on the ticket just scanned. It gives
//! no list of attendees, and never an e-mail address, a phone number or an identity document. A link that may find
//! guests by name gets a few at a time, each with a handle for that link instead of the ticket's code.
//!
//! A phone without signal has the codes that it may admit as salted hashes, follows their changes as any integrator
//! does, and writes each decision into its queue before it shows green. An upload keeps the `scan_id` of the first try,
//! so a scan that the server had accepted gets its answer again. `checked_in_at` is the time of acceptance, or pollers
//! would miss the entry.

pub mod access;
pub mod codes;
pub mod guests;
pub mod open;
pub mod openapi;
pub mod page;
pub mod scan;
pub mod undo;
