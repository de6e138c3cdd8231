//! The server: the loop that serves connections.

use std::{
    io::{self, ErrorKind},
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;
use tower_http::{
    CompressionLevel,
    compression::{
        Compression, Predicate,
        predicate::{And, SizeAbove},
    },
};

use crate::{
    admin::staff::passwords::Passwords,
    backup::Schedule,
    boxoffice::Queue,
    config::{ACCEPT_PAUSE, COMPRESSED_MIN, Config, HEAD_BUFFER, HEADER_LINES_MAX, LAST_USED_AT_STOP},
    housekeeping::Housekeeping,
    http::{
        app::{App, Shared},
        client_address::ClientAddress,
        connections::{Connections, Place},
        cursor::Sealer,
        export_places::ExportPlaces,
        known::Known,
        last_used::LastUsed,
        lost_marks::LostMarks,
        rate::Limits,
        seldom::Seldom,
    },
    indexing::Indexing,
    metrics::Metrics,
    monitor::{Monitor, Telling},
    routes::router,
    store::{self, Store, WriteCounts, tickets::type_names::TypeNames},
    time_source::TimeSource,
    webhooks::Webhooks,
    work::Work,
};

type Compressed = Compression<Router, And<SizeAbove, fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool>>;

/// Compresses long JSON answers. Everything else passes through unchanged, also the files of the console, because
/// anybody may request those as often as they like.
fn compressed(router: Router) -> Compressed {
    let is_json: fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool =
        |_, _, headers, _| headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    Compression::new(router)
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(COMPRESSED_MIN).and(is_json))
}

/// Removes all codings from `Accept-Encoding` that we do not support. A client that forbids everything else (`*;q=0`)
/// still gets an uncompressed answer: the work is done by then, and the compression layer would turn a placed order
/// into 406.
fn keep_known_encodings(headers: &mut HeaderMap) {
    if !headers.contains_key(header::ACCEPT_ENCODING) {
        return;
    }
    let given = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let known: Vec<&str> = given
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|coding| ["gzip", "zstd"].contains(&coding.split(';').next().unwrap_or_default().trim()))
        .collect();
    match HeaderValue::try_from(known.join(", ")) {
        Ok(known) if !known.is_empty() => headers.insert(header::ACCEPT_ENCODING, known),
        _ => headers.remove(header::ACCEPT_ENCODING),
    };
}

/// Serves `listener` until `shutdown` completes, then finishes the requests and webhooks under way. Metrics are told on a
/// listener of their own, if there is one.
pub async fn run(
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    store: Store,
    config: Config,
    time: TimeSource,
    shutdown: impl Future<Output = ()>,
) -> Result<(), store::Error> {
    let sealer = Sealer::new(&store::settings::cursor_key(&store).await?);
    let lost_marks = LostMarks::read(&store).await?;
    let (last_used, writing_last_used) = LastUsed::start(store.clone());
    let limits = Limits::new(&config, &time);
    let writes = store.clone();
    let metrics = Arc::<Metrics>::default();
    let queue = Queue::new(store.clone(), time.clone(), config.request_timeout, Arc::clone(&metrics));
    let webhooks = Webhooks::start(store.clone(), &config, time.clone(), Arc::clone(&metrics))?;
    let housekeeping = Housekeeping::start(store.clone(), &config, time.clone());
    let work = Work::start(store.clone(), queue.clone(), time.clone());
    let indexing = Indexing::start(store.clone(), time.clone());
    let backups = config.backups.clone();
    let backups = backups.map(|backups| Schedule::start(store.clone(), backups, time.clone(), Arc::clone(&metrics)));
    let connections = Connections::new(&config);
    let counted = metrics_listener.as_ref().map(|_| Arc::clone(&metrics.requests));
    let telling = metrics_listener.map(|listener| {
        let connections = Arc::clone(&connections);
        let (backups, time) = (config.backups.clone(), time.clone());
        let monitor = Monitor::new(Arc::clone(&metrics), store.clone(), queue.clone(), connections, backups, time);
        Telling::start(listener, monitor)
    });
    let app = App(Arc::new(Shared {
        config: config.clone(),
        store,
        queue,
        sealer,
        lost_marks,
        time,
        limits,
        known_keys: Known::default(),
        known_door_links: Known::default(),
        known_processors: Known::default(),
        type_names: TypeNames::default(),
        passwords: Passwords::default(),
        exports: ExportPlaces::default(),
        last_used,
        metrics,
        stopping: watch::Sender::new(false),
    }));
    let stopping = app.stopping.clone();
    let forgetting = tokio::spawn(forget_idle(app.clone()));
    let service = compressed(router(app, config.clone(), counted.as_deref()));

    let graceful = GracefulShutdown::new();
    let failing = Seldom::default();
    tokio::pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&listener, &connections) => match accepted {
                Ok(Some((stream, peer, place))) => serve(stream, peer, place, &service, &config, &graceful),
                Ok(None) => {}
                Err(cause) => {
                    // The likely cause is a lack of file descriptors, so some connections have to go.
                    if failing.is_due() {
                        tracing::warn!(%cause, "cannot accept connections");
                    }
                    connections.make_room();
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }

    drop(listener);
    tracing::info!("stopping: finishing what is in flight");
    stopping.send_replace(true);
    let finishing = async { tokio::join!(graceful.shutdown(), webhooks.stop()) };
    if tokio::time::timeout(config.shutdown_grace, finishing).await.is_err() {
        tracing::warn!("some requests or webhooks were still running and were cut off");
    }
    forgetting.abort();
    drop((housekeeping, indexing, work, backups, telling));
    drop(service);
    // The notes of last uses are complete once all requests have dropped the shared state. A request that was cut off
    // may hold it for ever, hence the timeout.
    let noted = tokio::time::timeout(LAST_USED_AT_STOP, writing_last_used).await;
    if noted.is_err() {
        tracing::warn!("the last use of some keys was not noted");
    }
    if let Some(WriteCounts { commits, transactions, statements }) = writes.write_counts() {
        tracing::info!(commits, transactions, statements, "stopped");
    }
    Ok(())
}

/// The next connection with its place. `None` if it was turned away, or gone before it was accepted.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Connections>,
) -> io::Result<Option<(TcpStream, SocketAddr, Place)>> {
    match listener.accept().await {
        Ok((stream, peer)) => Ok(connections.admit(peer.ip()).await.map(|place| (stream, peer, place))),
        Err(cause) if matches!(cause.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => Ok(None),
        Err(cause) => Err(cause),
    }
}

fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    place: Place,
    service: &Compressed,
    config: &Config,
    graceful: &GracefulShutdown,
) {
    if let Err(cause) = stream.set_nodelay(true) {
        tracing::debug!(%cause, "cannot set TCP_NODELAY");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(config.write_timeout));
    let service = service.clone();
    let trust_proxy = config.trust_proxy;
    let connection = Arc::clone(&place.connection);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        let forwarded = trust_proxy.then(|| forwarded_for(request.headers())).flatten();
        request.extensions_mut().insert(ClientAddress(forwarded.unwrap_or(peer.ip())));
        request.extensions_mut().insert(Arc::clone(&connection));
        keep_known_encodings(request.headers_mut());
        let (service, connection) = (service.clone(), Arc::clone(&connection));
        async move {
            connection.take_turn().await;
            let answer = service.oneshot(request).await;
            connection.wait_for_client();
            answer
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(config.head_timeout)
        .max_buf_size(HEAD_BUFFER)
        .max_headers(HEADER_LINES_MAX)
        // Who has sent a whole request may close its half, and still gets the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    let served = graceful.watch(served);
    tokio::spawn(async move {
        // The place is given up after the connection is closed.
        let place = place;
        tokio::select! {
            ended = served => if let Err(cause) = ended {
                tracing::debug!(%cause, "a connection ended early");
            },
            () = place.connection.told_to_leave() => tracing::debug!("a connection was closed for another one"),
        }
    });
}

/// The address that the nearest proxy saw: the last one in the list. The earlier ones are only claims of the client.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    let last = last.rsplit(',').next()?.trim();
    last.parse().ok().or_else(|| last.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

async fn forget_idle(app: App) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        app.limits.forget_idle();
    }
}
