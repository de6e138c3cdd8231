//! Orders with their items.

use taquilla_client::{Client, Order, OrderFilter, OrderItem, Rows, Time};

use super::listed::{Listed, Stamp};
use crate::{
    cell::{Cell, Row},
    people::People,
    schema::{ORDERS, Table},
};

impl Listed for Order {
    const TABLE: &'static Table = &ORDERS;

    fn rows(client: &Client, after: Option<(Stamp, Time)>) -> Rows<Self> {
        client.orders(&OrderFilter { updated_after: after.map(|(_, mark)| mark), ..OrderFilter::default() })
    }

    fn stamp(&self, stamp: Stamp) -> Option<Time> {
        (stamp == Stamp::Updated).then_some(self.updated_at)
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn event_id(&self) -> Option<&str> {
        self.event_id.as_deref()
    }

    fn order_id(&self) -> Option<&str> {
        Some(&self.id)
    }

    fn kept(self, people: &People) -> Row {
        let (promoter_id, promoter_name) =
            self.promoter.map_or((None, None), |promoter| (promoter.id, Some(promoter.name)));
        let items = self.items.into_iter().enumerate();
        let children = items.map(|(position, item)| item_kept(&self.id, position, item)).collect();
        let cells = vec![
            self.id.into(),
            self.number.into(),
            self.event_id.into(),
            self.status.map(|status| status.to_string()).into(),
            people.kept(self.buyer.name),
            people.kept(self.buyer.email),
            people.kept(self.buyer.phone),
            people.kept(self.buyer.identity_document),
            self.currency.into(),
            self.total.into(),
            self.discount.into(),
            self.surcharge.into(),
            self.coupon.into(),
            promoter_id.into(),
            promoter_name.into(),
            self.reference.into(),
            self.channel.map(|channel| channel.to_string()).into(),
            self.payment_id.into(),
            self.payment_method.map(|method| method.to_string()).into(),
            self.paid_at.into(),
            self.refunded_at.into(),
            Some(self.created_at).into(),
            Cell::from(Some(self.updated_at)),
        ];
        Row { cells, children }
    }
}

fn item_kept(order_id: &str, position: usize, item: OrderItem) -> Vec<Cell> {
    vec![
        Cell::text(order_id),
        Cell::Integer(position as i64),
        item.ticket_type_id.into(),
        item.kind.map(|kind| kind.to_string()).into(),
        item.name.into(),
        item.quantity.into(),
        item.list_price.into(),
        item.unit_price.into(),
        Cell::from(item.total),
    ]
}
