//! The time that a client has to send the head of its next request.
//!
//! hyper makes a new timer for every request and drops it once the head is there. With tokio's own, each of them takes the
//! lock of all timers twice. Here a connection has one alarm, which is moved only when it rings too early: once in the time that
//! a client has, however many requests it sends.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use hyper::rt::{Sleep, Timer};
use parking_lot::Mutex;

/// The timer of one connection, for deadlines that follow each other.
#[derive(Default)]
pub struct HeadTimer {
    alarm: Arc<Alarm>,
}

/// The alarm, which is set by the first deadline that is waited for.
#[derive(Default)]
struct Alarm(Mutex<Option<Pin<Box<tokio::time::Sleep>>>>);

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Deadline { deadline: deadline.into(), alarm: Arc::clone(&self.alarm) })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into()
    }
}

/// Until when a client may send a head.
struct Deadline {
    deadline: tokio::time::Instant,
    alarm: Arc<Alarm>,
}

impl Sleep for Deadline {}

impl Future for Deadline {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let deadline = self.deadline;
        let mut alarm = self.alarm.0.lock();
        let alarm = alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if alarm.deadline() > deadline {
            alarm.as_mut().reset(deadline);
        }
        loop {
            ready!(alarm.as_mut().poll(context));
            if alarm.deadline() >= deadline {
                return Poll::Ready(());
            }
            // It rang for an earlier head, which has come.
            alarm.as_mut().reset(deadline);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Instant, advance};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn each_head_has_its_whole_time() {
        const TIME: Duration = Duration::from_secs(30);
        let (timer, began) = (HeadTimer::default(), Instant::now());
        // Heads that come in time, some before anybody waits for them.
        for _ in 0..5 {
            let mut head = timer.sleep(TIME);
            assert!(futures_util::poll!(&mut head).is_pending());
            advance(TIME - Duration::from_secs(1)).await;
            assert!(futures_util::poll!(&mut head).is_pending());
            drop(timer.sleep(TIME));
        }
        // One that does not come.
        timer.sleep(TIME).await;
        assert_eq!(began.elapsed().as_secs(), 5 * 29 + 30);
        // A deadline that is earlier than the alarm.
        let late = timer.sleep(TIME);
        assert!(futures_util::poll!(late).is_pending());
        timer.sleep(Duration::from_secs(1)).await;
        assert_eq!(began.elapsed().as_secs(), 5 * 29 + 31);
    }
}
