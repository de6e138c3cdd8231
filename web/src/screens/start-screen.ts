import type { Door } from '../door';
import { eventNames } from '../link-events';
import { part, show, write } from '../page-parts';
import { texts } from '../texts/texts';
import { eventTime } from '../time-words';
import { stationField, stationIn } from './station-field';

/** Says where this link leads, and waits for the touch that camera and sound need. */
export function showStartScreen(door: Door, onStart: () => void): void {
  fillStartScreen(door);
  part('start').onclick = onStart;
  show('start-screen');
}

/** Also used when the server has told more about a link that was opened from memory. */
export function fillStartScreen(door: Door): void {
  const { event, link } = door.link.opening;
  const names = eventNames(door.link.opening);
  document.title = texts().title(names);
  write('link-label', link.label);
  write('event-name', names);
  write('event-venue', event.venue ?? '');
  write('event-when', eventTime(event.starts_at, event.ends_at, event.timezone));
  // Nothing is taken from under the fingers of somebody who is typing.
  if (document.activeElement?.id === 'station') return;
  const field = stationField('station', door.link);
  field.onchange = () => void door.chooseStation(stationIn(field, door.link));
  part('station-slot').replaceChildren(field);
}
