//! Makes the connections of a pool.

use std::{sync::Arc, time::Duration};

use deadpool::managed::{Manager, Metrics, RecycleError, RecycleResult};
use rand::seq::SliceRandom;
use tokio::{task::spawn_blocking, time::timeout};
use tokio_postgres::{Config, Connection, NoTls, Socket, config::SslMode, tls::TlsStream};

use super::{
    super::{
        super::error::{Error, Result},
        client::Client,
    },
    address::Address,
    explain::{Attempt, Failure},
    passwords::PasswordSearch,
    place::Place,
    pooler::{Pooler, Unfit},
    stream::BeginTls,
    tls::{Mode, Tls},
};

/// Connects to the servers of an address.
pub struct Connector {
    address: Arc<Address>,
    /// What a new connection runs first.
    settings: String,
    /// What is known of poolers in between.
    pooler: Pooler,
    /// How long all of it may take.
    wait: Duration,
}

impl Connector {
    pub fn new(address: Address, settings: String, wait: Duration) -> Self {
        Self { pooler: Pooler::new(address.keeps_sessions), address: Arc::new(address), settings, wait }
    }

    /// Connects to one server. A pooler may refuse the connection because of what it is to pass on.
    async fn reach(
        &self,
        place: &Place,
        tls: Option<&Tls>,
        password: &PasswordSearch,
        wait: Duration,
    ) -> Result<Client, Failure> {
        match self.reach_once(place, tls, password, wait).await {
            Err(failure) if failure.is_of_pooler => {
                self.pooler.note();
                self.reach_once(place, tls, password, wait).await
            }
            reached => reached,
        }
    }

    async fn reach_once(
        &self,
        place: &Place,
        tls: Option<&Tls>,
        password: &PasswordSearch,
        wait: Duration,
    ) -> Result<Client, Failure> {
        let mut config = place.config.clone();
        // A name may have two addresses. If the first one is silent, there is time for the other.
        config.connect_timeout(wait / 2);
        self.pooler.mark(&mut config);
        if let PasswordSearch::Password(password) = password {
            config.password(&password.secret);
        }
        let tls = tls.filter(|_| !place.is_socket());
        let attempt = Attempt { place, settings: &self.address.tls, tls, password };
        let Some(tls) = tls else { return self.plain(&mut config, &attempt).await };
        let is_preferred = self.address.tls.mode == Mode::Prefer;
        let begin = BeginTls::new(Arc::clone(&tls.config));
        config.ssl_mode(if is_preferred { SslMode::Prefer } else { SslMode::Require });
        let cause = match config.connect(begin.clone()).await {
            Ok(connected) => return self.begun(connected, place).await,
            Err(cause) => cause,
        };
        let failure = attempt.explain(&cause, begin.was_offered());
        // libpq, too, goes on without TLS where it is only preferred and does not come about.
        if is_preferred && failure.is_about_tls() {
            return self.plain(&mut config, &attempt).await.map_err(|plain| failure.and(plain));
        }
        Err(failure)
    }

    async fn plain(&self, config: &mut Config, attempt: &Attempt<'_>) -> Result<Client, Failure> {
        config.ssl_mode(SslMode::Disable);
        let connected = config.connect(NoTls).await.map_err(|cause| attempt.explain(&cause, false))?;
        self.begun(connected, attempt.place).await
    }

    /// Begins to use a connection that was just made.
    async fn begun<S: TlsStream + Send + Unpin + 'static>(
        &self,
        (client, connection): (tokio_postgres::Client, Connection<Socket, S>),
        place: &Place,
    ) -> Result<Client, Failure> {
        // A database in another encoding cannot keep every name, or does not know what it keeps.
        let encoding = connection.parameter("server_encoding").map(str::to_owned);
        if let Some(other) = encoding.filter(|encoding| encoding != "UTF8") {
            return Err(Failure::encoding(place, &other));
        }
        let task = tokio::spawn(async move {
            if let Err(cause) = connection.await {
                tracing::warn!(%cause, "a connection to PostgreSQL ended");
            }
        });
        let mut client = Client::new(client, task);
        match self.pooler.begin(&client, &self.settings).await {
            Ok(is_pooled) => client.is_pooled = is_pooled,
            Err(Unfit::Refused(cause)) => return Err(Failure::settings(place, cause)),
            Err(Unfit::Forgets) => return Err(Failure::forgetful(place)),
        }
        Ok(client)
    }
}

impl Manager for Connector {
    type Type = Client;
    type Error = Error;

    /// Tries the servers one after another. Each gets the same share of the time.
    async fn create(&self) -> Result<Client> {
        let address = Arc::clone(&self.address);
        let (tls, passwords) = spawn_blocking(move || address.files()).await.map_err(Error::internal)??;
        let mut order: Vec<(&Place, &PasswordSearch)> = self.address.places.iter().zip(&passwords).collect();
        if self.address.in_any_order {
            order.shuffle(&mut rand::rng());
        }
        let share = self.wait / u32::try_from(order.len()).unwrap_or(u32::MAX);
        let mut failures: Option<Failure> = None;
        for (place, password) in order {
            let failure = match timeout(share, self.reach(place, tls.as_ref(), password, share)).await {
                Ok(Ok(client)) => return Ok(client),
                Ok(Err(failure)) => failure,
                Err(_) => Failure::silence(place, share),
            };
            failures = Some(match failures {
                None => failure,
                Some(before) => before.and(failure),
            });
        }
        Err(failures.map_or_else(|| Error::internal("the address names no server"), Into::into))
    }

    async fn recycle(&self, client: &mut Client, _: &Metrics) -> RecycleResult<Error> {
        if client.is_closed() { Err(RecycleError::message("the connection is closed")) } else { Ok(()) }
    }
}
