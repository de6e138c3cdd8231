//! One sync at a time.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use crate::error::Error;

/// What another run that comes too early is told.
pub const BUSY: &str = "another sync is writing this mirror";

/// Takes the right to write a mirror in files, until this is dropped. The system gives it back when the process ends, however it
/// ends.
pub fn take(path: &Path) -> Result<File, Error> {
    let failed = |cause| Error::File(path.display().to_string(), cause);
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Mistake(format!("{BUSY} ({} is locked)", path.display()))),
        Err(TryLockError::Error(cause)) => Err(failed(cause)),
    }
}
