//! What every payment processor can be asked.

use std::future::ready;

use futures_util::future::BoxFuture;

use taquilla_domain::clock::Stamp;
use taquilla_outside::HeaderMap;

/// A payment processor, as one producer uses it. What a processor does not do, it does not say: by default it opens no
/// sessions, sends no notices and pays nothing back.
pub trait Processor: Send + Sync {
    /// Whether it opens sessions in which buyers pay. If not, they pay elsewhere.
    fn opens_sessions(&self) -> bool {
        false
    }

    /// Opens a session in which a buyer pays. Asked again with the same attempt, it opens no second one.
    fn begin<'a>(&'a self, _new: &'a NewSession<'a>) -> Answering<'a, Session> {
        Box::pin(ready(Err(Trouble::no_sessions())))
    }

    /// What a notice is about, if the processor has sent it.
    fn verify(&self, _notice: &Incoming<'_>) -> Option<Noticed> {
        None
    }

    /// How a session stands.
    fn fetch<'a>(&'a self, _session: &'a str) -> Answering<'a, SessionState> {
        Box::pin(ready(Err(Trouble::no_sessions())))
    }

    /// Closes a session, so that it can no longer be paid. The answer says how it stands then: it may have been paid before.
    fn cancel<'a>(&'a self, _session: &'a str) -> Answering<'a, SessionState> {
        Box::pin(ready(Err(Trouble::no_sessions())))
    }

    /// Pays money back. Asked again with the same key, it pays nothing twice.
    fn refund<'a>(&'a self, _refund: &'a NewRefund<'a>) -> Answering<'a, Refunded> {
        Box::pin(ready(Ok(Refunded::ByHand)))
    }
}

/// A processor's answer, which arrives later.
pub type Answering<'a, T> = BoxFuture<'a, Result<T, Trouble>>;

/// A session to be opened.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// The name of the attempt, the same whenever it is asked for again.
    pub attempt: &'a str,
    /// What is paid for, as the buyer reads it.
    pub title: &'a str,
    /// How much, in whole units of the currency.
    pub amount: i64,
    /// The currency.
    pub currency: &'a str,
    /// The tag of the buyer's language.
    pub language: &'a str,
    /// The buyer's e-mail address, so that nobody writes it twice; empty if it is not known.
    pub email: &'a str,
    /// Until when it can be paid. The session may end a little earlier.
    pub expires_at: Stamp,
    /// Where the buyer goes once the payment is done, and where they go back to without one.
    pub back: &'a str,
    /// Where the processor sends its notices.
    pub notices: &'a str,
}

/// A session in which a buyer pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The processor's id for it.
    pub id: String,
    /// The page where the buyer pays.
    pub url: String,
    /// When it can no longer be paid.
    pub expires_at: Stamp,
}

/// A request that claims to come from a processor.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// Its query, without the question mark.
    pub query: &'a str,
    /// Its body, as it came.
    pub body: &'a [u8],
    /// When it came.
    pub now: Stamp,
}

/// What a notice is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noticed {
    /// A session, by its id: it should be looked at.
    Session(String),
    /// What the notice itself says of a payment.
    Itself,
}

/// How a session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// It can be paid.
    Open,
    /// It is paid in a way that takes a while, and the money has not come yet.
    Pending,
    /// These payments were made in it. One order needs one; more than one is more than was owed.
    Paid(Vec<Paid>),
    /// The payment was refused, and the session is over.
    Failed,
    /// It is over, and nothing was paid.
    Closed,
}

/// A payment that a processor has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paid {
    /// The processor's id for it.
    pub id: String,
    /// How much, in whole units of the currency, rounded down.
    pub amount: i64,
    /// Whether that is all of it. An order costs whole units, so a payment with a fraction is not what was asked for.
    pub is_whole: bool,
    /// The currency.
    pub currency: String,
}

/// Money to be paid back.
#[derive(Clone, Copy, Debug)]
pub struct NewRefund<'a> {
    /// What the refund is known by, the same whenever it is asked for again.
    pub key: &'a str,
    /// The processor's id of the payment.
    pub payment: &'a str,
    /// How much, in whole units of the currency.
    pub amount: i64,
    /// The currency.
    pub currency: &'a str,
}

/// What became of money to be paid back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refunded {
    /// It is on its way.
    Pending,
    /// It is paid back.
    Done,
    /// This processor pays nothing back: staff do.
    ByHand,
}

/// Why a processor did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It said no, in these words. Nothing was done.
    #[error("{0}")]
    Refused(String),
    /// There was no answer, or none that says whether it was done.
    #[error("{0}")]
    Unknown(String),
}

impl Trouble {
    fn no_sessions() -> Self {
        Self::Refused("this processor opens no sessions".to_owned())
    }
}
