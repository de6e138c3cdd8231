//! Which cluster a connection leads to, so that an old primary is noticed.
//!
//! Every PostgreSQL cluster has an identifier, which its copies share, and a timeline, which each promotion of a standby
//! raises. After a promotion the old primary may come back, or was never stopped, and takes writes that nobody will ever
//! see. Its timeline is lower. A server that has met a timeline never again works with a lower one.
//!
//! A new connection asks both, together with its settings, so it costs no wait of its own. Every role may ask.

use parking_lot::Mutex;
use tokio_postgres::SimpleQueryMessage;

/// What a server says of itself.
pub struct Identity {
    /// The cluster's identifier.
    system: String,
    pub is_standby: bool,
    /// The timeline that it writes. A standby does not say which one it follows.
    pub timeline: Option<u32>,
}

/// The name of a file of the write-ahead log begins with the timeline. What a checkpoint says is too old right after a
/// promotion.
pub const ASK: &str = "SELECT (SELECT system_identifier FROM pg_control_system()), pg_is_in_recovery(), \
     CASE WHEN pg_is_in_recovery() THEN NULL ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END";

impl Identity {
    /// Whether both are of one cluster.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        self.system == other.system
    }

    /// Reads the answer to [`ASK`].
    pub fn read(answer: &[SimpleQueryMessage]) -> Option<Self> {
        let row = answer.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        })?;
        Some(Self {
            system: row.get(0)?.to_owned(),
            is_standby: row.get(1)? == "t",
            timeline: row.get(2).and_then(|digits| u32::from_str_radix(digits, 16).ok()),
        })
    }
}

/// Whose connections are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The database itself.
    Database,
    /// A copy of it, which only answers lists.
    Replica,
}

/// What this process has met. The connections to a database and to its replicas share it.
#[derive(Default)]
pub struct Lineage(Mutex<Option<Met>>);

struct Met {
    system: String,
    /// The highest timeline; 0 as long as only standbys were met.
    timeline: u32,
}

impl Lineage {
    /// Whether no server has been met.
    pub fn is_new(&self) -> bool {
        self.0.lock().is_none()
    }

    /// Whether no higher timeline has been met.
    pub fn is_newest(&self, timeline: u32) -> bool {
        self.0.lock().as_ref().is_none_or(|met| timeline >= met.timeline)
    }

    /// Meets a server. If it must not be used, tells why, as the end of a sentence about it.
    pub fn meet(&self, part: Part, server: &Identity) -> Result<(), String> {
        let mut met = self.0.lock();
        let Some(known) = &mut *met else {
            // A replica is compared with the database, never the other way round.
            if part == Part::Database {
                *met = Some(Met { system: server.system.clone(), timeline: server.timeline.unwrap_or(0) });
            }
            return Ok(());
        };
        if known.system != server.system {
            return Err("belongs to another cluster than the one that this program began with; if that is meant, \
                        start it again"
                .into());
        }
        match (part, server.timeline) {
            (Part::Database, Some(timeline)) if timeline < known.timeline => Err(format!(
                "is an old primary: it writes timeline {timeline}, and a standby was promoted to timeline {}; stop \
                 it, or make it a standby of the new one",
                known.timeline
            )),
            (Part::Database, Some(timeline)) => {
                if known.timeline != 0 && timeline > known.timeline {
                    tracing::warn!(
                        before = known.timeline,
                        timeline,
                        "a standby was promoted, and is the database now"
                    );
                }
                known.timeline = timeline;
                Ok(())
            }
            (Part::Replica, Some(timeline)) if timeline != known.timeline => Err(format!(
                "was promoted: it writes timeline {timeline} of its own, and the database is on {}",
                known.timeline
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(system: &str, timeline: Option<u32>) -> Identity {
        Identity { system: system.into(), is_standby: timeline.is_none(), timeline }
    }

    #[test]
    fn a_timeline_never_goes_back_and_a_cluster_stays() {
        let lineage = Lineage::default();
        let meets = |part, system: &str, timeline| lineage.meet(part, &server(system, timeline)).is_ok();
        assert!(meets(Part::Replica, "elsewhere", None), "the database was not met yet");
        assert!(lineage.is_new() && meets(Part::Database, "a", None) && !lineage.is_new());
        assert!(meets(Part::Database, "a", Some(2)) && meets(Part::Database, "a", Some(4)));
        assert!(!meets(Part::Database, "a", Some(3)) && meets(Part::Database, "a", Some(4)));
        assert!(!meets(Part::Database, "b", Some(9)), "another cluster");
        assert!(lineage.is_newest(4) && !lineage.is_newest(3));
        assert!(meets(Part::Replica, "a", None) && meets(Part::Replica, "a", Some(4)));
        assert!(!meets(Part::Replica, "a", Some(5)) && !meets(Part::Replica, "b", None));
        assert!(meets(Part::Database, "a", Some(4)), "a replica that was promoted changes nothing");
    }
}
