//! The files of backups that servers make by themselves: their names, and which of them are kept.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use taquilla_domain::clock::Stamp;

use super::{file::PART, restore::database_of};

const PREFIX: &str = "taquilla-";
const ENDING: &str = ".jsonl.zst";

/// The name of a backup of this moment. Names sort by time.
pub fn name_of(taken_at: Stamp) -> String {
    format!("{PREFIX}{}{ENDING}", written(&taken_at.to_string()))
}

/// A time without the signs that some file systems do not take.
fn written(time: &str) -> String {
    time.replace(':', "-")
}

/// Whether a name was made by [`name_of`], for a file that is whole or for one that is not.
fn is_name(name: &str) -> Option<bool> {
    let rest = name.strip_prefix(PREFIX)?;
    let (time, behind) = rest.split_at_checked("2026-11-15T03-09-08.520930Z".len())?;
    let (date, clock) = time.split_at_checked("2026-11-15".len())?;
    Stamp::parse(&format!("{date}{}", clock.replace('-', ":")))?;
    match behind.strip_prefix(ENDING)? {
        "" => Some(true),
        part => {
            let number = part.strip_prefix('.')?.strip_suffix(PART)?;
            (number.len() == 8 && number.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(false)
        }
    }
}

/// Deletes all but the newest backups of a database from a folder, and what is left of those that were never finished.
/// Files that have another name, or are of another database, stay. Gives how many were deleted.
pub fn forget(folder: &Path, database: &str, kept: usize) -> io::Result<usize> {
    let (mut whole, mut unfinished) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some((name, is_whole)) = name.to_str().and_then(|name| Some((name, is_name(name)?))) else { continue };
        if entry.file_type()?.is_file() {
            if is_whole { &mut whole } else { &mut unfinished }.push((name.to_owned(), entry.path()));
        }
    }
    whole.sort();
    whole.reverse();
    let is_ours = |(_, path): &(String, PathBuf)| {
        File::open(path).is_ok_and(|file| database_of(file).is_some_and(|of| of == database))
    };
    let old = whole.iter().filter(|file| is_ours(file)).skip(kept);
    // Whoever still writes a file has locked it.
    let is_left = |(_, path): &&(String, PathBuf)| File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    let left = unfinished.iter().filter(|file| is_ours(file)).filter(is_left);
    let mut deleted = 0;
    for (_, path) in old.chain(left) {
        fs::remove_file(path)?;
        deleted += 1;
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_ours_are_ours() {
        let name = name_of(Stamp::parse("2026-11-15T03:09:08.520930Z").unwrap());
        assert_eq!(name, "taquilla-2026-11-15T03-09-08.520930Z.jsonl.zst");
        assert_eq!(is_name(&name), Some(true));
        assert_eq!(is_name(&format!("{name}.0123abcd.part")), Some(false));
        for other in [
            "taquilla.jsonl.zst",
            "taquilla-backup.jsonl.zst",
            "taquilla-2026-11-15T03-09-08.520930Z.jsonl",
            "taquilla-2026-11-15T03-09-08.520930Z.jsonl.zst.bak",
            "taquilla-2026-11-15T03-09-08.520930Z.jsonl.zst.part",
            "taquilla-2026-11-15T03-09-08.520930Z.jsonl.zst.0123abcg.part",
            "taquilla-2026-13-15T03-09-08.520930Z.jsonl.zst",
            "taquilla-2026-11-15.jsonl.zst",
            "taquilla-2026-11-15T03-09-08.5209é",
            "other-2026-11-15T03-09-08.520930Z.jsonl.zst",
        ] {
            assert_eq!(is_name(other), None, "{other}");
        }
    }
}
