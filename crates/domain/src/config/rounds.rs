//! How a server goes round its producers. Each question names one producer, because producers may be kept in different
//! places, of which some may not answer.

use std::time::Duration;

/// Producers that are listed by one statement.
pub const PRODUCERS_LISTED: usize = 100;
/// How long such a list is used again, if it has all producers. A new one is noticed at the latest after this.
pub const PRODUCERS_LISTED_AGAIN: Duration = Duration::from_secs(2);
/// How many times faster the first round is, because a server that starts often follows one that was killed.
pub const FIRST_ROUND_FASTER: usize = 10;
/// How long one producer's question in the background may take on PostgreSQL. It takes less than a millisecond; one whose
/// place is lost or frozen takes until the deadline, and others wait.
pub const QUESTION_MAX: Duration = Duration::from_secs(1);
/// How long a producer is left alone whose question failed. The pause doubles with each failure.
pub const PRODUCER_PAUSE: Duration = Duration::from_secs(1);
/// The longest such pause. A commit of this server ends it early, because it shows that the producer can be reached.
pub const PRODUCER_PAUSE_MAX: Duration = Duration::from_mins(1);
/// Producers that are asked for endpoints with work on each look ([`WEBHOOK_POLL`](super::WEBHOOK_POLL)), beside those that
/// are known to have some: 300 in a minute. What another process leaves is found when its producer's turn comes.
pub const WEBHOOK_SWEPT: usize = 1;
/// Producers that are asked for endpoints with work at the same time.
pub const WEBHOOK_ASKED_TOGETHER: usize = 8;
/// Producers that are asked whether their search is behind in each round ([`SEARCH_POLL`](super::SEARCH_POLL)), beside those
/// that are known to have sold something: 120 in a minute.
pub const SEARCH_SWEPT: usize = 2;
/// Producers whose words are written at the same time on PostgreSQL. SQLite has one writer.
pub const SEARCH_ASKED_TOGETHER: usize = 4;
/// How long the front page shows what is on sale without asking again.
pub const FRONT_KEPT: Duration = Duration::from_secs(5);
/// Producers that are then asked anew. With more, each has its turn.
pub const FRONT_PRODUCERS: usize = 50;
/// Producers whose figures are read anew when metrics are asked for. With more, each has its turn.
pub const METRICS_PRODUCERS: usize = 25;
