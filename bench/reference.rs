//! What the same HTTP stack does when it has nothing to do: a server that answers constant bytes.
//!
//! `bench-reference ADDRESS STATUS BYTES` answers every request, whatever its path and body, with that many bytes and
//! the headers that Taquilla sends.

use axum::{
    Router,
    body::Bytes,
    http::{HeaderName, StatusCode, header},
    response::IntoResponse,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, status, bytes] = arguments.as_slice() else { return Err("ADDRESS STATUS BYTES".into()) };
    let status: StatusCode = status.parse()?;
    let body = Bytes::from(vec![b'x'; bytes.parse()?]);
    let answer = move |_request: Bytes| {
        let body = body.clone();
        async move {
            let headers = [
                (header::CONTENT_TYPE, "application/json"),
                (header::CACHE_CONTROL, "private, no-cache"),
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
