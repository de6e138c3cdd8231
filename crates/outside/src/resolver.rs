//! Looks up names and keeps only the addresses that may be dialled.
//!
//! The check is here, on the same addresses that the connection then uses, because a second look-up of a name could
//! give others.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    sync::Arc,
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use ipnet::IpNet;
use parking_lot::Mutex;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use taquilla_domain::{addresses::Reach, config::WEBHOOK_LOOKUPS_MAX};

use super::lookup::Lookup;

/// Why a name has no address to dial.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Dead {
    #[error("the name could not be found")]
    NotFound,
    /// The address stays in the server's log: staff of a producer read this, and could map the operator's network by it.
    #[error("the address is not allowed: {name} leads to one {}; the server's log says more", reach.lacks())]
    NotAllowed { name: String, reach: Reach },
}

/// Looks names up for the connections of one scheme.
#[derive(Clone)]
pub(crate) struct Resolver {
    lookup: Lookup,
    reach: Reach,
    allow: Arc<[IpNet]>,
    slots: Arc<Semaphore>,
    /// The look-ups that are under way, by name.
    asked: Arc<Mutex<HashMap<String, Answer>>>,
}

/// The addresses of a name, shared by all who asked for it.
type Answer = Shared<BoxFuture<'static, Option<Vec<IpAddr>>>>;

impl Resolver {
    pub(crate) fn new(lookup: Lookup, reach: Reach, allow: Arc<[IpNet]>) -> Self {
        Self { lookup, reach, allow, slots: Arc::new(Semaphore::new(WEBHOOK_LOOKUPS_MAX)), asked: Arc::default() }
    }

    /// A resolver with another reach that shares the slots.
    pub(crate) fn reaching(&self, reach: Reach) -> Self {
        Self { reach, ..self.clone() }
    }

    /// The addresses at which the name may be dialled, at least one.
    async fn find(&self, name: &str) -> Result<Vec<IpAddr>, Dead> {
        let mut addresses = match &self.lookup {
            Lookup::System => self.ask_system(name.to_owned()).await.ok_or(Dead::NotFound)?,
            Lookup::Scripted(script) => script(name),
        };
        let first = *addresses.first().ok_or(Dead::NotFound)?;
        addresses.retain(|address| self.reach.covers(*address, &self.allow));
        if addresses.is_empty() {
            let refusal = self.reach.refusal(first);
            tracing::warn!(name, address = %first, "the address of a receiver is not allowed, {refusal}");
            return Err(Dead::NotAllowed { name: name.to_owned(), reach: self.reach });
        }
        Ok(addresses)
    }

    /// Asks the system's resolver. Simultaneous requests for one name share a look-up, so a name that nobody answers
    /// for holds one thread.
    async fn ask_system(&self, name: String) -> Option<Vec<IpAddr>> {
        let asked = Arc::clone(&self.asked);
        let answer = asked.lock().entry(name.clone()).or_insert_with(|| self.begin(name)).clone();
        answer.await
    }

    fn begin(&self, name: String) -> Answer {
        let (slots, asked) = (Arc::clone(&self.slots), Arc::clone(&self.asked));
        // The look-up runs in its own task, because all who asked may have gone when the answer comes.
        let answer = tokio::spawn(async move {
            let slot = slots.acquire_owned().await.ok()?;
            let wanted = name.clone();
            let found = tokio::task::spawn_blocking(move || (wanted, 0).to_socket_addrs()).await;
            asked.lock().remove(&name);
            drop(slot);
            Some(found.ok()?.ok()?.map(|address| address.ip()).collect())
        });
        answer.map(|answer| answer.ok().flatten()).boxed().shared()
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let addresses = resolver.find(name.as_str()).await?;
            // Port 0 means the port of the URL.
            Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolver(reach: Reach, addresses: &'static [&str]) -> Resolver {
        let script = move |_: &str| addresses.iter().map(|address| address.parse().unwrap()).collect();
        Resolver::new(Lookup::Scripted(Arc::new(script)), reach, Arc::new(["127.0.0.0/8".parse().unwrap()]))
    }

    #[tokio::test]
    async fn of_several_addresses_only_those_that_may_be_dialled_are() {
        let found = resolver(Reach::Public, &["10.0.0.1", "8.8.8.8", "127.0.0.1", "::1"]).find("name").await.unwrap();
        assert_eq!(found, ["8.8.8.8".parse::<IpAddr>().unwrap(), "127.0.0.1".parse().unwrap()]);
        let found = resolver(Reach::Allowed, &["8.8.8.8", "127.0.0.1"]).find("name").await.unwrap();
        assert_eq!(found, ["127.0.0.1".parse::<IpAddr>().unwrap()]);
    }

    #[tokio::test]
    async fn a_name_that_leads_nowhere_says_why() {
        let refusal = async |reach, addresses| resolver(reach, addresses).find("name").await.unwrap_err().to_string();
        assert_eq!(
            refusal(Reach::Public, &["10.0.0.1"]).await,
            "the address is not allowed: name leads to one that is not public; the server's log says more"
        );
        assert_eq!(
            refusal(Reach::Allowed, &["8.8.8.8"]).await,
            "the address is not allowed: name leads to one for https only; the server's log says more"
        );
        assert_eq!(refusal(Reach::Public, &[]).await, "the name could not be found");
    }

    #[tokio::test]
    async fn the_system_knows_this_machine_and_no_invalid_name() {
        let system = Resolver::new(Lookup::System, Reach::Allowed, Arc::new(["127.0.0.0/8".parse().unwrap()]));
        assert_eq!(system.find("localhost").await.unwrap(), ["127.0.0.1".parse::<IpAddr>().unwrap()]);
        assert_eq!(system.find("nobody.invalid").await, Err(Dead::NotFound));
        let (one, other) = tokio::join!(system.find("localhost"), system.find("localhost"));
        assert_eq!(one, other);
        assert!(system.asked.lock().is_empty(), "nothing is left of what was asked");
    }
}
