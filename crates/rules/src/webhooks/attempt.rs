//! One attempt to deliver a message.

use std::time::{Duration, Instant};

use taquilla_domain::{
    clock::Stamp,
    config::{Config, WEBHOOK_RESPONSE_KEPT, WEBHOOK_RESPONSE_READ, WebhookTimeouts},
};
use taquilla_outside::{Answer, Client, Limits, Lookup, NoClient, Problem, Request, Rest, Whom, Within};

/// The result of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// Why there was no answer, or what was wrong with it after its status, in a sentence for staff.
    pub problem: Option<String>,
    /// The beginning of the answer's body.
    pub response: String,
    /// How long a pause the receiver asked for.
    pub retry_after: Option<Duration>,
    /// How long the attempt took.
    pub duration: Duration,
}

/// A client for the endpoints of all producers.
pub fn client(config: &Config, lookup: Lookup) -> Result<Client, NoClient> {
    let WebhookTimeouts { connect, head, body } = config.webhooks.timeouts;
    let limits = Limits { within: Within::Parts { connect, head, body }, bytes: WEBHOOK_RESPONSE_READ };
    Client::new(Whom::Strangers { allow: config.webhooks.allow.clone(), lookup }, limits)
}

/// Makes one attempt. It always ends; what went wrong is in the reply.
pub async fn post(client: &Client, url: &str, headers: &[(&'static str, String)], body: String, now: Stamp) -> Reply {
    let started = Instant::now();
    let reply = match send(client, url, headers, body).await {
        Ok(answer) => Reply {
            status: Some(answer.status.as_u16()),
            response: answer.beginning(WEBHOOK_RESPONSE_KEPT),
            retry_after: answer.retry_after(now),
            // The status is what counts: how much of the body there is beyond what is kept does not matter.
            problem: match answer.rest {
                Rest::Read | Rest::Left => None,
                Rest::Lost(problem) => Some(problem.to_string()),
            },
            ..Reply::default()
        },
        Err(problem) => Reply { problem: Some(problem.to_string()), ..Reply::default() },
    };
    Reply { duration: started.elapsed(), ..reply }
}

async fn send(client: &Client, url: &str, headers: &[(&'static str, String)], body: String) -> Result<Answer, Problem> {
    // Receivers know a message by its id, so that it may come twice.
    let request = Request { may_arrive_twice: true, ..Request::post(url, body) };
    client.send(headers.iter().try_fold(request, |request, (name, value)| request.with(name, value))?).await
}
