//! Small answers that are kept with their tags, so that the server need not send them again.

use std::collections::{HashMap, VecDeque};

use bytes::Bytes;
use parking_lot::Mutex;

/// The most answers that are kept: the ticket types of as many events that are on sale.
const KEPT: usize = 256;
/// The largest answer that is kept: a page of 200 tickets is larger, and hardly ever the same again.
const LARGEST: usize = 32 * 1024;

/// Answers by what was asked for.
#[derive(Default)]
pub(crate) struct Answers(Mutex<Held>);

#[derive(Default)]
struct Held {
    by_url: HashMap<String, Tagged>,
    /// Oldest first.
    urls: VecDeque<String>,
}

/// An answer and its tag.
#[derive(Clone)]
pub(crate) struct Tagged {
    pub tag: String,
    pub body: Bytes,
}

impl Answers {
    pub(crate) fn get(&self, url: &str) -> Option<Tagged> {
        self.0.lock().by_url.get(url).cloned()
    }

    /// Keeps an answer, unless it is large. The oldest one makes room for it.
    pub(crate) fn keep(&self, url: &str, tag: &str, body: &Bytes) {
        let mut held = self.0.lock();
        if body.len() > LARGEST {
            // An older, smaller answer would be asked about in vain.
            held.by_url.remove(url);
            return;
        }
        // A copy of its own: the bytes that came may be part of a larger piece.
        let tagged = Tagged { tag: tag.to_owned(), body: Bytes::copy_from_slice(body) };
        if held.by_url.insert(url.to_owned(), tagged).is_none() {
            held.urls.push_back(url.to_owned());
        }
        while held.urls.len() > KEPT {
            if let Some(oldest) = held.urls.pop_front() {
                held.by_url.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_small_answers_are_kept() {
        let answers = Answers::default();
        for number in 0..=KEPT {
            answers.keep(&format!("/{number}"), "tag", &Bytes::from_static(b"{}"));
        }
        assert!(answers.get("/0").is_none(), "the oldest made room");
        assert_eq!(answers.get("/1").unwrap().tag, "tag");
        answers.keep("/1", "large", &Bytes::from(vec![b' '; LARGEST + 1]));
        assert!(answers.get("/1").is_none());
        assert_eq!(answers.0.lock().by_url.len(), KEPT - 1);
    }
}
