//! Webhooks.

use std::time::Duration;

use ipnet::IpNet;

/// How long a receiver of webhooks may take for each part of one attempt.
#[derive(Clone, Copy, Debug)]
pub struct WebhookTimeouts {
    /// Looking up the name and connecting, TLS included.
    pub connect: Duration,
    /// The status and headers of the answer. Time that connecting did not use is added.
    pub head: Duration,
    /// The rest of the answer, as far as it is read. The status is known by then, so this does not change the result.
    pub body: Duration,
}

impl Default for WebhookTimeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(5), head: seconds(15), body: seconds(5) }
    }
}

/// Where webhooks may be sent, and how long that may take.
#[derive(Clone, Debug, Default)]
pub struct WebhookSettings {
    /// Networks that webhooks may be sent to although they are not public. Plain http is allowed there too.
    pub allow: Vec<IpNet>,
    /// How long a receiver may take.
    pub timeouts: WebhookTimeouts,
}

/// How long after each failed attempt the next one comes: 21 h 1 min 5 s in all. If the attempt after the last wait
/// fails, the delivery has failed.
pub const WEBHOOK_LADDER: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(15),
    Duration::from_mins(40),
    Duration::from_hours(2),
    Duration::from_hours(4),
    Duration::from_hours(6),
    Duration::from_hours(8),
];
/// Each wait is longer by a random part up to this one, so that deliveries that failed together are not repeated
/// together.
pub const WEBHOOK_JITTER: f64 = 0.1;
/// The longest `Retry-After` that is obeyed. A receiver that needs longer gets the next attempts of the ladder.
pub const WEBHOOK_RETRY_AFTER_MAX: Duration = Duration::from_hours(1);
/// An endpoint that succeeds after it failed for this long catches up: messages that wait for another attempt are sent
/// at once. After a shorter time none waits much longer than this. A message that the receiver refuses whenever it comes
/// makes an endpoint fail until the next success, so without this limit each success would send it once more.
pub const WEBHOOK_OUTAGE: Duration = Duration::from_mins(1);
/// Failures in a row after which an endpoint stops to catch up. One or two may be messages that the receiver refuses.
pub const WEBHOOK_CATCH_UP_FAILURES: usize = 3;
/// After every attempt has failed for this long, an endpoint gets the state `failing` and no more messages.
pub const WEBHOOK_FAILING_MAX: Duration = Duration::from_hours(5 * 24);
/// How long messages, deliveries and attempts are kept once they are settled, and how long deliveries wait for an
/// endpoint that is not active.
pub const WEBHOOK_KEPT: Duration = Duration::from_hours(30 * 24);
/// Rows that a replay changes in one transaction, so that a large replay does not hold up a door.
pub const WEBHOOK_REPLAYED_TOGETHER: i64 = 200;
/// How long a command pauses between two transactions, so that others can write.
pub const WEBHOOK_COMMAND_PAUSE: Duration = Duration::from_millis(20);
/// How long a replaced secret still signs beside the new one.
pub const WEBHOOK_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Secrets that may sign at the same time. With this many, the next rotation must wait.
pub const WEBHOOK_SECRETS_MAX: usize = 5;
/// Endpoints of one producer.
pub const WEBHOOK_ENDPOINTS_MAX: i64 = 100;
/// Characters in an endpoint's URL.
pub const WEBHOOK_URL_MAX: usize = 2_000;
/// Requests that one endpoint gets at the same time, over all servers. Before the first success and after a failure it
/// gets one at a time, so that a receiver that hangs occupies little, and one that is just back is not flooded. Each
/// success allows one more.
pub const WEBHOOK_AT_ONCE: usize = 8;
/// Deliveries of one endpoint that a courier holds in memory. A turn that writes down half of them and takes as many
/// new ones lasts a few milliseconds, so a scan does not wait long for it.
pub const WEBHOOK_IN_HAND: usize = 128;
/// The same while the endpoint gets one request at a time.
pub const WEBHOOK_IN_HAND_FIRST: usize = 2;
/// Messages that one turn examines for an endpoint. The endpoint may want only a few of them.
pub const WEBHOOK_EXAMINED: i64 = 256;
/// Endpoints that one server works for at the same time.
pub const WEBHOOK_COURIERS_MAX: usize = 250;
/// Transactions for webhooks that one server runs at the same time, so that sales and scans find the database free.
pub const WEBHOOK_WRITERS: usize = 2;
/// How often a server looks which producers may have endpoints with work, most of which it knows without asking.
pub const WEBHOOK_POLL: Duration = Duration::from_millis(200);
/// A courier writes down an answer at the latest after this time, together with others that came meanwhile.
pub const WEBHOOK_TURN: Duration = Duration::from_millis(25);
/// How long a courier waits before it repeats a failed turn, and how long an endpoint that had nothing to send is left
/// alone.
pub const WEBHOOK_TURN_AGAIN: Duration = Duration::from_secs(1);
/// How long a courier's turn may take on PostgreSQL. It takes a few milliseconds; one at a place that is lost or frozen would
/// keep a permit to write from all other couriers until the deadline.
pub const WEBHOOK_TURN_MAX: Duration = Duration::from_secs(2);
/// How long a courier works for one endpoint without a break. Then endpoints that have waited longer come first.
pub const WEBHOOK_SHIFT: Duration = Duration::from_secs(30);
/// A lease that ends later than this from now was written by a wrong clock and does not count.
pub const WEBHOOK_LEASE_PLAUSIBLE: Duration = Duration::from_mins(1);
/// How long a courier's lease on an endpoint lasts. The courier renews it after a third of that time. If its server was
/// killed, another courier takes over when the lease ends.
pub const WEBHOOK_LEASE: Duration = Duration::from_secs(10);
/// Bytes of an answer's body that are read.
pub const WEBHOOK_RESPONSE_READ: usize = 16 * 1024;
/// Characters of an answer's body that are kept.
pub const WEBHOOK_RESPONSE_KEPT: usize = 1_000;
/// Characters kept of an attempt's problem, which may contain a stranger's text.
pub const WEBHOOK_PROBLEM_KEPT: usize = 300;
/// How long an idle connection to a receiver is kept for the next request. Many servers close theirs after 5 s, and a
/// request sent at that moment would fail for no reason.
pub const WEBHOOK_IDLE: Duration = Duration::from_secs(4);
/// Names that are looked up at the same time. A look-up by the system's resolver holds a thread until it ends, even
/// long after we gave up, and the runtime has 512 threads for such work. Names that nobody answers for must not take
/// them all.
pub const WEBHOOK_LOOKUPS_MAX: usize = 256;
