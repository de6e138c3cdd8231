//! Where the answer to a request goes.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use taquilla_store::ChangeResult;

/// The way back to whoever asked. A request is decided in a transaction, which may run twice, and is answered once that is
/// committed. So a decision has a handle of its own, and the first answer is the one that counts.
pub(super) struct Reply<A>(Arc<Mutex<Option<oneshot::Sender<ChangeResult<A>>>>>);

impl<A> Clone for Reply<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<A> Reply<A> {
    /// A way back, and where the answer arrives.
    pub fn new() -> (Self, oneshot::Receiver<ChangeResult<A>>) {
        let (sender, answered) = oneshot::channel();
        (Self(Arc::new(Mutex::new(Some(sender)))), answered)
    }

    /// Whether somebody still waits for the answer.
    pub fn is_waited_for(&self) -> bool {
        self.0.lock().as_ref().is_some_and(|sender| !sender.is_closed())
    }

    /// Answers. Sending fails if the client has gone. What was decided stands, and a repeat of the order or the scan gets
    /// its answer.
    pub fn tell(&self, answer: ChangeResult<A>) {
        if let Some(sender) = self.0.lock().take() {
            let _gone = sender.send(answer);
        }
    }
}
