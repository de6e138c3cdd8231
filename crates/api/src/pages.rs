//! The list envelopes, as they are documented.

use utoipa::ToSchema;

use taquilla_wire::api::{Event, Order, Ticket, TicketType};

macro_rules! pages {
    ($($name:ident of $row:ident;)+) => {
        $(/// The list envelope.
        #[derive(ToSchema)]
        #[expect(dead_code, reason = "http::envelope writes it row by row; this is its documentation")]
        pub struct $name {
            /// The rows.
            data: Vec<$row<'static>>,
            /// Whether another page exists. The traversal is complete when it does not.
            has_more: bool,
            /// What to pass as `cursor` for the next page; null when there is none.
            #[schema(required)]
            next_cursor: Option<String>,
        })+
    };
}

pages! {
    TicketPage of Ticket;
    EventPage of Event;
    TicketTypePage of TicketType;
    OrderPage of Order;
}
