//! Looks at every attempt whose time has come: those that may still be paid, and for a while those that have ended.

use futures_util::{FutureExt, StreamExt, stream};

use taquilla_domain::{
    clock::Stamp,
    config::{ATTEMPT_LEASE, ATTEMPTS_ASKED_TOGETHER, ATTEMPTS_POLL, ATTEMPTS_SWEPT, ATTEMPTS_TOGETHER, QUESTION_MAX},
};
use taquilla_store::{
    ChangeResult, Tenant,
    sales::attempts::{self, Due},
    transaction,
};

use super::{cashier::Cashier, look::look};
use crate::{
    rounds::{in_time::in_time, rota::Rota},
    task::{Rounds, Task},
};

/// Starts to look at attempts. Whatever a server that ended has left is found when its producer's turn comes.
pub fn start(cashier: Cashier) -> Task {
    let rota = Rota::new(cashier.store.clone(), cashier.time.clone());
    Task::every(ATTEMPTS_POLL, Reconciler { cashier, rota })
}

struct Reconciler {
    cashier: Cashier,
    rota: Rota,
}

impl Rounds for Reconciler {
    type Error = taquilla_store::Error;

    const TROUBLE: &'static str = "attempts to pay cannot be looked at";

    async fn round(&mut self) -> Result<(), taquilla_store::Error> {
        self.rota.none_is_asked();
        self.rota.note_commits();
        let together = if self.cashier.store.is_remote() { ATTEMPTS_ASKED_TOGETHER } else { 1 };
        let mut tenants = self.rota.due(together);
        tenants.extend(self.rota.in_turn(ATTEMPTS_SWEPT).await?);
        let cashier = &self.cashier;
        let mut looked = stream::iter(tenants)
            .map(|tenant| look_at_due(cashier, tenant).map(move |next| (tenant, next)))
            .buffer_unordered(together);
        while let Some((tenant, next)) = looked.next().await {
            match next {
                Ok(next) => self.rota.done(tenant, next),
                Err(cause) => {
                    tracing::warn!(?cause, producer = tenant.number(), "attempts to pay cannot be looked at");
                    self.rota.failed(tenant);
                }
            }
        }
        Ok(())
    }
}

/// Looks at a producer's attempts whose time has come. Tells when the next one's comes.
async fn look_at_due(cashier: &Cashier, tenant: Tenant) -> ChangeResult<Option<Stamp>> {
    let now = cashier.time.now();
    let asked = async { attempts::next(&mut cashier.store.read().await?, tenant, ATTEMPTS_TOGETHER).await };
    let next: Vec<Due> = in_time(&cashier.store, QUESTION_MAX, asked).await?;
    for due in next.iter().filter(|due| due.look_at <= now) {
        let until = now.plus(ATTEMPT_LEASE);
        let is_ours = transaction!(cashier.store.begin_unstamped(), |tx| attempts::claim(tx, tenant, due, until).await);
        if is_ours? {
            look(cashier, tenant, &due.order_id, due.number).await?;
        }
    }
    // One that was due has a later time now, which its own commit tells of.
    Ok(next.iter().map(|due| due.look_at).find(|at| *at > now))
}
