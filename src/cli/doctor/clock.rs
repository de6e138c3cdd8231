//! The clocks: this machine's, the database's, and the one that decided last.

use std::{path::Path, process::Command, time::Duration};

use taquilla_domain::{
    clock::Stamp,
    config::{CLOCK_APART_MAX, CLOCK_BEHIND_MAX},
};
use taquilla_store::condition::Condition;

use super::finding::Finding;

const SYNCHRONISE: &str = "Let both machines follow a time server (systemd-timesyncd, chrony)";

pub fn look(condition: Option<&Condition>) -> Vec<Finding> {
    let apart = condition.and_then(|condition| apart(condition.here, condition.there));
    let behind = condition.and_then(|condition| behind(condition.here.1, condition.changed_at?));
    let wrong: Vec<Finding> = apart.into_iter().chain(behind).collect();
    match (wrong.is_empty(), condition) {
        (false, _) => wrong,
        (true, Some(_)) => vec![follows_a_time_server("it agrees with the database's")],
        (true, None) => vec![follows_a_time_server("there is no database to compare it with")],
    }
}

/// How far the database's clock is from this machine's. The time that asking took is not counted.
fn apart((before, after): (Stamp, Stamp), there: Stamp) -> Option<Finding> {
    let ahead = there.micros() - after.micros();
    let late = before.micros() - there.micros();
    let apart = Duration::from_micros(ahead.max(late).try_into().unwrap_or(0));
    (apart > CLOCK_APART_MAX).then(|| {
        let which = if ahead > 0 { "ahead of" } else { "behind" };
        let seconds = apart.as_secs_f64();
        Finding::wrong("clock", format!("the database's clock is {seconds:.1} s {which} this machine's"), SYNCHRONISE)
    })
}

/// Whether this machine's clock is behind the last change that a producer's clock has seen.
fn behind(now: Stamp, changed_at: Stamp) -> Option<Finding> {
    (changed_at > now.plus(CLOCK_BEHIND_MAX)).then(|| {
        Finding::wrong(
            "clock",
            format!("it is {now} here, and the last change in the database was at {changed_at}"),
            "Set this machine's clock. If the change was made with a wrong one, stamps go on from there until time has caught up",
        )
    })
}

/// Whether systemd has set the clock by a time server. `otherwise` is what is known where nobody can tell.
fn follows_a_time_server(otherwise: &str) -> Finding {
    // Only systemd knows, and only where it runs does its command answer.
    let asked = Path::new("/run/systemd/system")
        .exists()
        .then(|| Command::new("timedatectl").args(["show", "--property=NTPSynchronized", "--value"]).output().ok());
    let said = asked.flatten().filter(|output| output.status.success());
    match said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).as_deref() {
        Some("yes") => Finding::good("clock", "it follows a time server"),
        Some("no") => Finding::doubtful("clock", "it follows no time server", "Run `timedatectl set-ntp true`"),
        _ => Finding::good("clock", format!("{otherwise}; whether it follows a time server is not known here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Stamp = Stamp::from_micros(1_800_000_000_000_000);

    #[test]
    fn the_time_that_asking_took_does_not_count() {
        let after = NOON.plus(Duration::from_secs(10));
        for there in [NOON, after, NOON.plus(Duration::from_secs(5)), NOON.minus(CLOCK_APART_MAX)] {
            assert!(apart((NOON, after), there).is_none(), "{there}");
        }
        let late = apart((NOON, after), NOON.minus(Duration::from_secs(3))).unwrap();
        assert!(late.found.contains("3.0 s behind"), "{late:?}");
        let ahead = apart((NOON, after), after.plus(Duration::from_secs(4))).unwrap();
        assert!(ahead.found.contains("4.0 s ahead of"), "{ahead:?}");
    }

    #[test]
    fn a_change_in_the_future_is_found() {
        assert!(behind(NOON, NOON.plus(CLOCK_BEHIND_MAX)).is_none());
        assert!(behind(NOON, NOON.plus(CLOCK_BEHIND_MAX + Duration::from_secs(1))).is_some());
    }
}
