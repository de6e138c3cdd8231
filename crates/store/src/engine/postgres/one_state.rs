//! Reading several things that belong together.

use std::sync::Arc;

use super::{super::error::Result, session::Session, settings::ONE_STATE};

impl Session {
    /// From here to [`Session::roll_back`] all statements see one state.
    pub async fn begin_state(&mut self) -> Result<()> {
        self.in_transaction = true;
        let begin = self.for_each.as_ref().map_or_else(|| ONE_STATE.into(), |for_each| Arc::clone(&for_each.state));
        let (client, watch) = self.line()?;
        watch.over(client.batch_execute(&begin)).await
    }
}
