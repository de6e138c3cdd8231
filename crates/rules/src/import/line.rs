//! One line of an import: parsed, checked by itself, and split into rows.

use taquilla_domain::{
    asked::AttendeesAsked,
    clock::Stamp,
    config::{COUNT_MAX, LEGACY_ISSUED_AT_MICROS},
    count::Count,
    event::in_order,
    id,
    money::Amount,
    pool::NewPool,
    status::{Category, EventStatus, ItemKind, OrderStatus, TicketStatus, TypeStatus},
    terms::NewTerms,
    text::Name,
    time_zone::TimeZone,
};
use taquilla_store::{
    import::staging::{Staged, Table},
    tickets::documents,
};
use taquilla_wire::api;

use super::{
    catalogue::{Content, NewEvent, NewInclude, NewItem, category_of, pool_rows},
    fault::Fault,
    fields::{Event, Include, Item, Kind, Order, Pool, Terms, Ticket},
    summary::Summary,
    values::{Checked, LinePlace},
};

/// Parses one line into rows, and counts it in the summary.
pub fn parse(text: &[u8], number: i64, now: Stamp, summary: &mut Summary) -> Result<Vec<Staged>, Fault> {
    let line = LinePlace { number, now };
    // Windows editors begin a file with a byte order mark.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let Kind { kind } = line.read(text)?;
    match kind.as_str() {
        "event" => {
            summary.events += 1;
            line.event(line.read(text)?)?.rows(line)
        }
        "ticket_type" => {
            summary.ticket_types += 1;
            line.item(line.read(text)?, ItemKind::TicketType)?.rows(line)
        }
        "bundle" => {
            summary.bundles += 1;
            line.item(line.read(text)?, ItemKind::Bundle)?.rows(line)
        }
        "pool" => {
            summary.pools += 1;
            pool_rows(line.pool(line.read(text)?)?, line)
        }
        "coupon" => {
            summary.coupons += 1;
            line.coupon(line.read(text)?)
        }
        "surcharge" => {
            summary.surcharges += 1;
            line.surcharge(line.read(text)?)
        }
        "order" => {
            summary.orders += 1;
            line.order(line.read(text)?)
        }
        "ticket" => {
            summary.tickets += 1;
            line.ticket(line.read(text)?)
        }
        _ => line.fault("kind", "a line is an event, ticket_type, bundle, pool, coupon, surcharge, order or ticket"),
    }
}

impl LinePlace {
    fn event(self, event: Event) -> Checked<NewEvent> {
        let timezone = match event.timezone {
            Some(zone) => self.valid("timezone", TimeZone::parse(&zone))?,
            None => TimeZone::default(),
        };
        let starts_at = self.opt_stamp("starts_at", event.starts_at)?;
        let ends_at = self.opt_stamp("ends_at", event.ends_at)?;
        self.valid("ends_at", in_order(starts_at, ends_at))?;
        let (default, all) = (EventStatus::Published, EventStatus::ALL);
        // Fields are looked at in this order, and the first fault is the one that is told.
        Ok(NewEvent {
            id: self.id("id", event.id)?,
            name: self.valid("name", Name::parse(&event.name))?,
            description: self.opt_text("description", event.description)?,
            venue: self.opt_text("venue", event.venue)?,
            timezone,
            starts_at,
            ends_at,
            currency: self.currency(event.currency)?,
            status: self.named("status", event.status, default, all, EventStatus::as_str)?,
            image_url: self.opt_text("image_url", event.image_url)?,
            attendees_asked: self.named(
                "attendees_asked",
                event.attendees_asked,
                AttendeesAsked::None,
                AttendeesAsked::ALL,
                AttendeesAsked::as_str,
            )?,
            terms: event.terms.map(|terms| self.terms(&terms)).transpose()?,
            created_at: self.opt_past("created_at", event.created_at)?,
        })
    }

    fn terms(self, terms: &Terms) -> Checked<NewTerms> {
        NewTerms::parse(terms.text.as_deref(), terms.url.as_deref())
            .or_else(|(field, invalid)| self.valid(&format!("terms.{field}"), Err(invalid)))
    }

    fn item(self, item: Item, kind: ItemKind) -> Checked<NewItem> {
        let named =
            |category| self.named("category", Some(category), Category::Ticket, Category::ALL, Category::as_str);
        let category = item.category.map(named).transpose()?;
        self.valid("category", category_of(kind, category))?;
        let id = self.id("id", item.id)?;
        let status = self.named("status", item.status, TypeStatus::Active, TypeStatus::ALL, TypeStatus::as_str)?;
        let count = |field, least, value| self.valid(field, Count::at_least(least, value));
        let includes = item.includes.map(|includes| {
            let include = |it: Include| NewInclude { ticket_type_id: it.ticket_type_id, quantity: it.quantity };
            includes.into_iter().map(include).collect()
        });
        Ok(NewItem {
            id,
            event_id: self.id("event_id", item.event_id)?,
            category,
            name: self.valid("name", Name::parse(&item.name))?,
            description: self.opt_text("description", item.description)?,
            image_url: self.opt_text("image_url", item.image_url)?,
            price: self.valid("price", Amount::new(item.price))?,
            currency: item.currency.map(|currency| self.currency(currency)).transpose()?,
            status,
            deleted: item.deleted.unwrap_or(false),
            reentry: item.reentry.unwrap_or(false),
            limit: item.limit.map(|limit| count("limit", 0, limit)).transpose()?,
            max_per_order: item.max_per_order.map(|most| count("max_per_order", 0, most)).transpose()?,
            min_per_order: item.min_per_order.map(|least| count("min_per_order", 1, least)).transpose()?,
            on_sale_from: self.opt_stamp("on_sale_from", item.on_sale_from)?,
            expires_at: self.opt_stamp("expires_at", item.expires_at)?,
            door_note: self.door_note(item.door_note)?,
            sort_order: item.sort_order.map(|place| count("sort_order", -COUNT_MAX, place)).transpose()?,
            content: match (kind, includes) {
                (ItemKind::Bundle, includes) => Content::Bundle(includes.unwrap_or_default()),
                (ItemKind::TicketType, None) => Content::Single,
                (ItemKind::TicketType, Some(_)) => return self.fault("includes", "only a bundle includes items"),
            },
        })
    }

    fn pool(self, pool: Pool) -> Checked<NewPool> {
        Ok(NewPool {
            id: self.id("id", pool.id)?,
            event_id: self.id("event_id", pool.event_id)?,
            name: self.valid("name", Name::parse(&pool.name))?,
            limit: self.valid("limit", Count::at_least(0, pool.limit))?,
            items: pool.ticket_type_ids,
        })
    }

    fn order(self, order: Order) -> Checked<Vec<Staged>> {
        self.not_too_many("items", order.items.len())?;
        let id = self.id("id", order.id)?;
        let mut rows = Vec::with_capacity(order.items.len() + 1);
        let mut sum = 0_i64;
        for (position, item) in order.items.into_iter().enumerate() {
            let field = |name| format!("items[{position}].{name}");
            let quantity = self.count(&field("quantity"), item.quantity, 1)?;
            let unit_price = self.amount(&field("unit_price"), item.unit_price)?;
            let total = item.total.unwrap_or_else(|| quantity.saturating_mul(unit_price));
            let total = self.amount(&field("total"), total)?;
            sum += total;
            rows.push(self.staged(
                Table::Items,
                vec![
                    ("order_id", id.as_str().into()),
                    ("position", (position as i64).into()),
                    ("ticket_type_id", self.id(&field("ticket_type_id"), item.ticket_type_id)?.into()),
                    ("name", item.name.map(|name| self.name(&field("name"), name)).transpose()?.into()),
                    ("quantity", quantity.into()),
                    (
                        "list_price",
                        item.list_price.map(|price| self.amount(&field("list_price"), price)).transpose()?.into(),
                    ),
                    ("unit_price", unit_price.into()),
                    ("total", total.into()),
                ],
            ));
        }
        let buyer = order.buyer.unwrap_or_default();
        if buyer.id.is_some() {
            return self.fault("buyer.id", "a buyer has no id");
        }
        let status =
            self.named("status", Some(order.status), OrderStatus::Approved, OrderStatus::ALL, OrderStatus::as_str)?;
        let was_paid = matches!(status, OrderStatus::Approved | OrderStatus::Refunded);
        let paid_at = self.opt_past("paid_at", order.paid_at)?;
        if paid_at.is_some() && !was_paid {
            return self.fault("paid_at", "only an approved or refunded order was paid");
        }
        let refunded_at = self.opt_past("refunded_at", order.refunded_at)?;
        if refunded_at.is_some() && status != OrderStatus::Refunded {
            return self.fault("refunded_at", "only a refunded order has this time");
        }
        rows.push(self.staged(
            Table::Orders,
            vec![
                ("id", id.into()),
                ("event_id", self.id("event_id", order.event_id)?.into()),
                ("status", status.as_str().into()),
                ("buyer_name", self.detail("buyer.name", buyer.name)?.into()),
                ("buyer_email", self.detail("buyer.email", buyer.email)?.into()),
                ("buyer_phone", self.opt_detail("buyer.phone", buyer.phone)?.into()),
                ("buyer_document", self.detail("buyer.identity_document", buyer.identity_document)?.into()),
                ("currency", String::from(self.currency(order.currency)?).into()),
                ("total", self.amount("total", order.total.unwrap_or(sum))?.into()),
                ("payment_id", self.opt_id("payment_id", order.payment_id)?.into()),
                ("paid_at", paid_at.into()),
                ("refunded_at", refunded_at.into()),
                ("created_at", self.opt_past("created_at", order.created_at)?.into()),
                ("discount", order.discount.map(|off| self.amount("discount", off)).transpose()?.into()),
                ("surcharge", order.surcharge.map(|more| self.amount("surcharge", more)).transpose()?.into()),
                ("coupon", order.coupon.map(|code| self.name("coupon", code)).transpose()?.into()),
                ("promoter", order.promoter.map(|it| self.name("promoter", it.into_name())).transpose()?.into()),
            ],
        ));
        Ok(rows)
    }

    fn ticket(self, ticket: Ticket) -> Checked<Vec<Staged>> {
        let id = self.id("id", ticket.id)?;
        let order_id = self.opt_id("order_id", ticket.order_id)?;
        let order_item = ticket.order_item.map(|item| self.count("order_item", item, 0)).transpose()?;
        if order_item.is_some() && order_id.is_none() {
            return self.fault("order_item", "a ticket with an order_item has an order_id too");
        }
        let bundle_id = self.opt_id("bundle_id", ticket.bundle_id)?;
        let from_bundle = ticket.from_bundle.unwrap_or(bundle_id.is_some());
        if bundle_id.is_some() && !from_bundle {
            return self.fault("from_bundle", "a ticket with a bundle_id came from a bundle");
        }
        if ticket.bundle_unit.is_some() && bundle_id.is_none() {
            return self.fault("bundle_unit", "a ticket with a bundle_unit has a bundle_id too");
        }
        // The tickets of one order are one bundle unless the file says otherwise. Without an order each is a bundle of
        // its own.
        let bundle_unit = match (&bundle_id, self.opt_detail("bundle_unit", ticket.bundle_unit)?, &order_id) {
            (None, _, _) => None,
            (Some(_), Some(unit), _) => Some(unit),
            (Some(_), None, Some(order)) => Some(order.clone()),
            (Some(_), None, None) => Some(id.clone()),
        };
        let checked_in_at = self.opt_past("checked_in_at", ticket.checked_in_at)?;
        if ticket.checked_in_by.is_some() && checked_in_at.is_none() {
            return self.fault("checked_in_by", "a ticket with a station has a checked_in_at too");
        }
        let transferred_at = self.opt_past("transferred_at", ticket.transferred_at)?;
        let transferred_to = self.opt_id("transferred_to_ticket_id", ticket.transferred_to_ticket_id)?;
        if transferred_at.is_some() != transferred_to.is_some() {
            return self.fault("transferred_to_ticket_id", "transferred_at and transferred_to_ticket_id go together");
        }
        let legacy = Stamp::from_micros(LEGACY_ISSUED_AT_MICROS);
        let issued_at = self.opt_past("issued_at", ticket.issued_at)?.unwrap_or(legacy).max(legacy);
        let (default, all) = (TicketStatus::Valid, TicketStatus::ALL);
        let named = |status| self.named("status", Some(status), default, all, TicketStatus::as_str);
        let status = ticket.status.map(named).transpose()?;
        let attendee = ticket.attendee.unwrap_or_default();
        let attendee_id = match attendee.id {
            Some(id) => self.id("attendee.id", id)?,
            None => id::new_id("at", self.now),
        };
        let event_id = self.id("event_id", ticket.event_id)?;
        let ticket_type_id = self.id("ticket_type_id", ticket.ticket_type_id)?;
        let name = self.detail("attendee.name", attendee.name)?;
        let email = self.detail("attendee.email", attendee.email)?;
        let phone = self.opt_detail("attendee.phone", attendee.phone)?;
        let identity_document = self.detail("attendee.identity_document", attendee.identity_document)?;
        let checked_in_by = self.opt_detail("checked_in_by", ticket.checked_in_by)?;
        let document = documents::render_waiting(api::Ticket {
            id: &id,
            event_id: &event_id,
            order_id: order_id.as_deref(),
            order_item: None,
            status: TicketStatus::Valid.into(),
            ticket_type: documents::nameless(&ticket_type_id),
            from_bundle,
            bundle_id: bundle_id.as_deref(),
            attendee: api::Attendee {
                id: &attendee_id,
                name: &name,
                email: &email,
                phone: phone.as_deref(),
                identity_document: &identity_document,
            },
            issued_at: issued_at.into(),
            checked_in_at: checked_in_at.map(Into::into),
            checked_in_by: checked_in_by.as_deref(),
            transferred_at: transferred_at.map(Into::into),
            transferred_to_ticket_id: transferred_to.as_deref(),
            updated_at: self.now.into(),
        });
        let Ok(document) = document else { return self.fault("id", "the ticket cannot be written as JSON") };
        let row = vec![
            ("id", id.into()),
            ("event_id", event_id.into()),
            ("order_id", order_id.into()),
            ("order_item", order_item.into()),
            ("ticket_type_id", ticket_type_id.into()),
            ("bundle_id", bundle_id.into()),
            ("bundle_unit", bundle_unit.into()),
            ("from_bundle", from_bundle.into()),
            ("hidden", ticket.hidden.unwrap_or(false).into()),
            ("attendee_id", attendee_id.into()),
            ("attendee_name", name.into()),
            ("attendee_email", email.into()),
            ("attendee_phone", phone.into()),
            ("attendee_document", identity_document.into()),
            ("issued_at", issued_at.into()),
            ("checked_in_at", checked_in_at.into()),
            ("checked_in_by", checked_in_by.into()),
            ("transferred_at", transferred_at.into()),
            ("transferred_to", transferred_to.into()),
            ("cancelled_at", self.opt_past("cancelled_at", ticket.cancelled_at)?.into()),
            ("door_note", String::from(self.door_note(ticket.door_note)?).into()),
            ("status", status.map(|status| status.as_str().to_owned()).into()),
            ("document", document.into()),
        ];
        Ok(vec![self.staged(Table::Tickets, row)])
    }
}
