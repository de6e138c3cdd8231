//! Tickets as those see them who may not see people. Every fact is named, so that a new one has to be decided on.

use taquilla_domain::{personal::Cover, search_text::is_made_of};

use super::rows::State;

/// Whoever has a ticket's id can enter with it.
impl Cover for State {
    fn covered(self) -> Self {
        let Self {
            id,
            status,
            hidden,
            ticket_type_id,
            from_bundle,
            bundle_id,
            bundle_unit,
            order_id,
            order_item,
            event_id,
            attendee_id,
            attendee,
            issued_at,
            checked_in,
            whereabouts,
            transferred,
            cancelled_at,
            door_note,
            updated_at,
        } = self;
        // An import may have made ids of addresses.
        let attendee_id = if is_made_of(&attendee_id, &attendee) { attendee_id.covered() } else { attendee_id };
        Self {
            id: id.covered(),
            status,
            hidden,
            ticket_type_id,
            from_bundle,
            bundle_id,
            bundle_unit,
            order_id,
            order_item,
            event_id,
            attendee_id,
            attendee: attendee.covered(),
            issued_at,
            checked_in,
            whereabouts,
            transferred: transferred.map(|(at, to)| (at, to.covered())),
            cancelled_at,
            door_note: door_note.covered(),
            updated_at,
        }
    }
}
