//! Backups: a whole database in one file, made while servers run, and an empty database made from it, on either engine.

mod error;
mod file;
mod format;
mod old_files;
mod restore;
mod schedule;
mod write;

pub use self::{
    error::Error,
    file::NewFile,
    restore::{Phase, Restored, restore},
    schedule::{prepare_folder, start},
    write::{BackupSummary, Progress, write},
};
