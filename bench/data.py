"""Writes a producer's data as an import file, with the proportions of a real one, in the order it would have happened."""

import json
import random
from datetime import datetime, timedelta, timezone

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
EVENTS = 10
# Types of an event; the last event has many.
TYPES, TYPES_OF_THE_LAST = 8, 40
TICKETS_PER_ORDER = 4
# One ticket in so many is cancelled: the rarest status.
CANCELLED_EVERY = 10_000
SAMPLE = 20_000


def write(path, tickets, seed, all_in=None):
    """Writes `tickets` tickets and what belongs to them. Gives back some of their ids, chosen at random.

    With `all_in` all of them are for this event, and half of them for its first type.
    """
    choose = random.Random(seed)
    now = datetime.now(timezone.utc).replace(microsecond=0)
    first, last = now - timedelta(days=60), now - timedelta(days=10)
    step = (last - first) / max(tickets, 1)
    sample = []
    with open(path, "w") as file:
        line = lambda **fields: file.write(json.dumps(fields, separators=(",", ":")) + "\n")
        for event in range(EVENTS):
            line(kind="event", id=f"ev_{event:04}", name=f"Summer Night {event}", venue="Sala Apolo", currency="EUR",
                 timezone="Europe/Madrid", status="published")
            for number in range(TYPES_OF_THE_LAST if event == EVENTS - 1 else TYPES):
                line(kind="ticket_type", id=f"tt_{event:04}_{number:03}", event_id=f"ev_{event:04}",
                     name=f"General admission {number}", price=25, currency="EUR", limit=10_000_000)
        for number in range(0, tickets, TICKETS_PER_ORDER):
            event = choose.randrange(EVENTS)
            kind = choose.randrange(TYPES_OF_THE_LAST if event == EVENTS - 1 else TYPES)
            if all_in is not None:
                event, kind = all_in, choose.choice([0, choose.randrange(TYPES)])
            person = {"name": "Ana Ruiz Fernández", "email": f"ana.ruiz.{number}@example.com",
                      "phone": "+34 600 000 000", "identity_document": f"{number:08}A"}
            order, placed = f"or_{number:010}", first + step * number
            line(kind="order", id=order, event_id=f"ev_{event:04}", status="refunded" if number % 200 == 0 else "approved",
                 currency="EUR", created_at=placed.isoformat(), buyer=person,
                 items=[{"ticket_type_id": f"tt_{event:04}_{kind:03}", "quantity": TICKETS_PER_ORDER, "unit_price": 25}])
            for each in range(number, min(number + TICKETS_PER_ORDER, tickets)):
                ticket = "".join(choose.choices(CROCKFORD, k=26))
                if each % max(tickets // SAMPLE, 1) == 0:
                    sample.append(ticket)
                more = {}
                if each % CANCELLED_EVERY == 7:
                    more["cancelled_at"] = (last + timedelta(days=1)).isoformat()
                elif each % 3:
                    # Everybody comes in one evening, which has six hours.
                    scanned = last + timedelta(days=2, hours=6 * each / tickets, microseconds=each)
                    more.update(checked_in_at=scanned.isoformat(), checked_in_by=f"Gate {each % 7}")
                line(kind="ticket", id=ticket, event_id=f"ev_{event:04}", order_id=order,
                     ticket_type_id=f"tt_{event:04}_{kind:03}", attendee=person,
                     issued_at=(first + step * each).isoformat(), **more)
    return sample
