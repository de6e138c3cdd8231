//! Makes the connections of a pool.

use std::{sync::Arc, time::Duration};

use deadpool::managed::{Manager, Metrics, RecycleError, RecycleResult};
use futures_util::future::join;
use rand::seq::SliceRandom;
use tokio::{task::spawn_blocking, time::timeout};
use tokio_postgres::{Config, Connection, NoTls, SimpleQueryMessage, Socket, config::SslMode, tls::TlsStream};

use super::{
    super::{
        super::error::{Error, Result},
        client::Client,
        settings::HAS_CITUS,
    },
    address::Address,
    explain::{Attempt, Failure},
    lineage::{ASK, Identity, Lineage, Part},
    passwords::PasswordSearch,
    place::Place,
    pooler::{Pooler, Unfit},
    stream::BeginTls,
    target::Target,
    tls::{Mode, Tls},
};

/// How long the other servers of an address are waited for at the start, once one has answered.
const LOOK_AROUND: Duration = Duration::from_millis(500);

/// Connects to the servers of an address.
pub struct Connector {
    address: Arc<Address>,
    /// What a new connection runs first.
    settings: String,
    /// What is known of poolers in between.
    pooler: Pooler,
    /// How long all of it may take.
    wait: Duration,
    part: Part,
    lineage: Arc<Lineage>,
}

impl Connector {
    pub fn new(address: Address, settings: String, wait: Duration, part: Part, lineage: Arc<Lineage>) -> Self {
        let pooler = Pooler::new(address.keeps_sessions);
        Self { address: Arc::new(address), settings, pooler, wait, part, lineage }
    }

    /// Connects to one server. A pooler may refuse the connection because of what it is to pass on.
    async fn reach(
        &self,
        place: &Place,
        tls: Option<&Tls>,
        password: &PasswordSearch,
        wait: Duration,
    ) -> Result<Reached, Failure> {
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
    ) -> Result<Reached, Failure> {
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

    async fn plain(&self, config: &mut Config, attempt: &Attempt<'_>) -> Result<Reached, Failure> {
        config.ssl_mode(SslMode::Disable);
        let connected = config.connect(NoTls).await.map_err(|cause| attempt.explain(&cause, false))?;
        self.begun(connected, attempt.place).await
    }

    /// Begins to use a connection that was just made.
    async fn begun<S: TlsStream + Send + Unpin + 'static>(
        &self,
        (client, connection): (tokio_postgres::Client, Connection<Socket, S>),
        place: &Place,
    ) -> Result<Reached, Failure> {
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
        // Both are sent before the first answer arrives.
        let (citus, told) = join(client.simple_query(HAS_CITUS), client.simple_query(ASK)).await;
        let is_row = |answer: &SimpleQueryMessage| matches!(answer, SimpleQueryMessage::Row(_));
        client.has_citus = citus.map_err(|cause| Failure::settings(place, cause))?.iter().any(is_row);
        // Not every service that speaks like PostgreSQL can tell.
        let server = told.ok().and_then(|answer| Identity::read(&answer));
        client.timeline = server.as_ref().and_then(|server| server.timeline);
        Ok(Reached { client, server })
    }

    /// Keeps a connection if its server is one of those that are looked for, and no older than what was met before.
    fn kept(&self, reached: Reached, place: &Place, target: Target) -> Result<Client, Failure> {
        let Reached { client, server } = reached;
        if !target.takes(server.as_ref()) {
            let is = if server.is_some_and(|server| server.is_standby) { "is a standby" } else { "is no standby" };
            return Err(Failure::unwanted(place, &format!("{is}, and {target} asks for another")));
        }
        if let Some(server) = server
            && let Err(why) = self.lineage.meet(self.part, &server)
        {
            tracing::error!(%place, "a PostgreSQL server {why}");
            return Err(Failure::unwanted(place, &why));
        }
        Ok(client)
    }

    /// Looks whether another server of the address was promoted later than this one, and takes the last of them. Nothing is
    /// remembered from the time before this process, so the first server to answer might be an old primary.
    async fn look_around(
        &self,
        first: Reached,
        at: usize,
        tls: Option<&Tls>,
        passwords: &[PasswordSearch],
    ) -> (Reached, usize) {
        let (mut best, mut best_at) = (first, at);
        for (other, (place, password)) in self.address.places.iter().zip(passwords).enumerate() {
            if other == at {
                continue;
            }
            let reached = timeout(LOOK_AROUND, self.reach(place, tls, password, LOOK_AROUND)).await;
            let Ok(Ok(reached)) = reached else { continue };
            let is_later = |than: &Reached| {
                let of_one_cluster =
                    reached.server.as_ref().zip(than.server.as_ref()).is_some_and(|(a, b)| a.is_copy_of(b));
                of_one_cluster && than.client.timeline.is_some() && reached.client.timeline > than.client.timeline
            };
            if is_later(&best) {
                let old = &self.address.places[best_at];
                tracing::error!(%old, new = %place, "an old primary still runs; stop it, or make it a standby");
                (best, best_at) = (reached, other);
            }
        }
        (best, best_at)
    }
}

/// A connection, and what its server says of itself, if it does.
struct Reached {
    client: Client,
    server: Option<Identity>,
}

impl Manager for Connector {
    type Type = Client;
    type Error = Error;

    /// Tries the servers one after another. Each gets the same share of the time.
    async fn create(&self) -> Result<Client> {
        let address = Arc::clone(&self.address);
        let (tls, passwords) = spawn_blocking(move || address.files()).await.map_err(Error::internal)??;
        let (tls, places) = (tls.as_ref(), &self.address.places);
        let mut order: Vec<usize> = (0..places.len()).collect();
        if self.address.in_any_order {
            order.shuffle(&mut rand::rng());
        }
        let rounds = self.address.target().rounds();
        let mut attempts: Vec<(Target, usize)> = Vec::with_capacity(order.len() * rounds.len());
        for target in rounds {
            attempts.extend(order.iter().map(|at| (*target, *at)));
        }
        let share = self.wait / u32::try_from(attempts.len()).unwrap_or(u32::MAX);
        let mut failures: Option<Failure> = None;
        for (target, at) in attempts {
            let (Some(place), Some(password)) = (places.get(at), passwords.get(at)) else { continue };
            let failure = match timeout(share, self.reach(place, tls, password, share)).await {
                Ok(Ok(reached)) => {
                    let (reached, at) = match self.part == Part::Database && self.lineage.is_new() {
                        true => self.look_around(reached, at, tls, &passwords).await,
                        false => (reached, at),
                    };
                    match self.kept(reached, places.get(at).unwrap_or(place), target) {
                        Ok(client) => return Ok(client),
                        Err(failure) => failure,
                    }
                }
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
        if client.is_closed() {
            return Err(RecycleError::message("the connection is closed"));
        }
        // A standby was promoted since, and this connection leads to the old primary.
        let is_old = client.timeline.is_some_and(|timeline| !self.lineage.is_newest(timeline));
        if is_old { Err(RecycleError::message("the connection leads to an old primary")) } else { Ok(()) }
    }
}
