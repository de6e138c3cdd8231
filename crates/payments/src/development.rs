//! The development processor of the demo. It moves no money: whoever buys there says what becomes of the payment.
//!
//! Its sessions are in memory. One that was opened before the demo was started again is over.

use std::{collections::VecDeque, future::ready};

use parking_lot::Mutex;

use taquilla_domain::{
    clock::Stamp,
    config::{DEVELOPMENT_LATE, DEVELOPMENT_SESSIONS_MAX, HELD_AFTER_SESSION},
    id,
    time_source::TimeSource,
};

use super::processor::{Answering, NewRefund, NewSession, Paid, Processor, Refunded, Session, SessionState, Trouble};

/// The development processor.
pub struct Development {
    time: TimeSource,
    sessions: Mutex<VecDeque<DevelopmentSession>>,
}

/// A session of the development processor, as its page shows it.
#[derive(Clone, Debug)]
pub struct DevelopmentSession {
    /// Its id.
    pub id: String,
    /// What is paid for.
    pub title: String,
    /// How much.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// Where the buyer came from.
    pub back: String,
    /// Whether it can still be paid.
    pub is_open: bool,
    attempt: String,
    expires_at: Stamp,
    state: SessionState,
    /// When the money of a late payment arrives.
    arrives_at: Option<Stamp>,
}

/// What somebody does in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Pays.
    Pay,
    /// Has the payment refused.
    Refuse,
    /// Leaves the session without a payment; the money arrives all the same, when the order is no longer held.
    PayLate,
    /// Pays twice.
    PayTwice,
}

impl Act {
    /// The act with this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "pay" => Some(Self::Pay),
            "refuse" => Some(Self::Refuse),
            "late" => Some(Self::PayLate),
            "twice" => Some(Self::PayTwice),
            _ => None,
        }
    }
}

impl DevelopmentSession {
    /// How it stands at a time.
    fn state(&self, now: Stamp) -> SessionState {
        match (&self.state, self.arrives_at) {
            (SessionState::Closed, Some(at)) if now >= at => self.paid(1),
            (SessionState::Open, _) if now >= self.expires_at => SessionState::Closed,
            (state, _) => state.clone(),
        }
    }

    fn paid(&self, times: usize) -> SessionState {
        let payment = |number: usize| Paid {
            id: format!("{}-{number}", self.id),
            amount: self.amount,
            is_whole: true,
            currency: self.currency.clone(),
        };
        SessionState::Paid((1..=times).map(payment).collect())
    }
}

impl Development {
    /// A processor without sessions.
    pub fn new(time: TimeSource) -> Self {
        Self { time, sessions: Mutex::default() }
    }

    /// A session, if it is known.
    pub fn session(&self, id: &str) -> Option<DevelopmentSession> {
        let found = self.sessions.lock().iter().find(|session| session.id == id).cloned();
        let now = self.time.now();
        found.map(|session| DevelopmentSession { is_open: session.state(now) == SessionState::Open, ..session })
    }

    /// Does something in a session that can be paid. In any other it changes nothing.
    pub fn act(&self, id: &str, act: Act) {
        let now = self.time.now();
        let mut sessions = self.sessions.lock();
        let open = sessions.iter_mut().find(|session| session.id == id);
        let Some(session) = open.filter(|session| session.state(now) == SessionState::Open) else { return };
        session.state = match act {
            Act::Pay => session.paid(1),
            Act::PayTwice => session.paid(2),
            Act::Refuse => SessionState::Failed,
            Act::PayLate => {
                // Holds end on round moments, a little later than they must.
                session.arrives_at = Some(session.expires_at.plus(HELD_AFTER_SESSION).plus(DEVELOPMENT_LATE));
                SessionState::Closed
            }
        };
    }

    /// How a session stands. One that is not known any more is over.
    fn state(&self, id: &str) -> SessionState {
        let now = self.time.now();
        let sessions = self.sessions.lock();
        sessions.iter().find(|session| session.id == id).map_or(SessionState::Closed, |session| session.state(now))
    }
}

impl Processor for Development {
    fn opens_sessions(&self) -> bool {
        true
    }

    fn begin<'a>(&'a self, new: &'a NewSession<'a>) -> Answering<'a, Session> {
        let mut sessions = self.sessions.lock();
        let begun = |session: &DevelopmentSession| {
            let (id, expires_at) = (session.id.clone(), session.expires_at);
            Session { url: format!("/development/payments/{id}"), id, expires_at }
        };
        if let Some(known) = sessions.iter().find(|session| session.attempt == new.attempt) {
            return Box::pin(ready(Ok(begun(known))));
        }
        let session = DevelopmentSession {
            id: format!("dev_{}", id::new_ticket_id()),
            title: new.title.to_owned(),
            amount: new.amount,
            currency: new.currency.to_owned(),
            back: new.back.to_owned(),
            is_open: true,
            attempt: new.attempt.to_owned(),
            expires_at: new.expires_at,
            state: SessionState::Open,
            arrives_at: None,
        };
        let answer = begun(&session);
        sessions.truncate(DEVELOPMENT_SESSIONS_MAX - 1);
        sessions.push_front(session);
        Box::pin(ready(Ok(answer)))
    }

    fn fetch<'a>(&'a self, session: &'a str) -> Answering<'a, SessionState> {
        Box::pin(ready(Ok(self.state(session))))
    }

    fn cancel<'a>(&'a self, session: &'a str) -> Answering<'a, SessionState> {
        let now = self.time.now();
        let mut sessions = self.sessions.lock();
        let open = sessions.iter_mut().find(|known| known.id == session);
        if let Some(open) = open.filter(|known| known.state(now) == SessionState::Open) {
            open.state = SessionState::Closed;
        }
        drop(sessions);
        self.fetch(session)
    }

    fn refund<'a>(&'a self, refund: &'a NewRefund<'a>) -> Answering<'a, Refunded> {
        let is_ours = refund.payment.starts_with("dev_");
        let refused = || Trouble::Refused("there is no such payment".to_owned());
        Box::pin(ready(is_ours.then_some(Refunded::Done).ok_or_else(refused)))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicI64, Ordering},
        },
        time::Duration,
    };

    use futures_util::FutureExt;

    use super::*;

    fn begun(processor: &Development, attempt: &str, expires_at: Stamp) -> Session {
        let new = NewSession {
            attempt,
            title: "Aurora Nights",
            amount: 50,
            currency: "EUR",
            language: "en",
            email: "",
            expires_at,
            back: "/back",
            notices: "/notices",
        };
        processor.begin(&new).now_or_never().unwrap().unwrap()
    }

    fn state(processor: &Development, session: &str) -> SessionState {
        processor.fetch(session).now_or_never().unwrap().unwrap()
    }

    fn payments(state: &SessionState) -> usize {
        if let SessionState::Paid(paid) = state { paid.len() } else { 0 }
    }

    #[test]
    fn it_does_what_it_is_told_and_nothing_twice() {
        let clock = Arc::new(AtomicI64::new(1_790_000_000_000_000));
        let processor = Development::new(TimeSource::Stepped(Arc::clone(&clock)));
        let ends = Stamp::from_micros(clock.load(Ordering::SeqCst)).plus(Duration::from_mins(30));
        let session = begun(&processor, "or_1-1", ends);
        assert_eq!(begun(&processor, "or_1-1", ends), session, "asked again, it is the same session");
        assert_eq!(state(&processor, &session.id), SessionState::Open);
        processor.act(&session.id, Act::PayTwice);
        processor.act(&session.id, Act::Refuse);
        assert_eq!(payments(&state(&processor, &session.id)), 2);
        assert_eq!(payments(&processor.cancel(&session.id).now_or_never().unwrap().unwrap()), 2);
        let refused = begun(&processor, "or_1-2", ends);
        processor.act(&refused.id, Act::Refuse);
        processor.act(&refused.id, Act::Pay);
        assert_eq!(state(&processor, &refused.id), SessionState::Failed);
        let closed = begun(&processor, "or_1-3", ends);
        assert_eq!(processor.cancel(&closed.id).now_or_never().unwrap(), Ok(SessionState::Closed));
        processor.act(&closed.id, Act::Pay);
        assert_eq!(state(&processor, &closed.id), SessionState::Closed);
        let (late, left) = (begun(&processor, "or_1-4", ends), begun(&processor, "or_1-5", ends));
        processor.act(&late.id, Act::PayLate);
        assert_eq!(state(&processor, &late.id), SessionState::Closed);
        let late_at = ends.plus(HELD_AFTER_SESSION).plus(DEVELOPMENT_LATE);
        clock.store(late_at.micros() - 1, Ordering::SeqCst);
        assert_eq!(state(&processor, &late.id), SessionState::Closed);
        assert_eq!(state(&processor, &left.id), SessionState::Closed, "its time is over");
        clock.store(late_at.micros(), Ordering::SeqCst);
        assert_eq!(payments(&state(&processor, &late.id)), 1);
        assert_eq!(state(&processor, "dev_unknown"), SessionState::Closed);
    }
}
