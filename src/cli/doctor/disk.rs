//! The disks that data and backups are on.

use std::path::Path;

use indicatif::HumanBytes;

use taquilla_domain::config::{DISK_FREE_LOW, DISK_FREE_MIN};
use taquilla_store::Store;

use super::{file_systems, finding::Finding};
use crate::cli::serve::Serve;

/// File systems on another machine, where SQLite's locks cannot be relied on.
const REMOTE: &[&str] = &["nfs", "nfs4", "cifs", "smb3", "ceph", "fuse.sshfs", "9p"];
/// File systems that are gone after a restart, of the machine or of a container.
const FLEETING: &[&str] = &["tmpfs", "ramfs", "overlay"];

pub fn look(address: &str, serve: Option<&Serve>) -> Vec<Finding> {
    let mut findings = Vec::new();
    match Store::file(address) {
        Some(file) => {
            // A file that is not there yet will be in a folder that is, or that is made there.
            let there = file.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
            let size = file.metadata().map_or(0, |file| file.len());
            findings.extend(file_systems::of(there).and_then(|kind| fitting(&kind)));
            findings.push(room("the data", there, size));
        }
        None => findings.push(Finding::good("disk", "PostgreSQL's disk is not seen from here; watch it there")),
    }
    if let Some(folder) = serve.and_then(|serve| serve.backups.folder()) {
        let there = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
        findings.push(room("backups", there, 0));
    }
    findings
}

fn fitting(kind: &str) -> Option<Finding> {
    if REMOTE.contains(&kind) {
        return Some(Finding::wrong(
            "disk",
            format!("the SQLite file is on a network share ({kind})"),
            "Move it to a local disk: SQLite needs locks that such a share does not keep. Several machines share PostgreSQL",
        ));
    }
    FLEETING.contains(&kind).then(|| {
        Finding::doubtful(
            "disk",
            format!("the SQLite file is on {kind}, which does not outlive the machine or the container"),
            "Put it on a disk; in a container, on a volume",
        )
    })
}

/// How much room there is on the disk below a path.
fn room(what: &str, there: &Path, size: u64) -> Finding {
    let path = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    let Ok(disk) = rustix::fs::statvfs(path) else {
        return Finding::doubtful(
            "disk",
            format!("how much room there is for {what} is not known"),
            format!("See whether this user may open {}", path.display()),
        );
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let found = format!("{} are free for {what}", HumanBytes(free));
    // Some file systems have no number of files, and say 0 of 0.
    let files_end = disk.f_files > 0 && disk.f_favail == 0;
    if files_end {
        return Finding::wrong(
            "disk",
            format!("{found}, but no file can be made (no inodes are left)"),
            "Delete files",
        );
    }
    if free < DISK_FREE_MIN {
        return Finding::wrong("disk", found, "Make room: a full disk stops sales and scans");
    }
    if free < DISK_FREE_LOW.max(size) {
        let mend = "Make room: an import, an upgrade and a backup may each need as much as the data";
        return Finding::doubtful("disk", found, mend);
    }
    Finding::good("disk", found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn a_share_is_wrong_and_memory_is_doubtful() {
        assert_eq!(fitting("nfs4").unwrap().state, State::Wrong);
        assert_eq!(fitting("overlay").unwrap().state, State::Doubtful);
        assert!(fitting("ext4").is_none());
    }

    #[test]
    fn a_small_disk_for_much_data_is_doubtful() {
        let folder = tempfile::tempdir().unwrap();
        assert_ne!(room("the data", folder.path(), 0).state, room("the data", folder.path(), u64::MAX).state);
        assert!(room("the data", &folder.path().join("nowhere"), 0).found.contains("not known"));
    }
}
