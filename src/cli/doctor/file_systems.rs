//! Which file system a file is on.

use std::{fs, path::Path};

/// Where Linux lists what is mounted.
const MOUNTS: &str = "/proc/self/mountinfo";

/// The name of the file system, such as `ext4`. `None` where the system does not say.
pub fn of(path: &Path) -> Option<String> {
    in_list(&fs::read_to_string(MOUNTS).ok()?, &path.canonicalize().ok()?)
}

/// The mount point that is nearest above the path. Of several at one point the last one counts.
fn in_list(mounts: &str, path: &Path) -> Option<String> {
    let mounted = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let point = before.split(' ').nth(4)?.replace("\\040", " ");
        path.starts_with(&point).then(|| (point.len(), after.split(' ').next().unwrap_or_default().to_owned()))
    });
    mounted.max_by_key(|(length, _)| *length).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mount_counts() {
        let mounts = "22 1 254:0 / / rw,relatime - ext4 /dev/root rw\n\
                      23 22 0:5 / /var/lib rw,nosuid shared:2 - tmpfs tmpfs rw\n\
                      24 23 0:6 / /var/lib/my\\040data rw - nfs4 server:/x rw\n";
        let of = |path: &str| in_list(mounts, Path::new(path)).unwrap();
        assert_eq!(of("/home/a"), "ext4");
        assert_eq!(of("/var/library/a"), "ext4");
        assert_eq!(of("/var/lib/taquilla/t.db"), "tmpfs");
        assert_eq!(of("/var/lib/my data/t.db"), "nfs4");
    }
}
