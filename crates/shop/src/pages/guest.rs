//! Whoever looks at a page of a shop, and whose shop it is.

use std::collections::HashMap;

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};

use taquilla_domain::{config::SHOP_RESERVED, id};
use taquilla_http::{
    app::App,
    caller,
    errors::Error,
    rate::{Pace, Source},
};
use taquilla_pages::visitor::Visitor;
use taquilla_store::producers::{self, Shopkeeper};

use super::{carried::Carried, frame::Frame};

/// Whoever looks at a page of a shop, within the shop's rate limit. Handlers extract it first.
pub struct Guest {
    /// Who looks.
    pub visitor: Visitor,
    /// Whose shop it is.
    pub keeper: Shopkeeper,
}

impl Guest {
    /// What is around a page.
    pub fn frame(self, app: &App, carried: Carried) -> Frame {
        let service = self.visitor.service_address(app);
        Frame { l: self.visitor.layout, now: self.visitor.now, keeper: self.keeper, carried, service }
    }
}

impl FromRequestParts<App> for Guest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let visitor = Visitor::of(parts, app);
        app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
        // A path that is no UTF-8 names nobody.
        let ids = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let ids = ids.map(|Path(ids)| ids).unwrap_or_default();
        let id = ids.get("producer_id").filter(|id| id::is_plausible(id) && !SHOP_RESERVED.contains(&id.as_str()));
        let id = id.ok_or(Error::NotFound("shop"))?;
        let keeper = producers::shopkeeper(&mut app.store.read().await?, id).await?.ok_or(Error::NotFound("shop"))?;
        caller::is_about(id);
        Ok(Self { visitor, keeper })
    }
}
