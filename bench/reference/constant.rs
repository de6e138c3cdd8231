//! The same HTTP stack with nothing to do: it answers every request, whatever its path and body, with that many bytes
//! and the headers that Taquilla sends.

use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, StatusCode, header},
    response::IntoResponse,
};

use crate::Failure;

pub async fn serve(address: &str, status: StatusCode, bytes: usize) -> Result<(), Failure> {
    let body = Bytes::from(vec![b'x'; bytes]);
    let answer = move |_request: Bytes| {
        let body = body.clone();
        async move {
            let headers = [
                (header::CONTENT_TYPE, "application/json"),
                (header::CACHE_CONTROL, "private, no-cache"),
                (header::ETAG, "W/\"0123456789abcdef\""),
                (header::VARY, "accept-encoding"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (HeaderName::from_static("x-request-id"), "0123456789abcdef0123456789abcdef"),
            ];
            (status, headers, body).into_response()
        }
    };
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback(answer)).await?;
    Ok(())
}
