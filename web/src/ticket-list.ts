import type { FirstScan, ListedTicket, ScanAnswer } from './contract';
import { ticketsOf, type DoorDatabase, type KeptLink, type ListMark } from './database';
import { fetchListPage } from './door-api';
import { LISTED_OUTCOMES, type ListedOutcome, type Outcome } from './generated/contract';
import { randomId } from './random-id';
import { hashesOf } from './spelling';

export interface ListState {
  completedAt: number | null;
  codes: number;
  loading: boolean;
}

interface MarkReader {
  get(link: string): Promise<ListMark | undefined>;
}

/** Brings the list up to date: everything the first time, afterwards only what has changed. */
export async function refreshList(database: DoorDatabase, link: KeptLink, isStopped: () => boolean): Promise<void> {
  const pages = await walkList(database, link, isStopped);
  // A ticket that changes during a long walk moves to its beginning, behind our back: a short walk fetches it.
  if (pages > 1) await walkList(database, link, isStopped);
}

/** Walks once through what has changed since the last finished walk, and says in how many pages; 0 if it was ended. */
async function walkList(database: DoorDatabase, link: KeptLink, isStopped: () => boolean): Promise<number> {
  const before = await markOf(database, link);
  let highest = before.updated_after;
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await fetchListPage(link, before.updated_after, cursor);
    if (isStopped() || !(await keepPage(database, before, page.data))) return 0;
    // Also of tickets that this link does not admit, so that their changes are not walked through again and again.
    const newest = page.newest ?? null;
    if (newest !== null && (highest === null || newest > highest)) highest = newest;
    cursor = page.has_more ? page.next_cursor : null;
    pages += 1;
  } while (cursor !== null);
  // Only a finished walk moves the mark: after an interrupted one, older changes may still be missing.
  await moveMark(database, before, highest);
  return pages;
}

/** The mark of a link's list, which is begun here if there is none. */
async function markOf(database: DoorDatabase, { opening }: KeptLink): Promise<ListMark> {
  const { link: { id }, salt } = opening;
  const transaction = database.transaction(['marks', 'tickets', 'admissions'], 'readwrite');
  const marks = transaction.objectStore('marks');
  let mark = await marks.get(id);
  if (mark?.salt !== salt) {
    // With another salt every hash is another one, so the old list says nothing any more.
    await transaction.objectStore('tickets').delete(ticketsOf(id));
    if (mark !== undefined) await transaction.objectStore('admissions').delete(ticketsOf(id));
    mark = { link: id, salt, list: randomId(), updated_after: null, completed_at: null };
    await marks.put(mark);
  }
  await transaction.done;
  return mark;
}

/** The list may be forgotten during a walk, when another link is opened, and another tab may walk through it too. */
async function isStill(marks: MarkReader, before: ListMark): Promise<boolean> {
  const now = await marks.get(before.link);
  return now?.list === before.list && now.completed_at === before.completed_at;
}

async function moveMark(database: DoorDatabase, before: ListMark, highest: string | null): Promise<void> {
  const transaction = database.transaction('marks', 'readwrite');
  if (await isStill(transaction.store, before)) {
    await transaction.store.put({ ...before, updated_after: highest, completed_at: Date.now() });
  }
  await transaction.done;
}

/** Keeps a page of the list that `before` is the mark of, and says whether there still is such a list. */
async function keepPage(database: DoorDatabase, before: ListMark, page: ListedTicket[]): Promise<boolean> {
  const { link } = before;
  const transaction = database.transaction(['marks', 'tickets', 'admissions'], 'readwrite');
  const tickets = transaction.objectStore('tickets');
  const admissions = transaction.objectStore('admissions');
  const isCurrent = await isStill(transaction.objectStore('marks'), before);
  const keep = async (listed: ListedTicket): Promise<void> => {
    const kept = await tickets.get([link, listed.code]);
    // A row no newer than ours may have been on its way while this phone scanned the ticket: our mark stands.
    if (kept !== undefined && kept.updated_at >= listed.updated_at) return;
    const admission = await admissions.get([link, listed.code]);
    const known = kept?.first_scan ?? admission?.first_scan ?? null;
    await tickets.put({ ...listed, link, first_scan: listed.outcome === 'already_scanned' ? known : null });
    // Now the list knows by itself that nobody else enters with this ticket.
    if (listed.outcome !== 'admitted') await admissions.delete([link, listed.code]);
  };
  if (isCurrent) await Promise.all(page.map(keep));
  await transaction.done;
  return isCurrent;
}

/** Writes what a scan's answer tells about a ticket, so that the phone knows it without a connection too. */
export async function learnFromAnswer(
  database: DoorDatabase,
  link: KeptLink,
  code: string,
  answer: ScanAnswer,
  thisScan: FirstScan,
): Promise<void> {
  const { outcome } = answer;
  // The other outcomes are about tickets that are on no list.
  if (!canBeListed(outcome)) return;
  const admitted = outcome === 'admitted';
  const hashes = await hashesOf(code, link.opening.salt);
  const { id } = link.opening.link;
  const transaction = database.transaction(['tickets', 'admissions'], 'readwrite');
  const tickets = transaction.objectStore('tickets');
  for (const hash of hashes) {
    const kept = await tickets.get([id, hash]);
    // A list that is still on its way may say that this ticket admits somebody, so this is kept apart from it.
    if (admitted && (kept === undefined || kept.outcome === 'admitted')) {
      await transaction.objectStore('admissions').put({ link: id, code: hash, first_scan: thisScan });
    }
    if (kept === undefined) continue;
    await tickets.put({
      ...kept,
      outcome: admitted ? 'already_scanned' : outcome,
      first_scan: admitted ? thisScan : answer.first_scan,
    });
  }
  await transaction.done;
}

function canBeListed(outcome: Outcome): outcome is ListedOutcome {
  const listed: readonly Outcome[] = LISTED_OUTCOMES;
  return listed.includes(outcome);
}
