//! How many files, and so connections, the process may have open.

use taquilla_domain::config::{CONNECTIONS_MAX, FILES_RESERVED};

use super::finding::Finding;
use crate::cli::files::{fitting, highest_limit};

pub fn look() -> Finding {
    judge(highest_limit())
}

fn judge(limit: usize) -> Finding {
    let connections = fitting(limit);
    let found = match limit {
        usize::MAX => format!("no limit, enough for {connections} connections"),
        limit => format!("up to {limit}, enough for {connections} connections"),
    };
    if connections < CONNECTIONS_MAX {
        let needed = CONNECTIONS_MAX + FILES_RESERVED;
        let mend =
            format!("Allow {needed}: LimitNOFILE= in a unit of systemd, --ulimit nofile= for a container, ulimit -n");
        return Finding::doubtful("open files", found, mend);
    }
    Finding::good("open files", found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn a_low_limit_is_doubtful() {
        assert_eq!(judge(usize::MAX).state, State::Good);
        assert_eq!(judge(CONNECTIONS_MAX + FILES_RESERVED).state, State::Good);
        let low = judge(1_024);
        assert_eq!(low.state, State::Doubtful);
        assert!(low.found.contains("512 connections"), "{low:?}");
    }
}
