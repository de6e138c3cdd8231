//! Endpoints: the URLs that a producer's messages go to, and the courier that works for each.

use std::sync::LazyLock;

use taquilla_domain::{
    clock::Stamp,
    config::{
        WEBHOOK_ENDPOINTS_MAX, WEBHOOK_LEASE, WEBHOOK_LEASE_PLAUSIBLE, WEBHOOK_SECRET_OVERLAP, WEBHOOK_SECRETS_MAX,
    },
    endpoint_url::EndpointUrl,
    personal::Sees,
    signature::SigningSecret,
    webhook::{EndpointState, MessageKind},
};

use crate::{
    Conn, Move, Result, Tenant, Unstamped,
    engine::{
        sql::{Row, params},
        transaction::Locked,
    },
    old_secrets::{self, OldSecrets},
};

/// An endpoint's row.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The producer whose messages it gets.
    pub tenant: Tenant,
    /// Its public id (`wh_…`).
    pub id: String,
    /// Where messages are sent.
    pub url: String,
    /// The kinds of messages it gets.
    pub kinds: Vec<MessageKind>,
    /// Whether its messages contain the data of attendees and buyers.
    pub personal_data: bool,
    secret: SigningSecret,
    /// Secrets replaced by rotation, and until when each still signs.
    old_secrets: OldSecrets,
    /// Whether messages are sent to it.
    pub state: EndpointState,
    /// Since when it is in this state.
    pub state_since: Stamp,
    /// When it was created.
    pub created_at: Stamp,
    /// Messages up to this seq have become deliveries.
    pub outbox_seq: i64,
    /// The last place given out in its sequence.
    pub last_sequence: i64,
    /// No message is sent before this time, because the receiver asked for a pause.
    pub rests_until: Stamp,
    /// Since when every attempt has failed, if the last one did.
    pub failing_since: Option<Stamp>,
    /// When a delivery last succeeded.
    pub last_success_at: Option<Stamp>,
    /// Set while it catches up: the last place whose message was sent before its time.
    pub caught_up_to: Option<i64>,
    /// The courier that works for it, or empty.
    pub lease_owner: String,
    /// Until when the lease lasts.
    pub lease_until: Stamp,
}

const COLUMNS: &str = "producer_id, id, url, kinds, personal_data, secret, old_secrets, state, state_since, \
     created_at, outbox_seq, last_sequence, rests_until, failing_since, last_success_at, caught_up_to, \
     lease_owner, lease_until";

/// Before any stamp, so that an endpoint without a lease or a pause counts as free.
const NEVER: Stamp = Stamp::from_micros(0);

impl Endpoint {
    /// Whether its messages have people in them.
    pub fn sees(&self) -> Sees {
        Sees::of_endpoint(self.personal_data)
    }

    /// Whether its messages say what members without the right to see personal data do not see: people, or ids of tickets,
    /// which open doors.
    pub fn tells_what_is_covered(&self) -> bool {
        self.personal_data || self.kinds.iter().any(|kind| kind.is_of_ticket())
    }

    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            tenant: Tenant::from_column(row.int(0)?),
            id: row.text(1)?.to_owned(),
            url: row.text(2)?.to_owned(),
            kinds: row.named(3, parse_kinds)?,
            personal_data: row.flag(4)?,
            secret: old_secrets::parse_secret(row.text(5)?)?,
            old_secrets: old_secrets::parse(row.text(6)?)?,
            state: row.named(7, EndpointState::parse)?,
            state_since: row.stamp(8)?,
            created_at: row.stamp(9)?,
            outbox_seq: row.int(10)?,
            last_sequence: row.int(11)?,
            rests_until: row.stamp(12)?,
            failing_since: row.opt_stamp(13)?,
            last_success_at: row.opt_stamp(14)?,
            caught_up_to: row.opt_int(15)?,
            lease_owner: row.text(16)?.to_owned(),
            lease_until: row.stamp(17)?,
        })
    }

    /// The secrets that sign now: the current one, then the replaced ones that have not expired.
    pub fn secrets(&self, now: Stamp) -> impl Iterator<Item = &SigningSecret> {
        let old = self.old_secrets.iter().rev().filter(move |(_, until)| now < *until).map(|(secret, _)| secret);
        std::iter::once(&self.secret).chain(old)
    }

    /// Until when the receiver asked for a rest, if it rests now.
    pub fn rest(&self, now: Stamp) -> Option<Stamp> {
        Some(self.rests_until).filter(|until| *until > now)
    }

    /// Begins to catch up: messages that wait for another attempt are sent at once.
    pub fn catch_up(&mut self) {
        self.caught_up_to = Some(0);
    }

    /// Changes whether messages are sent. Activating it forgets earlier failures and pauses, and what waits is sent.
    pub fn set_state(&mut self, state: EndpointState, now: Stamp) {
        if self.state != state {
            (self.state, self.state_since) = (state, now);
        }
        if state == EndpointState::Active {
            self.failing_since = None;
            self.rests_until = NEVER;
            self.catch_up();
        }
    }

    /// Sends messages to another URL from now on, and what waits at once. Failures and pauses of the old receiver are
    /// forgotten.
    pub fn move_to(&mut self, url: &EndpointUrl) {
        url.as_str().clone_into(&mut self.url);
        self.failing_since = None;
        self.rests_until = NEVER;
        self.catch_up();
    }

    /// Leases the endpoint to a courier for a while.
    pub fn lease(&mut self, owner: &str, now: Stamp) {
        owner.clone_into(&mut self.lease_owner);
        self.lease_until = now.plus(WEBHOOK_LEASE);
    }

    /// Ends the lease: any courier may work for the endpoint from now on.
    pub fn release(&mut self, now: Stamp) {
        self.lease_owner.clear();
        self.lease_until = now;
    }
}

fn parse_kinds(names: &str) -> Option<Vec<MessageKind>> {
    names.split(' ').map(MessageKind::parse).collect()
}

fn print_kinds(kinds: &[MessageKind]) -> String {
    kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" ")
}

/// An endpoint about to exist.
pub struct NewEndpoint<'a> {
    /// Its id.
    pub id: &'a str,
    /// Where messages are sent.
    pub url: &'a EndpointUrl,
    /// The kinds of messages it gets.
    pub kinds: &'a [MessageKind],
    /// Whether its messages contain the data of attendees and buyers.
    pub personal_data: bool,
    /// What its messages are signed with.
    pub secret: &'a SigningSecret,
}

/// Creates an endpoint that gets all messages from now on. `None` if the producer already has the most allowed.
pub async fn insert(tx: &mut Move, new: &NewEndpoint<'_>, now: Stamp) -> Result<Option<Endpoint>> {
    let tenant = tx.tenant();
    let count = "SELECT count(*) FROM webhook_endpoints WHERE producer_id = ?1 AND deleted_at IS NULL";
    let there = tx.query_first(count, params![tenant.number()], |row| row.int(0)).await?;
    if there.unwrap_or(0) >= WEBHOOK_ENDPOINTS_MAX {
        return Ok(None);
    }
    let (kinds, secret) = (print_kinds(new.kinds), new.secret.reveal());
    let sql = format!(
        "INSERT INTO webhook_endpoints ({COLUMNS}) SELECT producer_id, CAST(?2 AS TEXT), CAST(?3 AS TEXT), \
         CAST(?4 AS TEXT), CAST(?5 AS BIGINT), CAST(?6 AS TEXT), '', 'active', CAST(?7 AS BIGINT), \
         CAST(?7 AS BIGINT), last_seq, 0, 0, NULL, NULL, NULL, '', 0 FROM clocks WHERE producer_id = ?1 RETURNING {COLUMNS}"
    );
    let values = params![tenant.number(), new.id, new.url.as_str(), &kinds, new.personal_data, &secret, now];
    tx.query_first(&sql, values, Endpoint::read).await
}

/// A producer's endpoints, oldest first.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Endpoint>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM webhook_endpoints WHERE producer_id = ?1 AND deleted_at IS NULL ORDER BY created_at, id"
    );
    conn.collect(&sql, params![tenant.number()], Endpoint::read).await
}

static FIND: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM webhook_endpoints WHERE producer_id = ?1 AND id = ?2 AND deleted_at IS NULL")
});

/// A producer's endpoint by its public id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Endpoint>> {
    conn.query_first(&FIND, params![tenant.number(), id], Endpoint::read).await
}

/// Reads an endpoint and locks its row until the transaction ends.
pub async fn lock(tx: &mut Unstamped, tenant: Tenant, id: &str) -> Result<Option<Endpoint>> {
    tx.lock_first(&FIND, Locked::Wait, params![tenant.number(), id], Endpoint::read).await
}

/// Locks an endpoint as [`lock`] does, if no courier has a lease on it and no other transaction has locked it.
pub async fn lock_free(tx: &mut Unstamped, tenant: Tenant, id: &str, now: Stamp) -> Result<Option<Endpoint>> {
    static FREE: LazyLock<String> = LazyLock::new(|| format!("{} AND (lease_until <= ?3 OR lease_until > ?4)", *FIND));
    let implausible = now.plus(WEBHOOK_LEASE_PLAUSIBLE);
    tx.lock_first(&FREE, Locked::Skip, params![tenant.number(), id, now, implausible], Endpoint::read).await
}

/// Writes every changeable column of a locked endpoint.
pub async fn save(tx: &mut Unstamped, endpoint: &Endpoint) -> Result<()> {
    let kinds = print_kinds(&endpoint.kinds);
    let secret = endpoint.secret.reveal();
    let old_secrets = old_secrets::print(&endpoint.old_secrets);
    tx.execute(
        "UPDATE webhook_endpoints SET url = ?3, kinds = ?4, personal_data = ?5, secret = ?6, \
         old_secrets = ?7, state = ?8, state_since = ?9, outbox_seq = ?10, last_sequence = ?11, rests_until = ?12, \
         failing_since = ?13, last_success_at = ?14, lease_owner = ?15, lease_until = ?16, caught_up_to = ?17 \
         WHERE producer_id = ?1 AND id = ?2",
        params![
            endpoint.tenant.number(),
            &endpoint.id,
            &endpoint.url,
            &kinds,
            endpoint.personal_data,
            &secret,
            &old_secrets,
            endpoint.state.as_str(),
            endpoint.state_since,
            endpoint.outbox_seq,
            endpoint.last_sequence,
            endpoint.rests_until,
            endpoint.failing_since,
            endpoint.last_success_at,
            &endpoint.lease_owner,
            endpoint.lease_until,
            endpoint.caught_up_to
        ],
    )
    .await?;
    Ok(())
}

/// Gives a locked endpoint a new secret. The old secret signs too for a while, so that the receiver can change over.
/// `false` if too many secrets sign already.
pub async fn rotate(tx: &mut Unstamped, endpoint: &mut Endpoint, secret: &SigningSecret, now: Stamp) -> Result<bool> {
    endpoint.old_secrets.retain(|(_, until)| now < *until);
    if endpoint.old_secrets.len() + 1 >= WEBHOOK_SECRETS_MAX {
        return Ok(false);
    }
    let old = std::mem::replace(&mut endpoint.secret, secret.clone());
    endpoint.old_secrets.push((old, now.plus(WEBHOOK_SECRET_OVERLAP)));
    save(tx, endpoint).await?;
    Ok(true)
}

/// Deletes an endpoint: nothing more is sent, and its secrets are erased. `prune.rs` deletes its deliveries later.
pub async fn delete(tx: &mut Unstamped, tenant: Tenant, id: &str, now: Stamp) -> Result<bool> {
    let deleted = tx
        .execute(
            "UPDATE webhook_endpoints SET deleted_at = ?3, url = '', secret = '', old_secrets = '' \
             WHERE producer_id = ?1 AND id = ?2 AND deleted_at IS NULL",
            params![tenant.number(), id, now],
        )
        .await?;
    Ok(deleted > 0)
}

/// What there is to do for a producer's endpoints.
#[derive(Debug, Default)]
pub struct WithWork {
    /// Endpoints that no courier has a lease on and that have work: messages without a place in the endpoint's sequence,
    /// or deliveries that are due, or some to catch up with. The one whose last lease ended first comes first.
    pub now: Vec<String>,
    /// When to look again, unless something is committed before: a delivery is due then, or a lease or a pause ends.
    pub next: Option<Stamp>,
}

/// What there is to do for a producer's endpoints.
pub async fn with_work(conn: &mut Conn, tenant: Tenant, now: Stamp) -> Result<WithWork> {
    let mut found = conn.collect(WITH_WORK, params![tenant.number()], Looked::read).await?;
    found.sort_by_key(|endpoint| endpoint.lease_until);
    let mut work = WithWork::default();
    for endpoint in found {
        match endpoint.has_work_from(now) {
            Some(from) if from <= now => work.now.push(endpoint.id),
            from => work.next = work.next.into_iter().chain(from).min(),
        }
    }
    Ok(work)
}

/// What tells when an endpoint has work.
struct Looked {
    id: String,
    lease_until: Stamp,
    state: EndpointState,
    rests_until: Stamp,
    catches_up: bool,
    has_new: bool,
    due_at: Option<Stamp>,
}

impl Looked {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.text(0)?.to_owned(),
            lease_until: row.stamp(1)?,
            state: row.named(2, EndpointState::parse)?,
            rests_until: row.stamp(3)?,
            catches_up: row.opt_int(4)?.is_some() && row.opt_stamp(5)?.is_none(),
            has_new: row.opt_int(6)?.is_some(),
            due_at: row.opt_stamp(7)?,
        })
    }

    /// From when on it has work that no courier is doing.
    fn has_work_from(&self, now: Stamp) -> Option<Stamp> {
        if self.lease_until > now && self.lease_until <= now.plus(WEBHOOK_LEASE_PLAUSIBLE) {
            return Some(self.lease_until);
        }
        if self.has_new {
            return Some(now);
        }
        let due = if self.catches_up { Some(now) } else { self.due_at };
        due.filter(|_| self.state.is_sent_to()).map(|due| due.max(self.rests_until))
    }
}

/// The query of [`with_work`]. It looks once into each index for each endpoint, however many messages there are.
pub const WITH_WORK: &str = "SELECT e.id, e.lease_until, e.state, e.rests_until, e.caught_up_to, e.failing_since, \
     (SELECT o.seq FROM outbox o WHERE o.producer_id = ?1 AND o.seq > e.outbox_seq ORDER BY o.seq LIMIT 1), \
     (SELECT d.due_at FROM webhook_deliveries d WHERE d.producer_id = ?1 AND d.endpoint_id = e.id \
      AND d.status = 'pending' AND d.due_at > 0 ORDER BY d.due_at LIMIT 1) \
     FROM webhook_endpoints e WHERE e.producer_id = ?1 AND e.deleted_at IS NULL";
