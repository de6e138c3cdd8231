//! A file that takes its name only when it is whole.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// What the name of a file ends with while it is being written.
pub const PART: &str = ".part";

/// A new file beside the place that it will have. Only its owner may read it. It is locked while it is written, and deleted
/// if it is never kept.
pub struct NewFile {
    /// Where it is written to.
    pub file: File,
    part: Option<PathBuf>,
    target: PathBuf,
}

impl NewFile {
    /// Begins a file that is to have this path.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let mut part = OsString::from(target);
        part.push(format!(".{:08x}{PART}", rand::random::<u32>()));
        let part = PathBuf::from(part);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
        // Dropping it from here on deletes the file.
        let new = Self { file, part: Some(part), target: target.to_owned() };
        new.file.try_lock().map_err(io::Error::from)?;
        Ok(new)
    }

    /// Makes sure that the file is on the disk, and gives it its name. What had the name before is replaced.
    pub fn keep(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        if let Some(part) = &self.part {
            fs::rename(part, &self.target)?;
        }
        self.part = None;
        let folder = self.target.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(part) = self.part.take()
            && let Err(cause) = fs::remove_file(&part)
        {
            tracing::warn!(%cause, file = %part.display(), "an unfinished file was not deleted");
        }
    }
}
