//! Many buyers at once on the pages of a shop: each looks at the event, chooses, waits in line if there is one, types and confirms.
//! Everybody ends with tickets or is told that there are none.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use reqwest::{Client, Response, StatusCode, header, redirect::Policy};
use serde_json::json;

use crate::{Failure, latencies};

/// What all of them buy, one each.
pub struct Pages {
    pub shop: String,
    pub item: String,
}

/// What one of them has.
struct Visitor {
    client: Client,
    pages: Arc<Pages>,
    cookie: String,
    latencies: Vec<u64>,
    looks: usize,
}

pub async fn run(pages: Pages, count: usize) -> Result<(), Failure> {
    // reqwest needs a TLS provider even for plain http. If there is one already, that will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().no_proxy().redirect(Policy::none()).tls_certs_only([]).build()?;
    let pages = Arc::new(pages);
    let started = Instant::now();
    let done = Arc::new(Mutex::new(Vec::new()));
    let visits: Vec<_> = (0..count)
        .map(|_| {
            let visitor = Visitor {
                client: client.clone(),
                pages: Arc::clone(&pages),
                cookie: String::new(),
                latencies: Vec::new(),
                looks: 0,
            };
            let done = Arc::clone(&done);
            tokio::spawn(async move {
                let outcome = visitor.visit().await?;
                done.lock().map_err(|_| "a visitor panicked")?.push(outcome);
                Ok::<(), Failure>(())
            })
        })
        .collect();
    for visit in visits {
        visit.await??;
    }
    let done = std::mem::take(&mut *done.lock().map_err(|_| "a visitor panicked")?);
    let sold = done.iter().filter(|(is_sold, _)| *is_sold).count();
    let waited = done.iter().filter(|(_, visitor)| visitor.looks > 0).count();
    let latencies: Vec<u64> = done.into_iter().flat_map(|(_, visitor)| visitor.latencies).collect();
    let count = latencies.len();
    let mut summary = latencies::summary(latencies, count, started.elapsed());
    (summary["sold"], summary["waited"]) = (json!(sold), json!(waited));
    summary["seconds"] = json!(started.elapsed().as_secs_f64());
    println!("{summary}");
    Ok(())
}

impl Visitor {
    /// Whether they got a ticket. Whoever did not was told.
    async fn visit(mut self) -> Result<(bool, Self), Failure> {
        let (page, item) = (self.pages.shop.clone(), self.pages.item.clone());
        self.ask(&page, None).await?;
        let (_, chosen, _) = self.ask(&page, Some(&[(format!("quantity_{item}"), "1".to_owned())])).await?;
        let order = format!("{page}/order");
        let Some(_) = chosen else { return Ok((false, self)) };
        let mut form = loop {
            let (status, _, text) = self.ask(&format!("{order}?quantity_{item}=1"), None).await?;
            match self.looks_again(&text) {
                _ if status == StatusCode::UNPROCESSABLE_ENTITY => return Ok((false, self)),
                Some(pause) => tokio::time::sleep(pause).await,
                None => break text,
            }
            self.looks += 1;
        };
        for step in ["review", "place"] {
            let field = |name: &str| {
                let value =
                    form.split_once(&format!("name=\"{name}\" value=\"")).and_then(|(_, rest)| rest.split_once('"'));
                (name.to_owned(), value.map_or_else(String::new, |(value, _)| value.to_owned()))
            };
            let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let fields = [
                field("key"),
                field("entry"),
                own(&format!("quantity_{item}"), "1"),
                own("name", "Ana Ruiz"),
                own("email", &format!("ana.{:016x}@example.com", rand::random::<u64>())),
                own("step", step),
            ];
            let (status, placed, text) = self.ask(&order, Some(&fields)).await?;
            if placed.is_some() || status == StatusCode::UNPROCESSABLE_ENTITY {
                return Ok((placed.is_some(), self));
            }
            form = text;
        }
        Err("a form was confirmed and shown again".into())
    }

    /// Asks for a page, or sends a form: the status, where it leads to, and the page with its head.
    async fn ask(
        &mut self,
        path: &str,
        form: Option<&[(String, String)]>,
    ) -> Result<(StatusCode, Option<String>, String), Failure> {
        let begun = Instant::now();
        let request = match form {
            None => self.client.get(path),
            Some(fields) => self
                .client
                .post(path)
                .header("sec-fetch-site", "same-origin")
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()),
        };
        let answer = request.header(header::COOKIE, &self.cookie).send().await?;
        let status = answer.status();
        if !status.is_success() && status != StatusCode::SEE_OTHER && status != StatusCode::UNPROCESSABLE_ENTITY {
            return Err(format!("{path}: {status}").into());
        }
        let of = |name| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
        let (leads_to, refresh) = (of(header::LOCATION), of(header::REFRESH));
        if let Some(cookie) = of(header::SET_COOKIE) {
            self.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        }
        let text = Response::text(answer).await?;
        self.latencies.push(begun.elapsed().as_micros() as u64);
        Ok((status, leads_to, refresh.map_or(text, |seconds| format!("REFRESH {seconds}"))))
    }

    fn looks_again(&self, text: &str) -> Option<Duration> {
        text.strip_prefix("REFRESH ").and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs)
    }
}
