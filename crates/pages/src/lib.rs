//! What every page for people needs: its words in the reader's language, its frame, its forms and files, and what is shown
//! when something goes wrong.

pub mod assets;
pub mod error_page;
pub mod files;
pub mod form;
pub mod page;
pub mod page_headers;
pub mod texts;
pub mod to_https;
