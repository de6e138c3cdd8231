//! What pages say, in every language. The words are in `texts/*.ftl`, one file a language.

mod catalogue;
mod language;

pub use self::{catalogue::Texts, language::Language};
