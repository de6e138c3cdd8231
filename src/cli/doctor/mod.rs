//! `taquilla doctor`: whether everything is as a server needs it, and what to mend. One file for each thing it looks at.

mod clock;
mod command;
mod database;
mod disk;
mod file_systems;
mod finding;
mod https;
mod memory;
mod open_files;
mod program;
mod public_url;
mod replicas;
mod settings;

pub use self::command::Doctor;
