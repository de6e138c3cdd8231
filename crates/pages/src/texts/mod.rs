//! What pages say, in every language.
//!
//! The words are in `texts/`: a folder for each language, and in it a file for each face or section. Another language is a
//! folder with the same files and a line in the list of [`Language`].

mod catalogue;
mod language;
mod translated;

pub use self::{catalogue::Texts, language::Language, translated::of_import};
