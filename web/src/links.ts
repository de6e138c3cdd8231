import type { Opening } from './contract';
import { eventNames } from './link-events';
import { ticketsOf, turnsOf, type DoorDatabase, type KeptLink } from './database';

// Header-safe and bounded: anything else never was a door link.
const TOKEN = /^[A-Za-z0-9._~-]{8,512}$/;

// A phone may help at the gate and at the bar of a few nights. Each link has a list of its own, with some megabytes for a
// large event, and a phone that is short of space may lose all of them.
const LINKS_KEPT = 8;

// A scan waits for at most one such step of tidying up.
const FORGOTTEN_AT_ONCE = 500;

/** The token in a link, or in what somebody pasted; null where there is none. */
export function tokenIn(text: string): string | null {
  const token = text.slice(text.indexOf('#') + 1).trim();
  return TOKEN.test(token) ? token : null;
}

export async function currentToken(database: DoorDatabase): Promise<string | null> {
  return (await database.get('current', 'token')) ?? null;
}

/** From now on the page opens with this link. */
export async function makeCurrent(database: DoorDatabase, token: string): Promise<void> {
  // A phone without space left forgets the link when the page is closed, but scans as long as there is a signal.
  await database.put('current', token, 'token').catch(console.warn);
}

/** Whether people who are scanned through this link go out. */
export function scansOut({ opening }: KeptLink): boolean {
  return opening.link.options?.includes('out') ?? false;
}

/** What the server said when the link was opened, and what the person had chosen `before`. */
export function openedLink(token: string, opening: Opening, before: KeptLink | undefined): KeptLink {
  return {
    token,
    pass: opening.pass ?? before?.pass ?? null,
    opening,
    station: stationFor(opening, before?.station),
    refused: false,
    opened_at: Date.now(),
  };
}

export async function keepLink(database: DoorDatabase, link: KeptLink): Promise<void> {
  // A phone that cannot write works as long as there is a signal.
  await database.put('links', link).catch(console.warn);
}

function stationFor(opening: Opening, before: string | undefined): string {
  const { stations, label } = opening.link;
  if (stations.length === 0) return before ?? label;
  return before !== undefined && stations.includes(before) ? before : (stations[0] ?? label);
}

/** A link that this phone can be switched to, and what is known of it. */
export interface LinkOnThisPhone {
  token: string;
  eventName: string;
  label: string;
  station: string;
  timezone: string;
  /** The server said that it no longer works. */
  refused: boolean;
  /** When it ends, or ended. */
  expiresAt: string | null;
  openedAt: number;
  /** As of when its list is complete; null where it is not. */
  completedAt: number | null;
  /** How many codes of its list are on this phone. */
  codes: number;
  /** How many scans made with it the server has not heard of. */
  waiting: number;
}

/** The links on this phone, the last opened first. */
export async function linksOnThisPhone(database: DoorDatabase): Promise<LinkOnThisPhone[]> {
  const transaction = database.transaction(['links', 'marks', 'queue']);
  const turns = transaction.objectStore('queue').index('turn');
  const links = await transaction.objectStore('links').getAll();
  const known = await Promise.all(
    links.map(async ({ token, opening, station, refused, opened_at }): Promise<LinkOnThisPhone> => {
      const { link, event } = opening;
      const mark = await transaction.objectStore('marks').get(link.id);
      return {
        token,
        eventName: eventNames(opening),
        label: link.label,
        station,
        timezone: event.timezone,
        refused,
        expiresAt: link.expires_at,
        openedAt: opened_at,
        completedAt: mark?.completed_at ?? null,
        codes: mark?.codes ?? 0,
        waiting: await turns.count(turnsOf(token)),
      };
    }),
  );
  return known.sort((a, b) => b.openedAt - a.openedAt);
}

/** The link that somebody can go on with when the one with this token does not open, if there is one. */
export async function anotherThatWorks(database: DoorDatabase, token: string | null): Promise<LinkOnThisPhone | null> {
  const current = await currentToken(database);
  const working = (await linksOnThisPhone(database)).filter(
    (link) => link.token !== token && !link.refused && !isOver(link.expiresAt),
  );
  return working.find((link) => link.token === current) ?? working[0] ?? null;
}

function isOver(expiresAt: string | null): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

/**
 * Forgets links with their lists: those that the server no longer takes, and the longest unused when there are too many.
 *
 * The current one stays, and whatever is needed to send what waits.
 */
export async function forgetSpentLinks(database: DoorDatabase, current: KeptLink): Promise<void> {
  const links = await linksOnThisPhone(database);
  const spent = links.filter(({ refused }, index) => refused || index >= LINKS_KEPT);
  for (const { token, waiting } of spent) {
    if (token !== current.token && waiting === 0) await forget(database, current, token);
  }
}

/**
 * The list goes in steps that hold up no scan, and the link last: if the page is closed meanwhile, it is found again here.
 */
async function forget(database: DoorDatabase, current: KeptLink, token: string): Promise<void> {
  const id = (await database.get('links', token))?.opening.link.id;
  if (id !== undefined && id !== current.opening.link.id) {
    // Without its mark, what is left of a list counts for nothing, and nobody goes on with it.
    await database.delete('marks', id);
    for (const store of ['tickets', 'admissions'] as const) {
      while (await forgetSome(database, store, id));
    }
  }
  const transaction = database.transaction(['links', 'queue'], 'readwrite');
  const waiting = await transaction.objectStore('queue').index('turn').count(turnsOf(token));
  if (waiting === 0) await transaction.objectStore('links').delete(token);
  await transaction.done;
}

/** Whether there may be more. */
async function forgetSome(database: DoorDatabase, store: 'tickets' | 'admissions', link: string): Promise<boolean> {
  const transaction = database.transaction(store, 'readwrite');
  const codes = await transaction.store.getAllKeys(ticketsOf(link), FORGOTTEN_AT_ONCE);
  await Promise.all([...codes.map((code) => transaction.store.delete(code)), transaction.done]);
  return codes.length === FORGOTTEN_AT_ONCE;
}
