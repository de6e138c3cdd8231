//! A client of the read API that follows what changes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Client;

/// A client that keeps to the documented rule: finish a traversal, then pass the highest stamp it saw.
#[derive(Clone)]
pub struct Poller {
    client: Client,
    key: String,
    /// The list, the filter of the feed, and the field of its stamp.
    pub feed: (&'static str, &'static str, &'static str),
    page: usize,
    mark: String,
    /// The last that came of each row.
    pub rows: BTreeMap<String, Value>,
    /// Every row that came, with its stamp.
    seen: BTreeSet<(String, String)>,
}

impl Poller {
    pub fn new(client: Client, key: &str, feed: (&'static str, &'static str, &'static str), page: usize) -> Self {
        let mark = "2020-01-01T00:00:00.000000Z".to_owned();
        Self { client, key: key.to_owned(), feed, page, mark, rows: BTreeMap::new(), seen: BTreeSet::new() }
    }

    /// The same client, at another server.
    pub fn at(&self, client: &Client) -> Self {
        Self { client: client.clone(), ..self.clone() }
    }

    /// The highest stamp that it has seen.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// One traversal. A change comes once.
    pub async fn poll(&mut self) {
        let (list, filter, field) = self.feed;
        let mut highest = self.mark.clone();
        let mut cursor = String::new();
        loop {
            let path = format!("/api/v1/{list}?limit={}&{filter}={}{cursor}", self.page, self.mark);
            let page = self.client.get(&path, &self.key).await;
            for row in page.data() {
                let (id, stamp) = (row["id"].as_str().unwrap().to_owned(), row[field].as_str().unwrap().to_owned());
                highest = highest.max(stamp.clone());
                assert!(self.seen.insert((id.clone(), stamp)), "a change came twice: {row}");
                self.rows.insert(id, row);
            }
            match page.json()["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        self.mark = highest;
    }
}

/// A whole list.
pub async fn everything(client: &Client, key: &str, list: &str) -> BTreeMap<String, Value> {
    let mut rows = BTreeMap::new();
    let mut cursor = String::new();
    loop {
        let page = client.get(&format!("/api/v1/{list}?limit=200{cursor}"), key).await;
        rows.extend(page.data().into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)));
        match page.json()["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return rows,
        }
    }
}
