//! How much memory a server could use.

use std::{fs, path::Path};

use indicatif::HumanBytes;

use taquilla_domain::config::{MEMORY_LOW, MEMORY_MIN};

use super::finding::Finding;

const GROUPS: &str = "/sys/fs/cgroup";

pub fn look() -> Finding {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| in_group(&text, Path::new(GROUPS)));
    match machine.into_iter().chain(group).min() {
        Some(room) => judge(room),
        None => Finding::good("memory", "how much is available is not known here"),
    }
}

fn judge(room: u64) -> Finding {
    let found = format!("{} are available", HumanBytes(room));
    let mend = format!(
        "A server needs {}, most of it while several people sign in; {} is comfortable",
        HumanBytes(MEMORY_MIN),
        HumanBytes(MEMORY_LOW)
    );
    match room {
        _ if room < MEMORY_MIN => Finding::wrong("memory", found, mend),
        _ if room < MEMORY_LOW => Finding::doubtful("memory", found, mend),
        _ => Finding::good("memory", found),
    }
}

/// What programs can still take, by the kernel's own estimate.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// What the control group, of a container or of a unit, and those above it leave. What the kernel keeps of files counts as
/// left: it gives that up when it is needed. `None` is no limit.
fn in_group(own: &str, groups: &Path) -> Option<u64> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let number =
        |folder: &Path, file: &str| -> Option<u64> { fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok() };
    let group = groups.join(path);
    let above = group.ancestors().take_while(|folder| folder.starts_with(groups));
    above
        .filter_map(|folder| {
            let used = number(folder, "memory.current")?.saturating_sub(files_in(folder));
            Some(number(folder, "memory.max")?.saturating_sub(used))
        })
        .min()
}

/// Bytes of files that a group has in memory.
fn files_in(group: &Path) -> u64 {
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let fields = stat.lines().filter_map(|line| line.split_once(' '));
    let files = fields.filter(|(name, _)| ["active_file", "inactive_file"].contains(name));
    files.filter_map(|(_, bytes)| bytes.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn the_smallest_group_decides() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"), Some(2048 * 1024));
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().join("outer"), folder.path().join("outer/inner"));
        fs::create_dir_all(&inner).unwrap();
        fs::write(outer.join("memory.max"), "1000\n").unwrap();
        fs::write(outer.join("memory.current"), "400\n").unwrap();
        assert_eq!(in_group("0::/outer/inner\n", folder.path()), Some(600));
        fs::write(inner.join("memory.max"), "max\n").unwrap();
        fs::write(inner.join("memory.current"), "1\n").unwrap();
        assert_eq!(in_group("0::/outer/inner\n", folder.path()), Some(600));
        fs::write(inner.join("memory.max"), "100\n").unwrap();
        assert_eq!(in_group("0::/outer/inner\n", folder.path()), Some(99));
        fs::write(inner.join("memory.current"), "90\n").unwrap();
        fs::write(inner.join("memory.stat"), "anon 30\nactive_file 20\ninactive_file 40\n").unwrap();
        assert_eq!(in_group("0::/outer/inner\n", folder.path()), Some(70), "files make room");
        assert_eq!(in_group("0::/\n", folder.path()), None);
    }

    #[test]
    fn little_memory_is_said() {
        assert_eq!(judge(MEMORY_MIN - 1).state, State::Wrong);
        assert_eq!(judge(MEMORY_LOW - 1).state, State::Doubtful);
        assert_eq!(judge(MEMORY_LOW).state, State::Good);
    }
}
