//! Buying, paying, giving back and passing on.

use std::time::Duration;

use rand::{RngExt, seq::IndexedRandom};
use serde_json::{Value, json};

use taquilla_domain::{
    config::{DEMO_PAYMENTS_MAX, DEMO_UNSETTLED_MAX},
    status::Category,
    stock::Channel,
};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest, Placed};
use taquilla_store::{ChangeError, ChangeResult, sales::payment_lists};

use super::{
    data::CURRENCY,
    people,
    world::{Deed, LATER_EVENTS, Payment, Place, REMEMBERED, World},
};

/// A refusal is an everyday thing: what somebody wanted was gone.
fn unless_refused<T>(done: ChangeResult<T>) -> anyhow::Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(ChangeError::Refused(_)) => Ok(None),
        Err(ChangeError::Store(cause)) => Err(cause.into()),
    }
}

impl World {
    /// Tonight's event, or sometimes another one.
    fn an_event(&mut self) -> String {
        match self.rng.random_ratio(2, 3) {
            true => self.night.event_id.clone(),
            false => (*LATER_EVENTS.choose(&mut self.rng).unwrap_or(&LATER_EVENTS[0])).to_owned(),
        }
    }

    pub(super) async fn order(&mut self) -> anyhow::Result<Deed> {
        let event_id = self.an_event();
        let path = format!("/shop/v1/{}/events/{event_id}", self.place.producer_id);
        let sale = self.outside.get(&path).await?.body;
        let on_sale = |item: &&Value| item["status"] == "active" && item["held_until"].is_null();
        let items: Vec<&Value> = sale["items"].as_array().into_iter().flatten().filter(on_sale).collect();
        let cheap_is_common = |item: &&&Value| 100.0 / (item["price"].as_f64().unwrap_or(0.0) + 10.0);
        let Ok(item) = items.choose_weighted(&mut self.rng, |item| cheap_is_common(&item)) else {
            return Ok(Deed::Nothing);
        };
        let item = item["id"].as_str().unwrap_or_default().to_owned();
        let buyer = people::person(&mut self.rng);
        let quantity = *[1, 1, 2, 2, 3, 4].choose(&mut self.rng).unwrap_or(&1);
        // Most pay within a minute. Of the others, some pay when their hold has ended, some cannot, and some never do.
        let fate = self.rng.random_range(0..100);
        let (after_s, status, hold_s) = match fate {
            0..80 => (self.rng.random_range(3..50), "paid", 1_800),
            80..87 => (self.rng.random_range(100..240), "paid", 60),
            87..94 => (self.rng.random_range(10..60), "failed", 1_800),
            _ => (0, "", 900),
        };
        let body = json!({
            "buyer": {"name": buyer.name, "email": buyer.email},
            "items": [{"ticket_type_id": item, "quantity": quantity}], "hold_seconds": hold_s,
        });
        let key = self.new_id("order");
        let placed =
            self.outside.post(&format!("{path}/orders"), &[("idempotency-key", &key)], body.to_string()).await?;
        let (order, reference) = (&placed.body["order"], placed.body["reference"].as_str());
        let (201, Some(reference)) = (placed.status, reference) else { return Ok(Deed::Nothing) };
        if !status.is_empty() && order["status"] == "pending" && self.payments.len() < DEMO_PAYMENTS_MAX {
            self.payments.push(Payment {
                due: self.place.time.now().plus(Duration::from_secs(after_s)),
                reference: reference.to_owned(),
                status,
                amount: order["total"].as_i64().unwrap_or_default(),
                currency: order["currency"].as_str().unwrap_or_default().to_owned(),
            });
        }
        if let Some(id) = order["id"].as_str() {
            self.remember_sale(id.to_owned());
        }
        Ok(Deed::Ordered)
    }

    fn remember_sale(&mut self, order_id: String) {
        self.sold.truncate(REMEMBERED - 1);
        self.sold.push_front(order_id);
    }

    pub(super) async fn pay(&mut self, payment: Payment) -> anyhow::Result<Deed> {
        let id = self.new_id("pay");
        let body = json!({
            "payment_id": id, "reference": payment.reference, "status": payment.status, "amount": payment.amount,
            "currency": payment.currency,
        })
        .to_string();
        let seconds = self.place.time.now().micros() / 1_000_000;
        let (time, signature) = (seconds.to_string(), self.secret.sign(&id, seconds, body.as_bytes()));
        let headers = [("webhook-id", id.as_str()), ("webhook-timestamp", &time), ("webhook-signature", &signature)];
        let path = format!("/shop/v1/{}/payments", self.place.producer_id);
        let answer = self.outside.post(&path, &headers, body).await?;
        Ok(if answer.status == 200 { Deed::Paid } else { Deed::PaidInVain })
    }

    /// Money that no order asked for, as when somebody pays an old invoice twice.
    pub(super) async fn pay_in_vain(&mut self) -> anyhow::Result<Deed> {
        let (tenant, mut conn) = (self.place.tenant, self.place.store.read().await?);
        let open = payment_lists::list(&mut conn, tenant, payment_lists::Listed::Unsettled).await?.len();
        drop(conn);
        if open >= DEMO_UNSETTLED_MAX {
            return Ok(Deed::Nothing);
        }
        let reference = format!("invoice-{}", self.rng.random_range(1_000..10_000));
        let (due, currency) = (self.place.time.now(), CURRENCY.to_owned());
        self.pay(Payment { due, reference, status: "paid", amount: 25, currency }).await
    }

    /// The box office sells tonight's tickets, and now and then gives one away.
    pub(super) async fn sell_by_staff(&mut self) -> anyhow::Result<Deed> {
        let suffix = *["general", "general", "vip", "guest", "pack"].choose(&mut self.rng).unwrap_or(&"general");
        let item = ItemRequest {
            ticket_type_id: format!("tt_{}_{suffix}", &self.night.event_id[3..]),
            quantity: self.rng.random_range(1..=2),
            unit_price: self.rng.random_ratio(1, 8).then_some(0),
            attendees: vec![],
            access_code: None,
        };
        let mut buyer = people::person(&mut self.rng);
        buyer.email.clear();
        let event_id = self.night.event_id.clone();
        let sale = OrderRequest::new(event_id, buyer, vec![item], Channel::Staff);
        let request = OrderRequest { is_paid: true, ..sale };
        let Place { store, tenant, time, .. } = &self.place;
        let by = people::staff(time);
        let placed = boxoffice::place(store, *tenant, &request, None, &by).await;
        let Some(Placed::New(placed)) = unless_refused(placed)? else { return Ok(Deed::Nothing) };
        self.remember_sale(placed.order.id);
        Ok(Deed::SoldByStaff)
    }

    pub(super) async fn refund(&mut self) -> anyhow::Result<Deed> {
        let Some(id) = self.sold.pop_back() else { return Ok(Deed::Nothing) };
        let Place { store, tenant, time, .. } = &self.place;
        let by = people::staff(time);
        let refunded = boxoffice::refund(store, *tenant, &id, &by).await;
        Ok(if unless_refused(refunded)?.is_some() { Deed::Refunded } else { Deed::Nothing })
    }

    pub(super) async fn pass_on(&mut self) -> anyhow::Result<Deed> {
        let Some(at) = self.somebody_to_come(Category::Ticket) else { return Ok(Deed::Nothing) };
        let (id, category) = self.tickets.to_come.swap_remove(at);
        let to = people::person(&mut self.rng);
        let Place { store, tenant, time, .. } = &self.place;
        let passed_on = boxoffice::transfer(store, *tenant, &id, &to, &people::staff(time)).await;
        let Some(new) = unless_refused(passed_on)? else { return Ok(Deed::Nothing) };
        self.tickets.to_come.push((new, category));
        Ok(Deed::PassedOn)
    }
}
