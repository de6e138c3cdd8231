//! The streams of one HTTP/2 connection: whether there are any, and whether the client takes their answers.
//!
//! With HTTP/1.1 a client that takes nothing stops the connection, and writing to it times out. With HTTP/2 the client says
//! for each stream how much it will take, so a stream can stand still on a connection on which bytes can be written.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use parking_lot::Mutex;
use tokio::time::Instant;

use taquilla_domain::config::HTTP2_PIECE;

/// The open streams of a connection.
pub struct Streams(Mutex<Open>);

struct Open {
    /// By number: since when the client has had something to take before the answer goes on, if it has.
    streams: HashMap<u64, Option<Instant>>,
    opened: u64,
    /// When the last one ended, or the connection began.
    idle_since: Instant,
}

impl Streams {
    /// None yet.
    pub fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Open { streams: HashMap::new(), opened: 0, idle_since: Instant::now() })))
    }

    /// Begins a stream, which lasts until the last part of its answer was handed over.
    pub fn begin(self: &Arc<Self>) -> Stream {
        let mut open = self.0.lock();
        open.opened += 1;
        let number = open.opened;
        open.streams.insert(number, None);
        Stream { number, home: Arc::clone(self) }
    }

    /// Since when there has been no stream; `None` if there is one.
    pub fn idle_since(&self) -> Option<Instant> {
        let open = self.0.lock();
        open.streams.is_empty().then_some(open.idle_since)
    }

    /// Whether there has been any stream.
    pub fn was_used(&self) -> bool {
        self.0.lock().opened > 0
    }

    /// Since when a client has taken nothing of an answer that goes on.
    pub fn stalled_since(&self) -> Option<Instant> {
        self.0.lock().streams.values().flatten().min().copied()
    }

    /// Since when a client has taken nothing of any answer; `None` if something else is under way.
    pub fn all_stalled_since(&self) -> Option<Instant> {
        let open = self.0.lock();
        let all: Option<Vec<Instant>> = open.streams.values().copied().collect();
        all?.into_iter().max()
    }
}

/// One request and its answer.
pub struct Stream {
    number: u64,
    home: Arc<Streams>,
}

impl Stream {
    fn note(&self, waits_for_client: bool) {
        if let Some(since) = self.home.0.lock().streams.get_mut(&self.number) {
            *since = waits_for_client.then(Instant::now);
        }
    }

    /// An answer's body that says how far it is.
    pub fn follow<B>(self, body: B) -> Followed
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<axum::BoxError>,
    {
        Followed { body: Body::new(body), rest: Bytes::new(), stream: self }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut open = self.home.0.lock();
        open.streams.remove(&self.number);
        open.idle_since = Instant::now();
    }
}

/// An answer's body, in pieces. hyper asks it for more only when the client takes more.
pub struct Followed {
    body: Body,
    /// What was read of the body and is not handed over yet.
    rest: Bytes,
    stream: Stream,
}

impl HttpBody for Followed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            let polled = Pin::new(&mut self.body).poll_frame(cx);
            self.stream.note(matches!(polled, Poll::Ready(Some(Ok(_)))));
            match ready!(polled).transpose()?.map(Frame::into_data) {
                Some(Ok(data)) => self.rest = data,
                Some(Err(other)) => return Poll::Ready(Some(Ok(other))),
                None => return Poll::Ready(None),
            }
        }
        self.stream.note(true);
        let piece = self.rest.len().min(HTTP2_PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (hint, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut all = SizeHint::new();
        all.set_lower(hint.lower() + rest);
        if let Some(upper) = hint.upper() {
            all.set_upper(upper + rest);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::StreamExt;
    use http_body_util::BodyExt;
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_stream_stands_still_while_the_client_does_not_take_what_it_was_handed() {
        let streams = Streams::new();
        advance(Duration::from_secs(1)).await;
        let idle = streams.idle_since().unwrap();
        assert_eq!(idle.elapsed(), Duration::from_secs(1));
        let parts = futures_util::stream::iter([Ok::<_, axum::Error>("a"), Ok("b")]);
        let mut body = streams.begin().follow(Body::from_stream(parts));
        assert_eq!((streams.idle_since(), streams.stalled_since()), (None, None));
        body.frame().await.unwrap().unwrap();
        advance(Duration::from_secs(5)).await;
        assert_eq!(streams.stalled_since().unwrap().elapsed(), Duration::from_secs(5));
        body.frame().await.unwrap().unwrap();
        assert_eq!(streams.stalled_since().unwrap().elapsed(), Duration::ZERO, "the client took the first part");
        assert!(body.frame().await.is_none());
        assert_eq!(streams.stalled_since(), None, "nothing is left to take");
        drop(body);
        assert_eq!(streams.idle_since().unwrap().elapsed(), Duration::ZERO);
    }

    #[tokio::test]
    async fn a_long_answer_is_handed_over_in_pieces() {
        let mut body = Streams::new().begin().follow(Body::from(vec![7; HTTP2_PIECE * 2 + 1]));
        let mut sizes = Vec::new();
        while let Some(frame) = body.frame().await {
            let left = body.size_hint().exact().unwrap() as usize;
            sizes.push((frame.unwrap().into_data().unwrap().len(), left, body.is_end_stream()));
        }
        assert_eq!(sizes, [(HTTP2_PIECE, HTTP2_PIECE + 1, false), (HTTP2_PIECE, 1, false), (1, 0, true)]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_whose_next_part_is_not_made_yet_waits_for_the_server() {
        let streams = Streams::new();
        let parts =
            futures_util::stream::once(async { Ok::<_, axum::Error>("a") }).chain(futures_util::stream::pending());
        let mut body = streams.begin().follow(Body::from_stream(parts));
        body.frame().await.unwrap().unwrap();
        assert!(streams.stalled_since().is_some());
        assert!(tokio::time::timeout(Duration::from_secs(1), body.frame()).await.is_err());
        assert_eq!(streams.stalled_since(), None);
    }
}
