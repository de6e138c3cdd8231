//! What the API shows, as types.

mod event;
mod lenient;
mod me;
mod named;
mod order;
mod ticket;
mod ticket_type;

pub use self::{
    event::{AttendeesAsked, Event, EventStatus},
    me::{KeyInfo, Me, Permission, Producer},
    order::{Buyer, Order, OrderChannel, OrderItem, OrderStatus, PaymentMethod, Promoter},
    ticket::{Attendee, Ticket, TicketStatus, TicketTypeSummary},
    ticket_type::{Category, Include, ItemKind, TicketType, TypeStatus},
};
