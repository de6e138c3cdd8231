//! What a request costs: its items at present prices, with its coupon and the event's surcharges.

use taquilla_domain::{
    asked::AttendeesAsked,
    config::AMOUNT_MAX,
    order::{OrderItem, UsedCoupon},
    person::Person,
    pricing::{self, Line, Per, Rate, Wanted},
    refusal::Refusal,
    status::{Category, ItemKind},
    stock::Channel,
};

use super::{coupons::kept, ledger::Ledger, order_request::OrderRequest};

/// The lines of an order that may be placed, as far as stock does not matter.
pub(super) struct Offered {
    /// The lines. An item whose total is no multiple of its quantity has two.
    pub items: Vec<OrderItem>,
    /// Who the first units of each line are for.
    pub attendees: Vec<Vec<Person>>,
    pub currency: String,
    /// What the coupon takes off.
    pub discount: i64,
    /// What surcharges add.
    pub surcharge: i64,
    pub coupon: Option<UsedCoupon>,
}

impl Ledger {
    /// What a request costs at present prices. Refuses items that may not be sold now, and then a coupon that may not be used.
    pub(super) fn price(&self, request: &OrderRequest) -> Result<Offered, Refusal> {
        let mut listed = Vec::with_capacity(request.items.len());
        let mut wanted = Vec::with_capacity(request.items.len());
        let mut currency: Option<String> = None;
        for (position, asked) in request.items.iter().enumerate() {
            let unknown = || {
                let message = "the event has no such item; look again what is on sale";
                Refusal::invalid(format!("items[{position}].ticket_type_id"), message)
            };
            let item = self.items.get(&asked.ticket_type_id);
            let item = item.filter(|item| item.event_id == request.event_id).ok_or_else(unknown)?;
            item.offer.may_sell(request.channel, asked.access_code.as_deref(), self.now).map_err(|refusal| {
                match (request.channel, refusal) {
                    // For the public, an item that it may not see does not exist. Staff are told the reason.
                    (Channel::Public, Refusal::NotOnSale(_)) => unknown(),
                    (_, refusal) => refusal,
                }
            })?;
            // Staff who were told how many one order may have, and sell more or fewer, say so.
            if !request.past_most {
                item.offer.fits_one_order(asked.quantity)?;
            }
            if request.channel == Channel::Public && item.category != Category::Merchandise {
                let asks = self.events.get(&request.event_id).map_or(AttendeesAsked::None, |it| it.attendees_asked);
                let units = if asks.asks() { asked.quantity } else { 0 };
                for unit in 0..units as usize {
                    asks.check(asked.attendees.get(unit), &format!("items[{position}].attendees[{unit}]"))?;
                }
            }
            if request.channel == Channel::Promoter
                && (item.kind, item.category) != (ItemKind::TicketType, Category::Ticket)
            {
                let field = format!("items[{position}].ticket_type_id");
                return Err(Refusal::invalid(field, "only entrances are given away, and no bundles"));
            }
            if *currency.get_or_insert_with(|| item.currency.clone()) != item.currency {
                let field = format!("items[{position}].ticket_type_id");
                return Err(Refusal::invalid(field, "the items of one order have one currency"));
            }
            let unit_price = match request.channel {
                Channel::Promoter => 0,
                Channel::Public | Channel::Staff => asked.unit_price.unwrap_or(item.price),
            };
            let total = unit_price.saturating_mul(asked.quantity);
            if total > AMOUNT_MAX {
                let message = format!("the total would be over {AMOUNT_MAX}");
                return Err(Refusal::invalid(format!("items[{position}].quantity"), message));
            }
            let is_ticket = item.category != Category::Merchandise;
            wanted.push(Wanted { price: unit_price, quantity: asked.quantity, is_covered: false, is_ticket });
            listed.push(OrderItem {
                ticket_type_id: asked.ticket_type_id.clone(),
                kind: item.kind,
                name: item.name.clone(),
                quantity: asked.quantity,
                list_price: item.price,
                unit_price,
                total,
            });
        }
        let coupon = self.coupon(request)?;
        for (wanted, item) in wanted.iter_mut().zip(&listed) {
            wanted.is_covered = coupon.is_some_and(|coupon| coupon.covers(&item.ticket_type_id));
        }
        let prices = pricing::price(&wanted, coupon.map(|coupon| coupon.rate), &self.charged(request));
        let prices = prices
            .ok_or_else(|| Refusal::invalid("items", format!("the total of the order would be over {AMOUNT_MAX}")))?;
        let mut items = Vec::with_capacity(prices.lines.len());
        let mut attendees = Vec::with_capacity(prices.lines.len());
        let mut named: Vec<_> = request.items.iter().map(|item| item.attendees.iter().cloned()).collect();
        for of in &prices.lines {
            items.push(line(&listed[of.item], of));
            attendees.push(named[of.item].by_ref().take(of.quantity as usize).collect());
        }
        let (discount, surcharge) = (prices.discount, prices.surcharge());
        Ok(Offered {
            items,
            attendees,
            currency: currency.unwrap_or_default(),
            discount,
            surcharge,
            coupon: coupon.map(kept),
        })
    }

    /// What is charged for an event besides the prices. Staff who sell charge nothing more.
    fn charged(&self, request: &OrderRequest) -> Vec<(Rate, Per)> {
        let of_event = self.surcharges.get(&request.event_id).filter(|_| request.channel == Channel::Public);
        of_event.into_iter().flatten().map(|surcharge| (surcharge.rate, surcharge.per)).collect()
    }
}

/// Units of an item at a price.
fn line(item: &OrderItem, line: &Line) -> OrderItem {
    let Line { quantity, unit_price, .. } = *line;
    OrderItem { quantity, unit_price, total: quantity * unit_price, ..item.clone() }
}
