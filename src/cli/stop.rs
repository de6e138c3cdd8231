//! Being told to stop.

use std::io;

use tokio::signal::unix::{SignalKind, signal};

/// Completes on SIGTERM or Ctrl-C. From now on neither ends the process by itself.
pub fn told_to_stop() -> io::Result<impl Future<Output = ()> + Send> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
