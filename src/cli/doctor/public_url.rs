//! Whether the world would reach the service where its links lead.

use taquilla_domain::{config::REACHED_WITHIN, public_url::PublicUrl};
use taquilla_outside::{Answer, Client, Limits, Request, Rest, Roots, Whom, Within};

use super::finding::Finding;

const ABOUT: &str = "public URL";
/// What a server answers that is ready.
const READY: &str = "ready\n";

pub async fn look(url: Option<PublicUrl>) -> Vec<Finding> {
    let Some(url) = url else {
        return vec![Finding::doubtful(
            ABOUT,
            "none is set, so that no link for door staff or new users can be made",
            "Set TAQUILLA_PUBLIC_URL to where the world reaches the service, such as https://tickets.example.com",
        )];
    };
    let plain = url.as_str().starts_with("http://").then(|| {
        Finding::doubtful(
            ABOUT,
            format!("{} is not https", url.as_str()),
            "Use https: without it phones at the door get no camera, and passwords go over the network in the clear",
        )
    });
    let reached = match ask(&url).await {
        Ok(answer) => judge(&url, answer),
        Err(problem) => Finding::wrong(
            ABOUT,
            format!("{} cannot be reached from here: {problem}", url.as_str()),
            "See whether the server and the proxy run, whether the name leads to this machine, and what the firewall allows",
        ),
    };
    std::iter::once(reached).chain(plain).collect()
}

async fn ask(url: &PublicUrl) -> Result<Answer, String> {
    let limits = Limits { within: Within::All(REACHED_WITHIN), bytes: READY.len() };
    let client = Client::new(Whom::Ourselves(Roots::System), limits).map_err(|cause| cause.to_string())?;
    let asked = client.send(Request::get(&format!("{}/readyz", url.as_str()))).await;
    asked.map_err(|problem| problem.to_string())
}

fn judge(url: &PublicUrl, answer: Answer) -> Finding {
    let (url, status) = (url.as_str(), answer.status.as_u16());
    // Only our server numbers its requests like this.
    let ours = answer.headers.contains_key("x-request-id");
    let leads_to = answer.header("location");
    let is_ready = status == 200 && answer.rest == Rest::Read && answer.body == READY.as_bytes();
    match status {
        _ if is_ready => Finding::good(ABOUT, format!("{url} answers, and is ready")),
        503 if ours => Finding::wrong(
            ABOUT,
            format!("{url} answers with status {status}: the server there cannot use its database"),
            "Its log says why",
        ),
        300..=399 => Finding::wrong(
            ABOUT,
            format!("{url} leads on to {}", leads_to.unwrap_or("somewhere else")),
            "Set TAQUILLA_PUBLIC_URL to where the service itself is",
        ),
        502..=504 => Finding::wrong(
            ABOUT,
            format!("{url} answers with status {status}: the proxy does not reach the server"),
            "Start the server, and let the proxy lead to the address of TAQUILLA_LISTEN",
        ),
        _ => Finding::wrong(
            ABOUT,
            format!("something else answers at {url}, with status {status}"),
            "Correct TAQUILLA_PUBLIC_URL, or what the proxy leads to",
        ),
    }
}
