//! A handler that takes a [`DoorKeeper`] runs only for a link that works, on a device that has shown the link's PIN.
//!
//! Links are looked up for every call, like keys (G9). A link with a PIN gives a pass to a device that has shown it,
//! sealed with the database's own key and bound to link and PIN, so no session is kept.

use std::net::IpAddr;

use axum::{extract::FromRequestParts, http::request::Parts};

use taquilla_domain::{
    door_link::{DoorLink, LinkOption},
    key::Opens,
};
use taquilla_http::{
    app::App,
    bearer::bearer,
    caller::{self, Caller},
    client_address::ClientAddress,
    errors::Error,
    rate::{Guess, Pace, Source},
};
use taquilla_store::{Tenant, credentials::Credential, door::links};

/// A call through a door link that works. The link is looked up in the database for every call (G9).
pub struct LinkHolder {
    /// The producer whose tickets the link admits.
    pub tenant: Tenant,
    /// The link.
    pub link: DoorLink,
    /// The address that the call came from.
    pub address: IpAddr,
    /// The value of `Door-Pass`, if the device sent one.
    pass: Option<String>,
}

impl LinkHolder {
    /// Whether the device sent a valid pass, or the link has no PIN.
    pub fn has_shown_the_pin(&self, app: &App) -> bool {
        match binding(&self.link) {
            Some(binding) => self.pass.as_deref().is_some_and(|pass| app.sealer.is_pass(&binding, pass)),
            None => true,
        }
    }
}

impl FromRequestParts<App> for LinkHolder {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let ClientAddress(address) = ClientAddress::of(parts);
        let now = app.time.now();
        let refuse = || app.limits.failed(Guess::Credential, Source::address(address), Error::InvalidDoorLink);
        // The checksum refuses a mistyped token before the database is asked.
        let hash = bearer(parts, Opens::Door).map_err(|_| refuse())?.hash();
        let is_new = app.known_door_links.get(&hash).is_none();
        if is_new {
            app.limits.may_attempt(Guess::Credential, &Source::address(address))?;
        }
        // The connection returns to the pool at once, because the request's body may take long to arrive.
        let found = links::find_by_hash(&mut app.store.read().await?, &hash).await?;
        let (tenant, producer, link) = found.ok_or_else(refuse)?;
        caller::is(Caller::DoorLink { id: link.id.clone(), producer });
        if is_new {
            app.known_door_links.remember(hash, ());
        }
        // An ended link does not count as a failed authentication, so a phone learns that its link has ended even if
        // others guess from the same address.
        if !link.life.works(now) {
            return Err(Error::InvalidDoorLink);
        }
        app.limits.count(Pace::DoorCalls, &Source::both(&link.id, address))?;
        app.last_used.note(Credential::DoorLink, tenant, &link.id, link.life.last_used_at, now);
        let pass = parts.headers.get("door-pass").and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(Self { tenant, link, address, pass })
    }
}

impl LinkHolder {
    /// Refuses what whoever made the link did not allow.
    pub fn may(&self, option: LinkOption) -> Result<(), Error> {
        self.may_by_one_of(&[option])
    }

    /// Refuses what whoever made the link allowed by none of these options.
    pub fn may_by_one_of(&self, options: &[LinkOption]) -> Result<(), Error> {
        let allowed = options.iter().any(|option| self.link.options.allow(*option));
        match options.first().filter(|_| !allowed) {
            Some(option) => Err(Error::NotAllowedByLink(*option)),
            None => Ok(()),
        }
    }
}

/// A [`LinkHolder`] whose device has shown the link's PIN, if it has one.
pub struct DoorKeeper(pub LinkHolder);

impl FromRequestParts<App> for DoorKeeper {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let holder = LinkHolder::from_request_parts(parts, app).await?;
        if holder.has_shown_the_pin(app) { Ok(Self(holder)) } else { Err(Error::PinRequired) }
    }
}

/// The pass for a device that has shown the PIN. The device sends the pass with every call instead of the PIN, and a
/// pass cannot be guessed.
pub fn pass(app: &App, link: &DoorLink) -> Result<Option<String>, Error> {
    binding(link).map(|binding| app.sealer.pass(&binding)).transpose()
}

/// What a pass is bound to: this link with this PIN.
fn binding(link: &DoorLink) -> Option<String> {
    link.pin_hash.as_ref().map(|pin_hash| format!("door\n{}\n{pin_hash}", link.id))
}
