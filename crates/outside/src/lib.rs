//! The one way out: requests to the servers of others, such as receivers of webhooks and authorities for certificates.
//!
//! A caller builds a [`Client`] once, for those it is going to call ([`Whom`]) and with [`Limits`] of time and size. For each
//! call it gives a [`Request`] (a URL, headers, a body), and gets an [`Answer`] (a status, headers, a bounded body) or a
//! [`Problem`], which is a sentence for staff.
//!
//! Nothing else in the service opens a connection, except to its database. So what holds for one call holds for all: TLS by
//! one library, with the system's roots; no redirects; HTTP/1; no answer without an end. A URL that a stranger gave is not
//! trusted at all: every address that it leads to is checked when it is dialled.

mod answer;
mod client;
mod limits;
mod lookup;
mod no_client;
mod problem;
mod request;
mod resolver;
mod retry_after;
mod roots;
mod whom;

pub use reqwest::{Method, StatusCode, header::HeaderMap};

pub use self::{
    answer::{Answer, Rest},
    client::Client,
    limits::{Limits, Within},
    lookup::{Lookup, Script},
    no_client::NoClient,
    problem::Problem,
    request::Request,
    roots::Roots,
    whom::Whom,
};
