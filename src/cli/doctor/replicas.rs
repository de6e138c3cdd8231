//! The replicas: whether they answer, and how far they have followed.

use taquilla_domain::clock::Stamp;
use taquilla_store::{Store, condition::Condition};

use super::finding::Finding;

/// Looks at every replica of a database, whose latest change is known.
pub async fn look(addresses: &[String], database: Option<&Condition>) -> Vec<Finding> {
    let changed_at = database.and_then(|database| database.changed_at);
    let mut findings = Vec::with_capacity(addresses.len());
    for address in addresses {
        findings.push(one(address, changed_at).await);
    }
    findings
}

async fn one(address: &str, changed_at: Option<Stamp>) -> Finding {
    const MEND: &str = "Lists are answered by the database itself meanwhile. See whether the standby runs and follows, and \
         whether TAQUILLA_READ_REPLICA is right";
    let servers = match Store::servers(address) {
        Ok(servers) => servers,
        Err(cause) => return Finding::wrong("replica", cause.to_string(), "Correct TAQUILLA_READ_REPLICA"),
    };
    let replica = match Condition::of(address).await {
        Ok(replica) => replica,
        Err(cause) => return Finding::doubtful("replica", format!("{servers}: {cause}"), MEND),
    };
    if replica.changed_at >= changed_at {
        return Finding::good("replica", format!("{servers} has every change"));
    }
    let latest = |stamp: Option<Stamp>| stamp.map_or_else(|| "nothing".to_owned(), |stamp| stamp.to_string());
    let (has, last) = (latest(replica.changed_at), latest(changed_at));
    Finding::doubtful(
        "replica",
        format!("{servers} is behind: it has changes up to {has}, the database up to {last}"),
        MEND,
    )
}
