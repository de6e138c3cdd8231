//! Connections with HTTP/2: many requests at a time, and limits that HTTP/1.1 has by itself.

use std::{convert::Infallible, pin::pin, sync::Arc};

use axum::{
    body::HttpBody,
    http::{Request, Response},
};
use bytes::Bytes;
use hyper::{body::Incoming, server::conn::http2, service::service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, sleep_until},
};
use tower::{Service, ServiceExt};

use taquilla_domain::config::{
    Config, HTTP2_CONNECTION_WINDOW, HTTP2_DRAIN, HTTP2_ERRORS_MAX, HTTP2_GOODBYE, HTTP2_HEAD_MAX, HTTP2_LAST_BYTES,
    HTTP2_PING, HTTP2_PING_ANSWERED, HTTP2_RESETS_MAX, HTTP2_SEND_BUFFER, HTTP2_STREAM_WINDOW, HTTP2_STREAMS_MAX,
};
use taquilla_http::streams::Streams;

use super::{
    request::{Peer, as_in_http1},
    stop::{Stop, stopped},
};

/// Serves a connection until it ends.
pub async fn speak<B, S>(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    peer: Peer,
    service: S,
    config: &Config,
    mut stop: Stop,
) where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let streams = Streams::new();
    let begun = Arc::clone(&streams);
    let service = service_fn(move |mut request: Request<Incoming>| {
        as_in_http1(&mut request);
        let (stream, exchange) = (begun.begin(), peer.receive(&mut request));
        let service = service.clone();
        async move {
            exchange.take_turn().await;
            let answer = service.oneshot(request).await;
            exchange.wait_for_client();
            answer.map(|answer| answer.map(|body| stream.follow(body)))
        }
    });
    let served = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .max_concurrent_streams(HTTP2_STREAMS_MAX)
        .max_header_list_size(HTTP2_HEAD_MAX)
        .initial_stream_window_size(HTTP2_STREAM_WINDOW)
        .initial_connection_window_size(HTTP2_CONNECTION_WINDOW)
        .max_send_buf_size(HTTP2_SEND_BUFFER)
        .max_pending_accept_reset_streams(HTTP2_RESETS_MAX)
        .max_local_error_reset_streams(HTTP2_ERRORS_MAX)
        .keep_alive_interval(HTTP2_PING)
        .keep_alive_timeout(HTTP2_PING_ANSWERED)
        .serve_connection(TokioIo::new(stream), service);
    let mut served = pin!(served);
    let mut told = LastNotice::Nothing;
    loop {
        let until = match next(&streams, told, config, Instant::now()) {
            Next::Wait(until) => until,
            Next::End => {
                told = LastNotice::End(Instant::now());
                served.as_mut().graceful_shutdown();
                continue;
            }
            Next::Close => return tracing::debug!("a connection was closed that its client did not use"),
        };
        tokio::select! {
            ended = served.as_mut() => {
                if let Err(cause) = ended {
                    tracing::debug!(%cause, "a connection ended early");
                }
                return;
            }
            () = stopped(&mut stop), if !matches!(told, LastNotice::Stopping(_)) => {
                told = LastNotice::Stopping(Instant::now());
                served.as_mut().graceful_shutdown();
            }
            () = sleep_until(until) => {}
        }
    }
}

/// What the client was told, and when.
#[derive(Clone, Copy)]
enum LastNotice {
    Nothing,
    /// That the connection ends: nothing came over it, or an answer is not taken.
    End(Instant),
    /// That the server stops.
    Stopping(Instant),
}

#[derive(Debug, PartialEq)]
enum Next {
    /// Look again at this time.
    Wait(Instant),
    /// Tell the client that the connection ends.
    End,
    /// Close it, whatever the client does.
    Close,
}

/// What a server does with a connection now.
fn next(streams: &Streams, told: LastNotice, config: &Config, now: Instant) -> Next {
    let (idle, stalled) = (streams.idle_since(), streams.stalled_since());
    let is_stalled = stalled.is_some_and(|since| since + config.timeouts.write <= now);
    if is_stalled && streams.all_stalled_since().is_some_and(|since| since + config.timeouts.write <= now) {
        return Next::Close;
    }
    // A stream may begin and stand still meanwhile.
    let look_again = stalled.filter(|_| !is_stalled).unwrap_or(now) + config.timeouts.write;
    let (until, then) = match (told, idle) {
        // Who has never asked for anything need not be told.
        (LastNotice::Nothing, Some(idle)) if !streams.was_used() => (idle + config.timeouts.head, Next::Close),
        (LastNotice::Nothing, Some(idle)) => (idle + config.timeouts.head, Next::End),
        // What else is under way over the connection is not cut off for it, and new requests take another one.
        (LastNotice::Nothing, None) if is_stalled => return Next::End,
        (LastNotice::End(told), None) if is_stalled => (told + HTTP2_DRAIN, Next::Close),
        (LastNotice::End(told), Some(idle)) => (told.max(idle) + HTTP2_DRAIN, Next::Close),
        // Of the last answer some bytes may be on their way still.
        (LastNotice::Stopping(told), Some(idle)) => ((told + HTTP2_GOODBYE).max(idle + HTTP2_LAST_BYTES), Next::Close),
        (LastNotice::Stopping(_), None) => return Next::Wait(look_again.min(now + HTTP2_GOODBYE)),
        (LastNotice::Nothing | LastNotice::End(_), None) => return Next::Wait(look_again),
    };
    if until <= now { then } else { Next::Wait(until.min(look_again)) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::Body;
    use http_body_util::BodyExt;
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_ends_and_one_that_does_not_end_is_closed() {
        let (streams, config) = (Streams::new(), Config::default());
        let began = Instant::now();
        assert_eq!(next(&streams, LastNotice::Nothing, &config, began), Next::Wait(began + config.timeouts.head));
        advance(config.timeouts.head).await;
        assert_eq!(next(&streams, LastNotice::Nothing, &config, Instant::now()), Next::Close, "nobody ever asked");
        drop(streams.begin());
        advance(config.timeouts.head).await;
        assert_eq!(next(&streams, LastNotice::Nothing, &config, Instant::now()), Next::End);
        let told = Instant::now();
        assert_eq!(next(&streams, LastNotice::End(told), &config, told), Next::Wait(told + config.timeouts.write));
        let late = streams.begin();
        advance(HTTP2_DRAIN).await;
        assert!(
            matches!(next(&streams, LastNotice::End(told), &config, Instant::now()), Next::Wait(_)),
            "one is under way"
        );
        drop(late);
        advance(HTTP2_DRAIN).await;
        assert_eq!(next(&streams, LastNotice::End(told), &config, Instant::now()), Next::Close);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_under_way_keeps_the_connection_while_its_client_takes_the_answer() {
        let (streams, config) = (Streams::new(), Config::default());
        let parts = futures_util::stream::iter([Ok::<_, axum::Error>("a"), Ok("b")]);
        let mut body = streams.begin().follow(Body::from_stream(parts));
        advance(Duration::from_hours(1)).await;
        assert!(matches!(next(&streams, LastNotice::Nothing, &config, Instant::now()), Next::Wait(_)));
        body.frame().await.unwrap().unwrap();
        advance(config.timeouts.write - Duration::from_secs(1)).await;
        let soon = Instant::now() + Duration::from_secs(1);
        assert_eq!(next(&streams, LastNotice::Nothing, &config, Instant::now()), Next::Wait(soon));
        advance(Duration::from_secs(1)).await;
        assert_eq!(next(&streams, LastNotice::Nothing, &config, Instant::now()), Next::Close);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_takes_does_not_cut_off_the_others() {
        let (streams, config) = (Streams::new(), Config::default());
        let parts = futures_util::stream::iter([Ok::<_, axum::Error>("a"), Ok("b")]);
        let mut body = streams.begin().follow(Body::from_stream(parts));
        body.frame().await.unwrap().unwrap();
        let other = streams.begin();
        advance(config.timeouts.write).await;
        assert_eq!(next(&streams, LastNotice::Nothing, &config, Instant::now()), Next::End);
        let told = Instant::now();
        assert!(matches!(next(&streams, LastNotice::End(told), &config, told), Next::Wait(_)));
        advance(HTTP2_DRAIN).await;
        assert_eq!(next(&streams, LastNotice::End(told), &config, Instant::now()), Next::Close, "not for ever");
        drop(other);
        assert_eq!(next(&streams, LastNotice::End(told), &config, told), Next::Close);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_stops_waits_for_requests_and_not_for_phones_that_sleep() {
        let (streams, config) = (Streams::new(), Config::default());
        let told = LastNotice::Stopping(Instant::now());
        let stream = streams.begin();
        advance(HTTP2_GOODBYE * 2).await;
        assert!(matches!(next(&streams, told, &config, Instant::now()), Next::Wait(_)));
        drop(stream);
        advance(HTTP2_GOODBYE).await;
        assert!(
            matches!(next(&streams, told, &config, Instant::now()), Next::Wait(_)),
            "the last bytes are on their way"
        );
        advance(HTTP2_LAST_BYTES - HTTP2_GOODBYE).await;
        assert_eq!(next(&streams, told, &config, Instant::now()), Next::Close);
        let asleep = LastNotice::Stopping(Instant::now());
        advance(HTTP2_GOODBYE).await;
        assert_eq!(next(&streams, asleep, &config, Instant::now()), Next::Close);
    }
}
