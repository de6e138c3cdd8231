import type { FirstScan, ListedTicket, Outcome, ScanAnswer } from './contract';
import { ticketsOf, type DoorDatabase, type KeptLink, type ListMark } from './database';
import { fetchListPage } from './door-api';

const HASH_BYTES = 12;
// What may change about a ticket that is on the list; the other outcomes are about tickets that are not.
const LISTED_OUTCOMES: Outcome[] = ['admitted', 'already_scanned', 'transferred', 'cancelled', 'refunded'];

/** One way to read a scanned text, with its place in the list. */
export interface Spelling {
  code: string;
  hash: string;
}

/** The text as it is, and in capitals: people type codes as they please. */
export async function spellingsOf(text: string, salt: string): Promise<Spelling[]> {
  const codes = [...new Set([text, text.toUpperCase()])];
  return Promise.all(codes.map(async (code) => ({ code, hash: await hashOf(code, salt) })));
}

async function hashOf(code: string, salt: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}:${code}`));
  const start = new Uint8Array(digest, 0, HASH_BYTES);
  return btoa(String.fromCharCode(...start)).replaceAll('+', '-').replaceAll('/', '_');
}

/** Brings the list up to date: everything the first time, afterwards only what has changed. */
export async function refreshList(database: DoorDatabase, link: KeptLink): Promise<void> {
  // A ticket that changes during a long walk moves to its beginning, behind our back: a short walk fetches it.
  while ((await walkList(database, link)) > 1);
}

/** Walks once through what has changed since the last finished walk, and says in how many pages. */
async function walkList(database: DoorDatabase, link: KeptLink): Promise<number> {
  const { link: { id }, salt } = link.opening;
  const before = await markOf(database, id, salt);
  let highest = before?.updated_after ?? null;
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await fetchListPage(link, before?.updated_after ?? null, cursor);
    await keepPage(database, id, page.data);
    // Also of tickets that this link does not admit, so that their changes are not walked through again and again.
    const { newest } = page;
    if (newest !== null && (highest === null || newest > highest)) highest = newest;
    cursor = page.has_more ? page.next_cursor : null;
    pages += 1;
  } while (cursor !== null);
  // Only a finished walk moves the mark: after an interrupted one, older changes may still be missing.
  await database.put('marks', { link: id, salt, updated_after: highest, completed_at: Date.now() });
  return pages;
}

async function markOf(database: DoorDatabase, id: string, salt: string): Promise<ListMark | undefined> {
  const mark = await database.get('marks', id);
  if (mark === undefined || mark.salt === salt) return mark;
  // With another salt every hash is another one, so the old list says nothing any more.
  const transaction = database.transaction(['marks', 'tickets'], 'readwrite');
  await transaction.objectStore('marks').delete(id);
  await transaction.objectStore('tickets').delete(ticketsOf(id));
  await transaction.done;
  return undefined;
}

async function keepPage(database: DoorDatabase, link: string, page: ListedTicket[]): Promise<void> {
  const transaction = database.transaction('tickets', 'readwrite');
  await Promise.all(
    page.map(async (listed) => {
      const kept = await transaction.store.get([link, listed.code]);
      // A row no newer than ours may have been on its way while this phone scanned the ticket: our mark stands.
      if (kept !== undefined && kept.updated_at >= listed.updated_at) return;
      const firstScan = listed.outcome === 'already_scanned' ? (kept?.first_scan ?? null) : null;
      await transaction.store.put({ ...listed, link, first_scan: firstScan });
    }),
  );
  await transaction.done;
}

/** Writes what a scan's answer tells about a ticket, so that the phone knows it without a connection too. */
export async function learnFromAnswer(
  database: DoorDatabase,
  link: KeptLink,
  code: string,
  answer: ScanAnswer,
  thisScan: FirstScan,
): Promise<void> {
  if (!LISTED_OUTCOMES.includes(answer.outcome)) return;
  const admitted = answer.outcome === 'admitted';
  const spellings = await spellingsOf(code, link.opening.salt);
  const transaction = database.transaction('tickets', 'readwrite');
  for (const { hash } of spellings) {
    const kept = await transaction.store.get([link.opening.link.id, hash]);
    if (kept === undefined) continue;
    await transaction.store.put({
      ...kept,
      outcome: admitted ? 'already_scanned' : answer.outcome,
      first_scan: admitted ? thisScan : answer.first_scan,
    });
  }
  await transaction.done;
}
