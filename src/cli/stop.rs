//! Being told to stop.

use std::{io, time::Duration};

use tokio::{
    signal::unix::{SignalKind, signal},
    time::sleep,
};

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

/// Completes on SIGTERM or Ctrl-C, with what else a server waits for before it closes. Ctrl-C is pressed by somebody who
/// waits at a terminal, and a second signal says that nobody wants to wait.
pub fn told_to_leave(
    drain: Duration,
) -> io::Result<impl Future<Output = Option<impl Future<Output = ()> + Send>> + Send> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        let is_drained = tokio::select! {
            _ = terminate.recv() => !drain.is_zero(),
            _ = interrupt.recv() => false,
        };
        is_drained.then_some(async move {
            tokio::select! {
                () = sleep(drain) => {}
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    })
}
