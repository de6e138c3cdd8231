//! Which answers are compressed.

use axum::{
    Router,
    http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header},
};
use tower_http::{
    CompressionLevel,
    compression::{
        Compression, Predicate,
        predicate::{And, SizeAbove},
    },
};

use taquilla_domain::config::COMPRESSED_MIN;

/// All routes, with long answers compressed.
pub type Compressed = Compression<Router, And<SizeAbove, fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool>>;

/// Compresses long JSON answers. Everything else passes through unchanged, also the files of the console, because
/// anybody may request those as often as they like.
pub fn compressed(router: Router) -> Compressed {
    let is_json: fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool =
        |_, _, headers, _| headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    Compression::new(router)
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(COMPRESSED_MIN).and(is_json))
}

/// Removes all codings from `Accept-Encoding` that we do not support. A client that forbids everything else (`*;q=0`)
/// still gets an uncompressed answer: the work is done by then, and the compression layer would turn a placed order
/// into 406.
pub fn keep_known_encodings(headers: &mut HeaderMap) {
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
