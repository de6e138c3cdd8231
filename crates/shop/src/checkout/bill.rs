//! What an order costs before it is placed: with its coupon, and with everything that the event charges besides.

use std::net::IpAddr;

use taquilla_domain::{
    coupon::{Coupon, Uses, folded},
    pricing::{self, Per, Rate, Wanted},
    refusal::Refusal,
    status::Category,
    surcharge::Surcharge,
};
use taquilla_http::{app::App, client_address::ClientAddress, errors::Error};
use taquilla_store::{
    Tenant,
    sales::{coupons, surcharges},
};

use super::choice::Line;
use crate::{coupon_tries, pages::frame::Frame};

/// What changes the prices of an order.
pub struct Changes {
    coupon: Option<Coupon>,
    surcharges: Vec<Surcharge>,
}

/// What an order costs.
pub struct Bill {
    /// The coupon's code, and what it takes off.
    pub discount: Option<(String, i64)>,
    /// What is charged besides, by name.
    pub surcharges: Vec<(String, i64)>,
    /// All together.
    pub total: i64,
}

/// Reads what changes the prices. A coupon that cannot be used is refused, and whoever tries many has to wait.
pub async fn changes(app: &App, address: IpAddr, f: &Frame, event_id: &str) -> Result<Changes, Error> {
    let (tenant, code) = (f.keeper.tenant, f.carried.coupon());
    let coupon = coupon_tries::asked(app, ClientAddress(address), code.is_some(), find(app, f, tenant, event_id, code));
    let coupon = coupon.await?;
    let surcharges = surcharges::of_event(&mut app.store.read().await?, tenant, event_id).await?;
    Ok(Changes { coupon, surcharges })
}

async fn find(
    app: &App,
    f: &Frame,
    tenant: Tenant,
    event_id: &str,
    code: Option<&str>,
) -> Result<Option<Coupon>, Error> {
    let Some(code) = code else { return Ok(None) };
    let meant = coupons::find_by_code(&mut app.store.read().await?, tenant, event_id, &folded(code)).await?;
    // How often this buyer used it is looked at with the order.
    match meant.filter(|coupon| coupon.is_open(f.now) && coupon.uses(0) == Uses::Free) {
        Some(coupon) => Ok(Some(coupon)),
        None => Err(Refusal::Coupon.into()),
    }
}

impl Changes {
    /// What these lines cost, as the box office will reckon it; `None` if that is more than an order can cost.
    pub fn bill(&self, lines: &[Line<'_>]) -> Option<Bill> {
        let wanted: Vec<Wanted> = lines
            .iter()
            .map(|line| Wanted {
                price: line.offered.item.price,
                quantity: line.quantity,
                is_covered: self.coupon.as_ref().is_some_and(|coupon| coupon.covers(&line.offered.item.id)),
                is_ticket: line.offered.item.category != Category::Merchandise,
            })
            .collect();
        let rates: Vec<(Rate, Per)> = self.surcharges.iter().map(|surcharge| (surcharge.rate, surcharge.per)).collect();
        let prices = pricing::price(&wanted, self.coupon.as_ref().map(|coupon| coupon.rate), &rates)?;
        let added =
            self.surcharges.iter().map(|surcharge| surcharge.name.clone()).zip(prices.surcharges.iter().copied());
        Some(Bill {
            discount: self.coupon.as_ref().map(|coupon| (coupon.code.clone(), prices.discount)),
            surcharges: added.filter(|(_, added)| *added > 0).collect(),
            total: prices.total(),
        })
    }

    /// Whether a coupon is there that is for none of these lines.
    pub fn is_for_nothing(&self, lines: &[Line<'_>]) -> bool {
        let covers = |coupon: &Coupon| lines.iter().any(|line| coupon.covers(&line.offered.item.id));
        self.coupon.as_ref().is_some_and(|coupon| !covers(coupon))
    }
}
