import type { Opening } from './contract';
import { ticketsOf, type DoorDatabase, type KeptLink } from './database';

// Header-safe and bounded: anything else never was a door link.
const TOKEN = /^[A-Za-z0-9._~-]{8,512}$/;

/** The token in a link, or in what somebody pasted; null where there is none. */
export function tokenIn(text: string): string | null {
  const token = text.slice(text.indexOf('#') + 1).trim();
  return TOKEN.test(token) ? token : null;
}

export async function currentToken(database: DoorDatabase): Promise<string | null> {
  return (await database.get('current', 'token')) ?? null;
}

export async function makeCurrent(database: DoorDatabase, token: string): Promise<void> {
  // A phone without space left forgets the link when the page is closed, but scans as long as there is a signal.
  await database.put('current', token, 'token').catch(console.warn);
}

/** Keeps what the server said when the link was opened, and what the person had chosen before. */
export async function keepLink(database: DoorDatabase, token: string, opening: Opening): Promise<KeptLink> {
  const before = await database.get('links', token);
  const link: KeptLink = {
    token,
    pass: opening.pass ?? before?.pass ?? null,
    opening,
    station: stationFor(opening, before?.station),
    refused: false,
  };
  await database.put('links', link).catch(console.warn);
  return link;
}

export function linksOnThisPhone(database: DoorDatabase): Promise<KeptLink[]> {
  return database.getAll('links');
}

function stationFor(opening: Opening, before: string | undefined): string {
  const { stations, label } = opening.link;
  if (stations.length === 0) return before ?? label;
  return before !== undefined && stations.includes(before) ? before : (stations[0] ?? label);
}

/** Forgets the links that are neither in use nor needed to send what waits, with their lists. */
export async function forgetSpentLinks(database: DoorDatabase, current: KeptLink): Promise<void> {
  const transaction = database.transaction(['links', 'queue', 'tickets', 'marks', 'admissions'], 'readwrite');
  const links = await transaction.objectStore('links').getAll();
  const waiting = await transaction.objectStore('queue').getAll();
  const needed = new Set([current.token, ...waiting.map((scan) => scan.token)]);
  for (const link of links) {
    if (needed.has(link.token)) continue;
    await transaction.objectStore('links').delete(link.token);
    const id = link.opening.link.id;
    if (id === current.opening.link.id) continue;
    await transaction.objectStore('marks').delete(id);
    await transaction.objectStore('tickets').delete(ticketsOf(id));
    await transaction.objectStore('admissions').delete(ticketsOf(id));
  }
  await transaction.done;
}
