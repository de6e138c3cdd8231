//! Round after round, until somebody says stop.

use std::{pin::pin, time::Duration};

use crate::{
    error::Error,
    listen::{Arrived, Receiver},
    sync::Sync,
};

impl Sync {
    /// Brings the mirror up to date every so often, and at once when a message arrives, until `stop` is done. What may pass is
    /// told and tried again the next time.
    pub async fn follow(
        &mut self,
        every: Duration,
        mut receiver: Option<Receiver>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        let mut stop = pin!(stop);
        loop {
            let round = tokio::select! {
                round = self.round() => round,
                // What was stored is whole, and the next run goes on from there.
                () = &mut stop => return Ok(()),
            };
            match round {
                Err(cause) if !cause.is_passing() => return Err(cause),
                // A connection to the mirror's database does not come back by itself.
                Err(cause @ (Error::Postgres(_) | Error::Connection(_))) => return Err(cause),
                Err(cause) => self.note(format!("{cause}; it is tried again in {} s", every.as_secs())),
                Ok(()) => {}
            }
            let arrived = tokio::select! {
                () = tokio::time::sleep(every) => Arrived::Nothing,
                arrived = arrival(&mut receiver) => arrived,
                () = &mut stop => return Ok(()),
            };
            if let Arrived::Hidden { id, stored } = arrived {
                self.hide(id).await?;
                // If nobody waits for this any more, the message comes again, which does no harm.
                let _ = stored.send(());
            }
        }
    }
}

async fn arrival(receiver: &mut Option<Receiver>) -> Arrived {
    match receiver {
        Some(receiver) => receiver.next().await,
        None => std::future::pending().await,
    }
}
