//! What changes things. Faces and the command line ask these rooms; these rooms ask the store.
//!
//! - [`boxoffice`]: selling, refunding, cancelling, passing on, scanning.
//! - [`import`]: getting data in.
//! - [`backup`]: whole databases in a file, out and in.
//! - [`admin`]: what staff do besides selling.
//! - [`webhooks`]: sending messages to integrators.
//! - [`housekeeping`]: deleting what is old.
//! - [`work`]: long work that staff begin.
//! - [`indexing`]: making orders and tickets findable.
//! - [`watching`]: whether the database is still the one that a server can work with.
//! - [`paying`]: leading buyers to payment processors, and settling what these say.
//! - [`on_sale`]: what the front page shows.
//! - [`waiting_lines`]: who has to wait before they buy.
//! - [`rounds`]: which producers these look after, and when.
//! - [`task`]: how the five above, and others, run beside a server.

pub mod admin;
pub mod backup;
pub mod boxoffice;
pub mod housekeeping;
pub mod import;
pub mod indexing;
pub mod on_sale;
pub mod paying;
pub mod rounds;
pub mod task;
pub mod waiting_lines;
pub mod watching;
pub mod webhooks;
pub mod work;
