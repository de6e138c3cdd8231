//! The promoter whose link was opened.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};

use taquilla_domain::{clock::Stamp, event::KeptEvent, status::EventStatus};
use taquilla_http::{
    app::App,
    caller,
    errors::Error,
    rate::{Guess, Pace, Source},
};
use taquilla_pages::visitor::Visitor;
use taquilla_store::{
    Tenant,
    catalogue::events,
    producers,
    sales::promoters::{self, Selling},
};

/// Whoever has the link of a promoter who has not ended.
pub struct Opened {
    /// Who asks.
    pub visitor: Visitor,
    /// The producer.
    pub tenant: Tenant,
    /// Its public id.
    pub producer_id: String,
    /// Its name.
    pub producer: String,
    /// The promoter, and what they sold.
    pub selling: Selling,
    /// What the orders of this promoter are known by: the hash of the token.
    pub hash: String,
    /// The event that they sell for.
    pub event: KeptEvent,
    /// The address of the page.
    pub path: String,
}

impl Opened {
    /// Whether something may be given away now, as far as the event is concerned.
    pub fn is_open(&self) -> bool {
        self.event.status == EventStatus::Published
    }

    /// When the request came.
    pub fn now(&self) -> Stamp {
        self.visitor.now
    }
}

impl FromRequestParts<App> for Opened {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let visitor = Visitor::of(parts, app);
        let source = Source::address(visitor.address);
        app.limits.count(Pace::ShopVisits, std::slice::from_ref(&source))?;
        // A token that opens nothing may be a guess.
        let unknown = || app.limits.failed(Guess::Credential, source.clone(), Error::NotFound("page"));
        let token = Path::<String>::from_request_parts(parts, app).await.map_err(|_| Error::NotFound("page"))?;
        let (tenant, secret) = promoters::split_token(&token).ok_or_else(unknown)?;
        app.limits.may_attempt(Guess::Credential, &source)?;
        let (mut conn, hash) = (app.store.read().await?, secret.hash());
        let found = promoters::find_by_hash(&mut conn, tenant, &hash).await?;
        let selling = found.filter(|selling| selling.promoter.ended_at.is_none()).ok_or_else(unknown)?;
        let (producer_id, producer) = producers::get(&mut conn, tenant).await?;
        caller::is_about(&producer_id);
        let event = events::find_kept(&mut conn, tenant, &selling.promoter.event_id).await?;
        let event = event.ok_or(Error::NotFound("page"))?;
        let path = taquilla_pages::shop_links::promoter(&token);
        Ok(Self { visitor, tenant, producer_id, producer, selling, hash, event, path })
    }
}
