import type { FirstScan, ListedTicket, ListPage, ScanAnswer } from './contract';
import { movedOn, ticketsOf, type DoorDatabase, type KeptLink, type ListMark } from './database';
import { fetchListPage } from './door-api';
import { ABOUT_A_CURSOR, ABOUT_A_MARK, LISTED_OUTCOMES, type ListedOutcome, type Outcome } from './generated/contract';
import { Refused } from './http';
import { randomId } from './random-id';
import { hashesOf } from './spelling';

// A scan waits for at most one such step of keeping a page.
const KEPT_AT_ONCE = 200;

/** The list of a link, as far as it is on this phone. */
export interface ListState {
  /** As of when it is complete; null while it never was. */
  completedAt: number | null;
  /** How many codes are kept so far. */
  codes: number;
  /** It is being fetched for the first time. */
  loading: boolean;
}

/** What somebody must know who waits for a list. */
export interface ListWork {
  /** Nobody waits for it any more. */
  isStopped: () => boolean;
  /** Called whenever more of the list is on the phone. */
  onProgress: (mark: ListMark) => void;
}

/**
 * Brings the list up to date: everything the first time, afterwards only what has changed.
 *
 * What was interrupted goes on where it stopped, whatever the reason was.
 */
export async function refreshList(database: DoorDatabase, link: KeptLink, work: ListWork): Promise<void> {
  const isLong = await walkList(database, link, work).catch((error: unknown) => {
    if (!isAbout(ABOUT_A_CURSOR, error) && !isAbout(ABOUT_A_MARK, error)) throw error;
    return walkList(database, link, work);
  });
  // A ticket that changes during a long walk moves to its beginning, behind our back: a short walk fetches it.
  if (isLong) await walkList(database, link, work);
}

/** Goes once through what has changed since the last finished walk. Says whether it came to its end after a long way. */
async function walkList(database: DoorDatabase, link: KeptLink, work: ListWork): Promise<boolean> {
  let mark = await markOf(database, link);
  for (;;) {
    const { walk, updated_after } = mark;
    const begun_at = walk?.begun_at ?? Date.now();
    const page = await fetchPage(database, link, mark);
    if (work.isStopped()) return false;
    // Also of tickets that this link does not admit, so that their changes are not walked through again and again.
    const newest = later(walk?.newest ?? updated_after, page.newest ?? null);
    const cursor = page.has_more ? page.next_cursor : null;
    const next =
      cursor === null
        ? // Only now: as long as a walk is not finished, older changes are still missing.
          { walk: null, updated_after: newest, completed_at: begun_at, outside: page.outside ?? [], type_notes: typeNotes(page) }
        : { walk: { begun_at, newest, cursor }, type_notes: typeNotes(page) };
    const moved = await keepPage(database, mark, page.data, next);
    if (moved === null) return false;
    work.onProgress(moved);
    if (cursor === null) return walk !== null;
    mark = moved;
  }
}

/**
 * The page that comes next. A cursor that the server does not take is dropped: the next walk begins anew. A mark that it does
 * not take is dropped with the whole list: the server was restored from a backup, and knows less than this list does.
 */
async function fetchPage(database: DoorDatabase, link: KeptLink, mark: ListMark): Promise<ListPage> {
  try {
    return await fetchListPage(link, mark.updated_after, mark.walk?.cursor ?? null);
  } catch (error) {
    if (isAbout(ABOUT_A_CURSOR, error)) await keepPage(database, mark, [], { walk: null });
    if (isAbout(ABOUT_A_MARK, error)) await dropList(database, mark);
    throw error;
  }
}

/** Notes of types come with every page, because they change without any ticket changing. */
function typeNotes({ ticket_type_notes }: ListPage): Record<string, string> {
  return Object.fromEntries((ticket_type_notes ?? []).map(({ ticket_type_id, note }) => [ticket_type_id, note]));
}

function isAbout(codes: readonly string[], error: unknown): boolean {
  return error instanceof Refused && codes.includes(error.code);
}

/** Forgets a list, so that the next walk begins it anew. What this phone let in itself is kept apart from it, and stays. */
async function dropList(database: DoorDatabase, { link, list }: ListMark): Promise<void> {
  const transaction = database.transaction(['marks', 'tickets'], 'readwrite');
  const marks = transaction.objectStore('marks');
  const now = await marks.get(link);
  // Another tab may have begun it anew already.
  if (now?.list === list) {
    await transaction.objectStore('tickets').delete(ticketsOf(link));
    await marks.delete(link);
  }
  await transaction.done;
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
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
    mark = { link: id, salt, list: randomId(), updated_after: null, completed_at: null, codes: 0, type_notes: {}, walk: null };
    await marks.put(mark);
  } else if (mark.type_notes === undefined) {
    // A list from before there were notes does not know the types of its tickets: it is walked through once more.
    mark = { ...mark, updated_after: null, walk: null, type_notes: {} };
    await marks.put(mark);
  }
  await transaction.done;
  return mark;
}

/**
 * Keeps a page of the list that `before` is the mark of, and with its last rows moves the mark to `next`.
 *
 * Null where there is no such list any more: it may be forgotten during a walk, and another tab may walk through it too.
 */
async function keepPage(
  database: DoorDatabase,
  before: ListMark,
  page: ListedTicket[],
  next: Partial<ListMark>,
): Promise<ListMark | null> {
  let rest = page;
  for (;;) {
    const rows = rest.slice(0, KEPT_AT_ONCE);
    rest = rest.slice(KEPT_AT_ONCE);
    const moved = await keepRows(database, before, rows, rest.length === 0 ? next : {});
    if (moved === null || rest.length === 0) return moved;
  }
}

async function keepRows(
  database: DoorDatabase,
  before: ListMark,
  rows: ListedTicket[],
  next: Partial<ListMark>,
): Promise<ListMark | null> {
  const { link } = before;
  const transaction = database.transaction(['marks', 'tickets', 'admissions'], 'readwrite');
  const marks = transaction.objectStore('marks');
  const tickets = transaction.objectStore('tickets');
  const admissions = transaction.objectStore('admissions');
  const now = await marks.get(link);
  let moved: ListMark | null = null;
  if (now?.list === before.list && now.completed_at === before.completed_at) {
    let added = 0;
    const keep = async (listed: ListedTicket): Promise<void> => {
      const kept = await tickets.get([link, listed.code]);
      // A row no newer than ours may have been on its way while this phone scanned the ticket: our mark stands.
      if (kept !== undefined && kept.updated_at >= listed.updated_at) {
        if (kept.ticket_type_id === undefined) await tickets.put({ ...listed, ...kept });
        return;
      }
      if (kept === undefined) added += 1;
      const admission = await admissions.get([link, listed.code]);
      const known = kept?.first_scan ?? admission?.first_scan ?? null;
      await tickets.put({ ...listed, link, first_scan: listed.outcome === 'already_scanned' ? known : null });
      // Now the list knows by itself that nobody else enters with this ticket, or that the entry was taken back since.
      const isTakenBack = admission?.accepted_at !== undefined && listed.updated_at > admission.accepted_at;
      if (listed.outcome !== 'admitted' || isTakenBack) await admissions.delete([link, listed.code]);
    };
    await Promise.all(rows.map(keep));
    moved = { ...now, ...next, codes: now.codes + added };
    await marks.put(moved);
  }
  await transaction.done;
  return moved;
}

/** Whether a code is on this phone's list. */
export async function isListed(database: DoorDatabase, { opening }: KeptLink, code: string): Promise<boolean> {
  if (!('subtle' in crypto)) return false;
  const hashes = await hashesOf(code, opening.salt);
  const listed = await Promise.all(hashes.map((hash) => database.getKey('tickets', [opening.link.id, hash])));
  return listed.some((key) => key !== undefined);
}

/** Writes what a scan's answer tells about a ticket, so that the phone knows it without a connection too. */
export async function learnFromAnswer(
  database: DoorDatabase,
  link: KeptLink,
  code: string,
  answer: ScanAnswer,
  thisScan: FirstScan,
): Promise<void> {
  const { outcome, accepted_at } = answer;
  if (outcome === 'reentered' || outcome === 'went_out' || outcome === 'not_inside') {
    // The list says what the ticket is, and apart from it who is outside.
    if (outcome !== 'not_inside') await learnOfPassage(database, link, code, outcome === 'went_out');
    return;
  }
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
      await transaction.objectStore('admissions').put({ link: id, code: hash, first_scan: thisScan, ...(accepted_at === undefined ? {} : { accepted_at }) });
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

async function learnOfPassage(database: DoorDatabase, { opening }: KeptLink, code: string, isOutside: boolean): Promise<void> {
  const hashes = await hashesOf(code, opening.salt);
  const transaction = database.transaction(['tickets', 'marks'], 'readwrite');
  const marks = transaction.objectStore('marks');
  for (const hash of hashes) {
    const isListed = (await transaction.objectStore('tickets').getKey([opening.link.id, hash])) !== undefined;
    const mark = await marks.get(opening.link.id);
    if (isListed && mark !== undefined) await marks.put(movedOn(mark, hash, isOutside));
  }
  await transaction.done;
}

function canBeListed(outcome: Outcome): outcome is ListedOutcome {
  const listed: readonly Outcome[] = LISTED_OUTCOMES;
  return listed.includes(outcome);
}
