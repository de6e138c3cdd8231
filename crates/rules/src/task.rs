//! Tasks that run beside a server: how they begin, go on and end.

use std::{fmt::Display, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use taquilla_domain::{clock::Stamp, time_source::TimeSource};

/// A running task. Dropping this ends it, even in the middle of work.
pub struct Task {
    stop: CancellationToken,
    running: AbortOnDropHandle<()>,
}

/// Work that is done again and again.
pub trait Rounds: Send + 'static {
    /// What keeps a round from being done.
    type Error: Display;

    /// What the log says of a round that was not done.
    const TROUBLE: &'static str;

    /// Does it once.
    fn round(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

impl Task {
    /// Begins a task. It should end soon once the token is cancelled.
    pub fn start<Work>(work: impl FnOnce(CancellationToken) -> Work) -> Self
    where
        Work: Future<Output = ()> + Send + 'static,
    {
        let stop = CancellationToken::new();
        let running = AbortOnDropHandle::new(tokio::spawn(work(stop.clone())));
        Self { stop, running }
    }

    /// Begins a task that does a round after each pause. A round that fails or panics is logged, and the next one comes all
    /// the same.
    pub fn every(pause: Duration, mut rounds: impl Rounds) -> Self {
        Self::start(|stop| async move {
            while stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
                guarded(&mut rounds).await;
            }
        })
    }

    /// Tells the task to stop, and waits until it has.
    pub async fn stop(self) {
        self.stop.cancel();
        if let Err(cause) = self.running.await {
            tracing::error!(%cause, "a task ended early");
        }
    }
}

async fn guarded<Work: Rounds>(rounds: &mut Work) {
    match AssertUnwindSafe(rounds.round()).catch_unwind().await {
        Ok(Ok(())) => {}
        Ok(Err(cause)) => tracing::warn!(%cause, "{}", Work::TROUBLE),
        Err(_) => tracing::error!(cause = "panic", "{}", Work::TROUBLE),
    }
}

/// The next time of something that is done at intervals by the server's clock, which tests step.
pub(crate) struct Due {
    time: TimeSource,
    next: Stamp,
    every: Duration,
}

impl Due {
    /// For the first time after a while, and then at intervals.
    pub(crate) fn first_after(time: TimeSource, first: Duration, every: Duration) -> Self {
        Self { next: time.now().plus(first), time, every }
    }

    /// Whether it is time. If so, the next time is one interval from now.
    pub(crate) fn has_come(&mut self) -> bool {
        let now = self.time.now();
        let has_come = now >= self.next;
        if has_come {
            self.next = now.plus(self.every);
        }
        has_come
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    struct Counting(Arc<AtomicUsize>);

    impl Rounds for Counting {
        type Error = &'static str;

        const TROUBLE: &'static str = "a count failed";

        async fn round(&mut self) -> Result<(), &'static str> {
            match self.0.fetch_add(1, Ordering::SeqCst) {
                0 => Err("the first one"),
                1 => panic!("the second one"),
                _ => Ok(()),
            }
        }
    }

    #[tokio::test]
    async fn rounds_go_on_after_an_error_and_a_panic_until_they_are_stopped() {
        let counted = Arc::<AtomicUsize>::default();
        let task = Task::every(Duration::from_millis(1), Counting(Arc::clone(&counted)));
        while counted.load(Ordering::SeqCst) < 4 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        task.stop().await;
        let stopped_at = counted.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(counted.load(Ordering::SeqCst), stopped_at);
        assert_eq!(Arc::strong_count(&counted), 1, "nothing of the task is left");
    }

    #[tokio::test]
    async fn a_task_that_is_dropped_is_over() {
        let held = Arc::new(());
        let other = Arc::clone(&held);
        let task = Task::start(|_| async move {
            let _held = other;
            std::future::pending::<()>().await;
        });
        drop(task);
        while Arc::strong_count(&held) > 1 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
