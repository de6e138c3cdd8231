//! `taquilla serve`.

use std::{fmt, num::NonZeroU32, time::Duration};

use clap::{Args, builder::FalseyValueParser};
use tokio::net::TcpListener;
use tracing_subscriber::filter::LevelFilter;

use taquilla_domain::{
    config::{
        CONNECTIONS_PER_ADDRESS, Config, ConnectionLimits, DOOR_PER_SECOND, DRAIN, DRAIN_MAX, HoldSettings,
        KEPT_DAYS_MAX, KeptFor, ORDER_ANSWERS_KEPT_DAYS, RESET_LASTS, RateLimits, SCANS_KEPT_DAYS, SCANS_KEPT_DAYS_MIN,
        SHOP_PER_SECOND, UNPAID_DAYS, UNPAID_PER_ADDRESS, UNPAID_PER_BUYER, WebhookSettings, days,
    },
    invalid::Invalid,
    public_url::PublicUrl,
    time_source::TimeSource,
};
use taquilla_outside::Lookup;
use taquilla_rules::admin::staff::first_start;
use taquilla_store::{Store, migrate};

use super::{
    backup_schedule::BackupSchedule,
    common::{Database, Replicas},
    files, flags,
    hold::{self, Hold},
    https::OwnHttps,
    listen::Listen,
    log,
    mistake::Logged,
    monitoring::Monitoring,
    public_url::PublicUrlArg,
    stop::told_to_leave,
    version::VERSION,
    webhook_allow::WebhookAllow,
};
use crate::server::{self, Listeners};

#[derive(Args)]
#[command(
    after_help = "With a domain that leads to this machine, --acme DOMAIN is all that https needs. Behind a reverse proxy that\n\
    ends TLS: listen on 127.0.0.1 and set --trust-proxy. docs/operate.md shows both.\n\
    Logs go to standard error, one JSON object a line."
)]
pub struct Serve {
    #[command(flatten)]
    pub listen: Listen,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    pub replicas: Replicas,
    /// Requests a second that one key may make (100 suits most), or off
    #[arg(long, value_name = "N|off", env = "TAQUILLA_RATE_LIMIT", default_value = "off", value_parser = parse_limit)]
    rate_limit: Limit,
    /// Requests a second that one address may make to the shop, or off
    #[arg(long, value_name = "N|off", env = "TAQUILLA_SHOP_RATE_LIMIT", default_value_t = Limit(NonZeroU32::new(SHOP_PER_SECOND)), value_parser = parse_limit)]
    shop_rate_limit: Limit,
    /// Calls a second that each door link, and each address, may make, or off
    #[arg(long, value_name = "N|off", env = "TAQUILLA_DOOR_RATE_LIMIT", default_value_t = Limit(NonZeroU32::new(DOOR_PER_SECOND)), value_parser = parse_limit)]
    door_rate_limit: Limit,
    /// Connections that one address may have at the same time, or off; does not apply with --trust-proxy
    #[arg(long, value_name = "N|off", env = "TAQUILLA_CONNECTIONS_PER_ADDRESS", default_value_t = Limit(NonZeroU32::new(CONNECTIONS_PER_ADDRESS)), value_parser = parse_limit)]
    connections_per_address: Limit,
    #[command(flatten)]
    pub https: OwnHttps,
    #[command(flatten)]
    pub public_url: PublicUrlArg,
    #[command(flatten)]
    webhook_allow: WebhookAllow,
    /// Take a caller's address from the last entry of X-Forwarded-For: set this behind a proxy that writes it, and only there
    #[arg(long, env = "TAQUILLA_TRUST_PROXY", value_parser = FalseyValueParser::new())]
    pub trust_proxy: bool,
    /// Days to keep the answer to an order, for a repeat with the same Idempotency-Key
    #[arg(long, value_name = "DAYS", env = "TAQUILLA_KEEP_ORDER_ANSWERS", default_value_t = ORDER_ANSWERS_KEPT_DAYS, value_parser = order_answers_days)]
    keep_order_answers: u64,
    #[command(flatten)]
    hold: Hold,
    /// The longest hold that an order of the shop may ask for, at least that of --hold
    #[arg(long, value_name = "TIME", env = "TAQUILLA_HOLD_MAX", default_value = "1h", value_parser = hold::parse)]
    hold_max: Duration,
    /// Unpaid orders by which one address may hold stock, or off
    #[arg(long, value_name = "N|off", env = "TAQUILLA_UNPAID_PER_ADDRESS", default_value_t = Limit(NonZeroU32::new(UNPAID_PER_ADDRESS)), value_parser = parse_limit)]
    unpaid_per_address: Limit,
    /// Unpaid orders by which one e-mail address may hold stock, or off
    #[arg(long, value_name = "N|off", env = "TAQUILLA_UNPAID_PER_BUYER", default_value_t = Limit(NonZeroU32::new(UNPAID_PER_BUYER)), value_parser = parse_limit)]
    unpaid_per_buyer: Limit,
    /// Days after the end of its hold until an unpaid order is rejected, or off
    #[arg(long, value_name = "DAYS|off", env = "TAQUILLA_REJECT_UNPAID_AFTER", default_value_t = UnpaidDays(Some(UNPAID_DAYS)), value_parser = parse_unpaid_days)]
    reject_unpaid_after: UnpaidDays,
    /// Days to keep the scan log; at least 30, so that every phone has uploaded what it decided without signal
    #[arg(long, value_name = "DAYS", env = "TAQUILLA_KEEP_SCANS", default_value_t = SCANS_KEPT_DAYS, value_parser = scans_days)]
    keep_scans: u64,
    /// How long to go on after SIGTERM, not ready, before the server takes no more connections, or off; longer than a load balancer takes to notice
    #[arg(long, value_name = "TIME|off", env = "TAQUILLA_DRAIN", default_value_t = Drain(DRAIN), value_parser = parse_drain)]
    drain: Drain,
    #[command(flatten)]
    pub backups: BackupSchedule,
    /// How much to log: error, warn, info (a line per request) or debug
    #[arg(long, value_name = "LEVEL", env = "TAQUILLA_LOG", default_value = "info", value_parser = parse_level)]
    log: LevelFilter,
    #[command(flatten)]
    monitoring: Monitoring,
}

#[derive(Clone, Copy)]
struct Limit(Option<NonZeroU32>);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(rate) => rate.fmt(f),
            None => f.write_str("off"),
        }
    }
}

fn parse_limit(text: &str) -> Result<Limit, Invalid> {
    match text {
        "off" => Ok(Limit(None)),
        number => match number.parse() {
            Ok(rate) => Ok(Limit(Some(rate))),
            Err(_) => Err(Invalid::new("a whole number from 1 up is expected, or off")),
        },
    }
}

#[derive(Clone, Copy)]
struct UnpaidDays(Option<u64>);

impl fmt::Display for UnpaidDays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(days) => days.fmt(f),
            None => f.write_str("off"),
        }
    }
}

fn parse_unpaid_days(text: &str) -> Result<UnpaidDays, Invalid> {
    match text {
        "off" => Ok(UnpaidDays(None)),
        number => match flags::number(number, 1..=KEPT_DAYS_MAX) {
            Ok(days) => Ok(UnpaidDays(Some(days))),
            Err(invalid) => Err(Invalid::new(format!("{invalid}, or off"))),
        },
    }
}

#[derive(Clone, Copy)]
struct Drain(Duration);

impl fmt::Display for Drain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs())
    }
}

fn parse_drain(text: &str) -> Result<Drain, Invalid> {
    let minutes = DRAIN_MAX.as_secs() / 60;
    match text {
        "off" => Ok(Drain(Duration::ZERO)),
        span => flags::span(span, DRAIN_MAX)
            .map(Drain)
            .map_err(|_| Invalid::new(format!("a time such as 10s or 1m is expected, up to {minutes}m, or off"))),
    }
}

fn order_answers_days(text: &str) -> Result<u64, Invalid> {
    flags::number(text, 1..=KEPT_DAYS_MAX)
}

fn scans_days(text: &str) -> Result<u64, Invalid> {
    flags::number(text, SCANS_KEPT_DAYS_MIN..=KEPT_DAYS_MAX)
}

fn parse_level(text: &str) -> Result<LevelFilter, Invalid> {
    let levels = [LevelFilter::ERROR, LevelFilter::WARN, LevelFilter::INFO, LevelFilter::DEBUG];
    flags::named(text, &levels, |level| match level {
        LevelFilter::ERROR => "error",
        LevelFilter::WARN => "warn",
        LevelFilter::INFO => "info",
        _ => "debug",
    })
}

impl Serve {
    pub async fn run(self) -> anyhow::Result<()> {
        let _log = log::start(self.log)?;
        self.begin().await.map_err(Logged::cannot_start)
    }

    async fn begin(self) -> anyhow::Result<()> {
        let connections_max = files::connections_that_fit();
        let backups = self.backups.prepare()?;
        let store = self.replicas.of(self.database.open_or_create().await?)?;
        tracing::info!(version = VERSION, engine = store.usage().engine, schema = migrate::LATEST, "starting");
        let mut reached = self.https.prepare(&self.listen, &self.database).await?;
        reached.listeners.metrics = self.monitoring.bind().await?;
        let public_url = self.public_url.or(reached.public_url);
        // Only now: a server that cannot start must not change the links of one that runs.
        public_url.remember(&store).await?;
        let public_url = public_url.known(&store).await?;
        if let Some(greeting) = reached.greeting {
            println!("{greeting}");
        }
        if let Err(cause) = greet(&store, public_url.as_ref(), &reached.address).await {
            // A server on a database that cannot be written still answers, and says that it is not ready.
            tracing::warn!(%cause, "no link for the first start can be made");
        }
        let listeners = reached.listeners;
        let metrics = listeners.metrics.as_ref().map(TcpListener::local_addr).transpose()?;
        let (metrics, https) = (metrics.map(tracing::field::display), reached.https.is_some());
        tracing::info!(address = %listeners.main.local_addr()?, https, metrics, "listening");
        if let Some(http) = &listeners.http {
            tracing::info!(address = %http.local_addr()?, "leading from plain http to https");
        }
        let _keepers = reached.keepers;
        serve(
            listeners,
            store,
            Config {
                rates: RateLimits {
                    key: self.rate_limit.0,
                    shop: self.shop_rate_limit.0,
                    door: self.door_rate_limit.0,
                },
                connections: ConnectionLimits { most: connections_max, per_address: self.connections_per_address.0 },
                trust_proxy: self.trust_proxy,
                public_url: public_url.map(|url| url.as_str().to_owned()),
                https: reached.https,
                holds: HoldSettings {
                    lasts: self.hold.hold,
                    longest: self.hold_max.max(self.hold.hold),
                    per_address: self.unpaid_per_address.0,
                    per_buyer: self.unpaid_per_buyer.0,
                    rejected_after: self.reject_unpaid_after.0.map(days),
                },
                kept: KeptFor { order_answers: days(self.keep_order_answers), scans: days(self.keep_scans) },
                webhooks: WebhookSettings { allow: self.webhook_allow.networks(), ..WebhookSettings::default() },
                backups,
                log_requests: self.monitoring.log_requests,
                ..Config::default()
            },
            self.drain.0,
        )
        .await
    }
}

/// Says how to begin, if nobody can sign in yet. The link is for the person at the terminal, so it is not in the log.
async fn greet(store: &Store, public_url: Option<&PublicUrl>, here: &str) -> anyhow::Result<()> {
    if let Some(token) = first_start::link(store, TimeSource::System.now()).await? {
        let base = public_url.map_or(here, PublicUrl::as_str);
        println!(
            "Nobody can sign in yet. Open this link once, within {} hours, to make the first administrator:\n\n  \
             {base}/dashboard/links/{}\n",
            RESET_LASTS.as_secs() / 3_600,
            token.reveal()
        );
    }
    Ok(())
}

/// Serves until SIGTERM or Ctrl-C, and after SIGTERM this much longer.
pub async fn serve(listeners: Listeners, store: Store, config: Config, drain: Duration) -> anyhow::Result<()> {
    Ok(server::run(listeners, store, config, TimeSource::System, Lookup::System, told_to_leave(drain)?).await?)
}
