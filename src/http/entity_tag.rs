//! Entity tags: a client that has an answer need not be sent it again (RFC 9110).

use axum::http::HeaderValue;
use xxhash_rust::xxh3::xxh3_64;

/// A weak tag: it names the content, whether it is sent compressed or not.
pub fn entity_tag(content: &[u8]) -> HeaderValue {
    let tag = format!("W/\"{:016x}\"", xxh3_64(content));
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether an `If-None-Match` header lists this tag; weak and strong ones of the same name are the same here (RFC 9110).
pub fn lists(header: &HeaderValue, tag: &[u8]) -> bool {
    let bare = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_owned();
    header
        .as_bytes()
        .split(|byte| *byte == b',')
        .map(<[u8]>::trim_ascii)
        .any(|known| known == b"*" || bare(known) == bare(tag))
}
