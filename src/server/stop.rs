//! How connections learn that the server stops.

use tokio::sync::watch;

/// Says that the server stops. The server waits until all of these are dropped.
pub type Stop = watch::Receiver<bool>;

/// Returns once the server stops.
pub async fn stopped(stop: &mut Stop) {
    // An error would be a server that is gone.
    let _ = stop.wait_for(|stopped| *stopped).await;
}
