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

/// Whoever comes to a page of a shop, within the shop's rate limit, before it is known whether there is such a shop. Handlers
/// extract it first, or a [`Guest`].
pub struct Passerby {
    /// Who comes.
    pub visitor: Visitor,
    /// The public id in the page's address.
    pub producer_id: String,
}

/// Whoever looks at a page of a shop that is there.
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

impl FromRequestParts<App> for Passerby {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let visitor = Visitor::of(parts, app);
        app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
        // A path that is no UTF-8 names nobody.
        let ids = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let mut ids = ids.map(|Path(ids)| ids).unwrap_or_default();
        let id = ids.remove("producer_id").filter(|id| id::is_plausible(id) && !SHOP_RESERVED.contains(&id.as_str()));
        Ok(Self { visitor, producer_id: id.ok_or(Error::NotFound("shop"))? })
    }
}

impl FromRequestParts<App> for Guest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let Passerby { visitor, producer_id } = Passerby::from_request_parts(parts, app).await?;
        let keeper = find_keeper(app, &producer_id).await?;
        Ok(Self { visitor, keeper })
    }
}

/// Who keeps the shop under this public id.
pub async fn find_keeper(app: &App, producer_id: &str) -> Result<Shopkeeper, Error> {
    let keeper = producers::shopkeeper(&mut app.store.read().await?, producer_id).await?;
    let keeper = keeper.ok_or(Error::NotFound("shop"))?;
    caller::is_about(producer_id);
    Ok(keeper)
}
