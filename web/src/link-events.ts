// A link may be for several events of one night.

import type { DoorEvent, Opening } from './contract';
import type { WaitingScan } from './database';

/** The events of a link; a server from before a link could have several names one. */
export function eventsOf({ event, more_events }: Opening): DoorEvent[] {
  return [event, ...(more_events ?? [])];
}

/** The names of a link's events, on one line. */
export function eventNames(opening: Opening): string {
  return eventsOf(opening)
    .map(({ name }) => name)
    .join(' · ');
}

/** The event of a ticket, where a link has several; empty where everybody knows it. */
export function eventNameOf(opening: Opening, eventId: string | undefined): string {
  const events = eventsOf(opening);
  return events.length < 2 ? '' : (events.find(({ id }) => id === eventId)?.name ?? '');
}

/** Whether a scan that waits may be of a ticket that this link admits: they have an event in common. */
export function mayBeOf({ event_id, event_ids = [event_id] }: Pick<WaitingScan, 'event_id' | 'event_ids'>, opening: Opening): boolean {
  return eventsOf(opening).some(({ id }) => event_ids.includes(id));
}
