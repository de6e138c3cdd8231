//! The stream of a live page: server-sent events, each with the whole part of the page that changes.
//!
//! A message has the stamp of the last move as its id. Who comes back with the id of the present state gets nothing until
//! something changes, everybody else the present state at once; so nothing is missed, on whichever server.

use std::{convert::Infallible, sync::Arc};

use axum::{
    Extension,
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream;
use tokio::{
    sync::watch,
    time::{Instant, Interval, MissedTickBehavior, interval_at},
};

use taquilla_domain::config::{LIVE_BEAT, LIVE_CHECKED, LIVE_REOPENED_MS};
use taquilla_http::{app::App, errors::Error};
use taquilla_metrics::OpenStream;
use taquilla_pages::query::Query;
use taquilla_store::catalogue::events;

use super::{
    view::Reader,
    watch::{Doors, Sighting, StreamsPlace, Written},
};
use crate::{
    access::{Member, SeeDoor},
    door::pages::reader,
};

static LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Tells nginx, and proxies that learnt it from there, not to keep an answer until it is whole.
static ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Follows the figures of an event.
pub async fn get_stream(
    State(app): State<App>,
    Extension(doors): Extension<Arc<Doors>>,
    member: Member<SeeDoor>,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    if !events::exists(&mut app.store.read().await?, member.tenant(), &event_id).await? {
        return Err(Error::NotFound("event"));
    }
    let place = doors.place(member.user_id())?;
    let mut following = doors.follow(&app, member.tenant(), &member.producer.producer_id, &event_id);
    // What was seen before is told at once.
    following.mark_changed();
    let seen_id = headers.get(&LAST_EVENT_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
    let open = Open {
        reader: reader(&member, query.get("view") == Some("screen")),
        following,
        stopping: app.stopping.subscribe(),
        seen_id,
        sent: None,
        checked: every(LIVE_CHECKED),
        beat: every(LIVE_BEAT),
        has_begun: false,
        _counted: app.metrics.open_stream(),
        app,
        member,
        _place: place,
    };
    let messages = stream::unfold(open, async |mut open| {
        let message = open.next().await?;
        Some((Ok::<_, Infallible>(message), open))
    });
    let mut response = Body::from_stream(messages).into_response();
    for (name, value) in
        [(&header::CONTENT_TYPE, "text/event-stream"), (&header::CACHE_CONTROL, "no-store"), (&ACCEL_BUFFERING, "no")]
    {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn every(time: std::time::Duration) -> Interval {
    let mut interval = interval_at(Instant::now() + time, time);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// Returns once the server stops.
async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // An error would be a server that is gone.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// An open stream.
struct Open {
    app: App,
    member: Member<SeeDoor>,
    reader: Reader,
    following: watch::Receiver<Option<Arc<Sighting>>>,
    stopping: watch::Receiver<bool>,
    /// The id of the last message that the reader had before.
    seen_id: Option<String>,
    /// What was sent last.
    sent: Option<Arc<Written>>,
    checked: Interval,
    beat: Interval,
    has_begun: bool,
    _place: StreamsPlace,
    _counted: OpenStream,
}

impl Open {
    /// The next message. `None` ends the stream.
    async fn next(&mut self) -> Option<Bytes> {
        if !self.has_begun {
            self.has_begun = true;
            return Some(Bytes::from(format!("retry: {LIVE_REOPENED_MS}\n\n")));
        }
        loop {
            tokio::select! {
                biased;
                () = stopped(&mut self.stopping) => return None,
                _ = self.checked.tick() => if !self.member.is_as_before(&self.app).await.unwrap_or(false) {
                    return None;
                },
                changed = self.following.changed() => {
                    // Without its watcher, a stream would say nothing for ever.
                    changed.ok()?;
                    if let Some(message) = self.news() {
                        self.beat.reset();
                        return Some(message);
                    }
                }
                _ = self.beat.tick() => return Some(Bytes::from_static(b":\n\n")),
            }
        }
    }

    /// What the watcher saw, unless the reader has it.
    fn news(&mut self) -> Option<Bytes> {
        let seen = self.following.borrow_and_update().clone()?;
        let written = match seen.written(self.reader) {
            Ok(written) => written,
            Err(cause) => {
                tracing::error!(?cause, "a live page gets no figures");
                return None;
            }
        };
        let is_known = match (&self.sent, self.seen_id.take()) {
            (Some(sent), _) => sent.html == written.html,
            (None, id) => id.is_some_and(|id| id == seen.id()),
        };
        self.sent = Some(Arc::clone(&written));
        (!is_known).then(|| written.message.clone())
    }
}
