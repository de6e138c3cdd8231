//! Beginning, stopping and resuming long work. Servers carry it out (`crates/rules/src/work/`).

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::{UPLOAD_PART, UPLOADS_BYTES, UPLOADS_WAITING},
    id,
    refusal::Refusal,
    status::EventStatus,
    work::{WorkKind, WorkState},
};
use taquilla_store as store;
use taquilla_store::{
    ChangeError, ChangeResult, Store, Tenant, Unstamped,
    catalogue::events,
    staff::{audit, authority},
    transaction,
    work::{
        pieces::{self, Piece},
        uploads,
    },
};

/// Begins to refund all orders of a cancelled event. If that has begun already, that piece of work is returned.
pub async fn refund_all(store: &Store, tenant: Tenant, event_id: &str, by: &By) -> ChangeResult<Piece> {
    transaction!(store.begin_unstamped(), |tx| {
        check_cancelled(tx, tenant, event_id).await?;
        let id = id::new_id("wk", by.now);
        let piece = Piece::new(tenant, id, WorkKind::Refund, event_id, WorkState::Running, by);
        if pieces::insert(tx, &piece).await? {
            audit::add(tx, Some(tenant), by, Action::RefundBegun, event_id, &[("work", &piece.id)]).await?;
            return Ok::<_, ChangeError>(piece);
        }
        let known = pieces::of_subject(tx, tenant, WorkKind::Refund, event_id, 1).await?;
        Ok(known.into_iter().next().ok_or_else(|| store::Error::internal("work that is neither new nor known"))?)
    })
}

/// Refunding everybody is for an event that does not take place. The moves that refund look again.
async fn check_cancelled(tx: &mut Unstamped, tenant: Tenant, event_id: &str) -> ChangeResult<()> {
    let status = events::find(tx, tenant, event_id, |event| event.status).await?;
    match status.ok_or(Refusal::NotFound("event"))? {
        EventStatus::Cancelled => Ok(()),
        _ => Err(Refusal::EventNotCancelled.into()),
    }
}

/// Stops a refund of all orders after the orders that are being decided. What is refunded stays refunded.
pub async fn stop(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<()> {
    turn_refund(store, tenant, id, (WorkState::Running, WorkState::Stopped), Action::RefundStopped, by).await
}

/// Goes on with a refund that was stopped, if its event is cancelled.
pub async fn go_on(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<()> {
    turn_refund(store, tenant, id, (WorkState::Stopped, WorkState::Running), Action::RefundBegun, by).await
}

async fn turn_refund(
    store: &Store,
    tenant: Tenant,
    id: &str,
    (from, to): (WorkState, WorkState),
    action: Action,
    by: &By,
) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        let found = pieces::find(tx, tenant, WorkKind::Refund, id).await?;
        let piece = found.ok_or(Refusal::NotFound("piece of work"))?;
        if to == WorkState::Running {
            check_cancelled(tx, tenant, &piece.subject).await?;
        }
        // Who stops what is done, or what another has stopped, has what they want.
        if pieces::turn(tx, tenant, id, &[from], to, None).await? {
            audit::add(tx, Some(tenant), by, action, &piece.subject, &[("work", id)]).await?;
        }
        Ok::<_, ChangeError>(())
    })
}

/// A file that is arriving.
pub struct Upload<'a> {
    store: &'a Store,
    by: &'a By,
    /// The piece of work that will import it.
    pub piece: Piece,
    waiting: String,
    parts: i64,
    bytes: i64,
}

impl<'a> Upload<'a> {
    /// Begins to take a file.
    pub async fn begin(store: &'a Store, tenant: Tenant, name: &str, by: &'a By) -> ChangeResult<Self> {
        let id = id::new_id("wk", by.now);
        let piece = Piece::new(tenant, id, WorkKind::Import, name, WorkState::Uploading, by);
        transaction!(store.begin_unstamped(), |tx| {
            authority::look(tx, by).await?;
            if pieces::files(tx, tenant).await?.0 >= UPLOADS_WAITING {
                return Err(Refusal::Full(format!(
                    "{UPLOADS_WAITING} files of a producer wait at most; import one, or give one up"
                ))
                .into());
            }
            pieces::insert(tx, &piece).await?;
            Ok::<_, ChangeError>(())
        })?;
        Ok(Self { store, by, piece, waiting: String::new(), parts: 0, bytes: 0 })
    }

    /// How many bytes have arrived.
    pub fn bytes(&self) -> i64 {
        self.bytes
    }

    /// Takes more of the file.
    pub async fn add(&mut self, text: &str) -> ChangeResult<()> {
        self.waiting.push_str(text);
        self.bytes += text.len() as i64;
        if self.waiting.len() >= UPLOAD_PART { self.keep().await } else { Ok(()) }
    }

    /// Keeps what has arrived, if whoever sends it still may, and if there is room beside the producer's other files.
    async fn keep(&mut self) -> ChangeResult<()> {
        let (tenant, id, part, content) = (self.piece.tenant, &self.piece.id, self.parts, &self.waiting);
        transaction!(self.store.begin_unstamped(), |tx| {
            authority::look(tx, self.by).await?;
            pieces::arrived(tx, tenant, id, self.bytes).await?;
            if pieces::files(tx, tenant).await?.1 > UPLOADS_BYTES {
                return Err(Refusal::Full(format!(
                    "files of a producer that wait have {UPLOADS_BYTES} bytes at most; import one, or give one up"
                ))
                .into());
            }
            uploads::add(tx, tenant, id, part, content).await?;
            Ok::<_, ChangeError>(())
        })?;
        self.parts += 1;
        self.waiting.clear();
        Ok(())
    }

    /// The whole file is here: lets servers check it.
    pub async fn end(&mut self) -> ChangeResult<()> {
        self.keep().await?;
        let (tenant, id) = (self.piece.tenant, &self.piece.id);
        transaction!(self.store.begin_unstamped(), |tx| {
            pieces::turn(tx, tenant, id, &[WorkState::Uploading], WorkState::Checking, None).await
        })?;
        Ok(())
    }

    /// Forgets what has arrived.
    pub async fn drop(self) -> ChangeResult<()> {
        let (tenant, id, now) = (self.piece.tenant, &self.piece.id, self.by.now);
        transaction!(self.store.begin_unstamped(), |tx| {
            uploads::forget(tx, tenant, id).await?;
            pieces::turn(tx, tenant, id, &[WorkState::Uploading], WorkState::GivenUp, Some(now)).await?;
            Ok::<_, ChangeError>(())
        })
    }
}

/// Lets servers import a file that was checked.
pub async fn import(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        let found = pieces::find(tx, tenant, WorkKind::Import, id).await?;
        let piece = found.ok_or(Refusal::NotFound("import"))?;
        if pieces::turn(tx, tenant, id, &[WorkState::Checked], WorkState::Running, None).await? {
            let again = Piece { state: WorkState::Running, done: 0, leased_until: Stamp::BEGINNING, ..piece };
            pieces::advance(tx, &again, Stamp::BEGINNING).await?;
            pieces::decided(tx, tenant, id, by).await?;
        }
        Ok::<_, ChangeError>(())
    })
}

/// Gives up a file that was checked. Nothing of it is kept.
pub async fn give_up(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_unstamped(), |tx| {
        authority::look(tx, by).await?;
        let found = pieces::find(tx, tenant, WorkKind::Import, id).await?;
        found.ok_or(Refusal::NotFound("import"))?;
        if pieces::turn(tx, tenant, id, &[WorkState::Checked], WorkState::GivenUp, Some(by.now)).await? {
            uploads::forget(tx, tenant, id).await?;
        }
        Ok::<_, ChangeError>(())
    })
}
