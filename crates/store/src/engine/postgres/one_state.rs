//! Reading several things that belong together.

use super::{super::error::Result, session::Session};

/// A transaction that only reads, and sees what was committed before its first statement.
pub const ONE_STATE: &str = "START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl Session {
    /// From here to [`Session::roll_back`] all statements see one state.
    pub async fn begin_state(&mut self) -> Result<()> {
        self.in_transaction = true;
        let (client, watch) = self.line()?;
        watch.over(client.batch_execute(ONE_STATE)).await
    }
}
