//! Watching a server by its metrics.

use std::{collections::BTreeSet, net::SocketAddr};

use super::{client::http_client, server::Server, world::World};
use taquilla_domain::config::Config;

/// Whoever asks a server for its metrics.
pub struct Watch {
    pub address: SocketAddr,
    http: reqwest::Client,
}

/// Metrics as they came.
#[derive(Debug)]
pub struct Scraped {
    pub text: String,
    pub kind: String,
}

impl World {
    /// Replaces the world's server by one with these settings that tells its metrics.
    pub async fn watch(&mut self, config: Config) -> Watch {
        self.server.stop().await;
        let (server, address) = Server::start_watched(self.store.clone(), config, self.time()).await;
        self.client = super::Client::new(server.address);
        self.server = server;
        Watch::new(address)
    }
}

impl Watch {
    pub fn new(address: SocketAddr) -> Self {
        Self { address, http: http_client() }
    }

    /// In the format that every scraper reads.
    pub async fn scrape(&self) -> Scraped {
        self.scrape_as("*/*").await
    }

    /// In the format that is asked for.
    pub async fn scrape_as(&self, accept: &str) -> Scraped {
        let answer = self.http.get(format!("http://{}/metrics", self.address)).header("accept", accept).send().await;
        let answer = answer.unwrap();
        assert_eq!(answer.status(), 200);
        let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
        Scraped { text: answer.text().await.unwrap(), kind }
    }
}

impl Scraped {
    fn samples(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}")))
    }

    /// The number of a series, written as it is told; `None` if it is not.
    pub fn get(&self, series: &str) -> Option<f64> {
        self.samples().find(|(told, _)| *told == series).map(|(_, value)| value.parse().unwrap())
    }

    /// The number of a series that must be there.
    pub fn value(&self, series: &str) -> f64 {
        self.get(series).unwrap_or_else(|| panic!("no {series} in {}", self.text))
    }

    /// The names of all samples.
    pub fn names(&self) -> BTreeSet<String> {
        self.samples().map(|(series, _)| series.split('{').next().unwrap().to_owned()).collect()
    }

    /// The values that a label has anywhere.
    pub fn labels(&self, label: &str) -> BTreeSet<String> {
        let before = format!("{label}=\"");
        let of_series = |series: &str| {
            let at = series
                .find(&format!(",{before}"))
                .map(|at| at + 1)
                .or_else(|| series.find(&format!("{{{before}")).map(|at| at + 1))?;
            series[at + before.len()..].split('"').next().map(str::to_owned)
        };
        self.samples().filter_map(|(series, _)| of_series(series)).collect()
    }

    /// How many series there are.
    pub fn count(&self) -> usize {
        self.samples().count()
    }
}
