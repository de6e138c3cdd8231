//! Tickets as the API shows them, from their facts.

use super::rows::State;
use crate::{Conn, Error, Result, Tenant, catalogue::ticket_types};

/// Tickets as the API shows them now, in the order given.
pub async fn shown(conn: &mut Conn, tenant: Tenant, states: &[&State]) -> Result<Vec<String>> {
    let mut types: Vec<&str> = states.iter().map(|state| state.ticket_type_id.as_str()).collect();
    types.sort_unstable();
    types.dedup();
    let summaries = ticket_types::summaries(conn, tenant, &types).await?;
    let mut shown = Vec::with_capacity(states.len());
    for state in states {
        let at =
            types.binary_search(&state.ticket_type_id.as_str()).map_err(|_| Error::internal("a type went missing"))?;
        let (name, category) = &summaries[at];
        shown.push(state.shown(name, *category)?);
    }
    Ok(shown)
}
