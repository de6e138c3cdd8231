//! How many files the process may open, and how many connections that allows.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use taquilla_domain::config::{CONNECTIONS_MAX, FILES_RESERVED};

/// Raises the limit of open files as far as the system lets us, and returns how many connections fit below it. Every
/// connection is a file. Many systems start a process with a limit of 1,024 and let it raise that itself.
pub fn connections_that_fit() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(cause) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(%cause, "cannot raise the limit of open files");
    }
    let limit = number(getrlimit(Resource::Nofile).current);
    let connections = fitting(limit);
    if connections < CONNECTIONS_MAX {
        let needed = CONNECTIONS_MAX + FILES_RESERVED;
        tracing::warn!(limit, needed, connections, "the limit of open files is low: fewer connections are taken");
    }
    connections
}

/// How far the process may raise its limit of open files.
pub fn highest_limit() -> usize {
    number(getrlimit(Resource::Nofile).maximum)
}

/// `None` is no limit.
fn number(limit: Option<u64>) -> usize {
    limit.map_or(usize::MAX, |limit| limit as usize)
}

/// The connections that leave enough files to everything else.
pub fn fitting(limit: usize) -> usize {
    CONNECTIONS_MAX.min(limit - FILES_RESERVED.min(limit / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_to_everything_else() {
        assert_eq!(fitting(usize::MAX), CONNECTIONS_MAX);
        assert_eq!(fitting(CONNECTIONS_MAX + FILES_RESERVED), CONNECTIONS_MAX);
        assert_eq!(fitting(CONNECTIONS_MAX + FILES_RESERVED - 1), CONNECTIONS_MAX - 1);
        assert_eq!(fitting(1_024), 512);
    }
}
