//! Entity tags, which spare sending an answer that the client already has (RFC 9110).

use axum::http::HeaderValue;
use xxhash_rust::xxh3::xxh3_64;

use taquilla_domain::key::hexadecimal;

/// A weak tag of the content. It is the same for compressed and uncompressed answers.
pub fn entity_tag(content: &[u8]) -> HeaderValue {
    let mut tag = *b"W/\"0123456789abcdef\"";
    tag[3..19].copy_from_slice(hexadecimal(&xxh3_64(content).to_be_bytes()).as_bytes());
    HeaderValue::from_bytes(&tag).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether an `If-None-Match` header lists this tag. Weak and strong tags of the same name count as equal here (RFC
/// 9110).
pub fn lists(header: &HeaderValue, tag: &[u8]) -> bool {
    let bare = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_owned();
    header
        .as_bytes()
        .split(|byte| *byte == b',')
        .map(<[u8]>::trim_ascii)
        .any(|known| known == b"*" || bare(known) == bare(tag))
}
