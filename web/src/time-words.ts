// Times are told in the event's timezone: staff and guests speak of the clock on the wall.

import { shortDay } from './short-day';
import { texts } from './texts/texts';

function format(timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { locale } = texts();
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone });
  } catch {
    // An older phone may not know the zone; its own is the best guess then.
    return new Intl.DateTimeFormat(locale, options);
  }
}

function dayOf(date: Date, timezone: string): string {
  return format(timezone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(date);
}

/** "20:14", or "Sat 14 Nov, 20:14" on another day than today. */
export function clockTime(when: string | number, timezone: string, now = new Date()): string {
  const date = new Date(when);
  const time = format(timezone, { hour: '2-digit', minute: '2-digit' }).format(date);
  if (dayOf(date, timezone) === dayOf(now, timezone)) return time;
  return `${shortDay(date, now, (options) => format(timezone, options))}, ${time}`;
}

/** When an event takes place, as one line; empty where it has no date. Its clocks are named where this phone goes by others. */
export function eventTime(startsAt: string | null, endsAt: string | null, timezone: string): string {
  if (startsAt === null) return '';
  const words = timeThere(startsAt, endsAt, timezone);
  const own = timeThere(startsAt, endsAt, Intl.DateTimeFormat().resolvedOptions().timeZone);
  return words === own ? words : `${words} (${timezone})`;
}

function timeThere(startsAt: string, endsAt: string | null, timezone: string): string {
  const start = new Date(startsAt);
  const day = format(timezone, { weekday: 'long', day: 'numeric', month: 'long' });
  const time = format(timezone, { hour: '2-digit', minute: '2-digit' });
  const begins = `${day.format(start)}, ${time.format(start)}`;
  if (endsAt === null) return begins;
  const end = new Date(endsAt);
  const sameNight = end.getTime() - start.getTime() < 24 * 60 * 60 * 1000;
  if (!sameNight) return `${begins} – ${day.format(end)}, ${time.format(end)}`;
  // Spaces and a dash that do not break keep the two times on one line.
  return `${begins}\u00a0–\u2060\u00a0${time.format(end)}`;
}
