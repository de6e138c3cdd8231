import type { FirstScan, Opening, Scan } from './contract';
import type { DoorDatabase, KeptLink, KeptTicket, ListMark, OwnAdmission, WaitingScan } from './database';
import { eventNameOf, eventNames, eventsOf, mayBeOf } from './link-events';
import { hashesOf, inCapitals } from './spelling';
import { texts } from './texts/texts';
import { notesOf, verdictOf, type Verdict } from './verdict';

export type LocalScan = Required<Pick<Scan, 'code' | 'scan_id' | 'station' | 'scanned_at'>>;

/**
 * Decides without the server, and writes the decision in the queue before anybody sees it.
 *
 * All of it is one transaction, so two tabs cannot admit the same ticket, and it is on the disk when this returns: a phone
 * that dies now still tells the server later. `blocked` says how often somebody on the way has answered this scan in the
 * server's place.
 */
export async function decideOffline(
  database: DoorDatabase,
  link: KeptLink,
  scan: LocalScan,
  blocked = 0,
): Promise<Verdict> {
  if (!('subtle' in crypto)) {
    return verdictOf({
      outcome: 'failed',
      offline: true,
      advice: texts().verdict.offlineNeedsHttps,
    });
  }
  const { opening } = link;
  const { event, salt, link: { id, expires_at } } = opening;
  const hashes = await hashesOf(scan.code, salt);

  const stores = ['queue', 'tickets', 'marks', 'admissions'] as const;
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
  const queue = transaction.objectStore('queue');
  const tickets = transaction.objectStore('tickets');

  let ticket: KeptTicket | undefined;
  let admission: OwnAdmission | undefined;
  for (const hash of hashes) {
    ticket ??= await tickets.get([id, hash]);
    admission ??= await transaction.objectStore('admissions').get([id, hash]);
  }
  const mark = await transaction.objectStore('marks').get(id);
  const key = inCapitals(scan.code);
  const sameCode = await queue.index('key').getAll(key);
  // This very scan may have been written down although nobody heard of it in time: its answer stays, and stands once.
  const own = sameCode.find((waiting) => mayBeOf(waiting, opening) && waiting.scan_id === scan.scan_id);
  if (own?.decided === 'admitted') {
    const eventName = eventNameOf(opening, ticket?.event_id);
    return verdictOf({ outcome: 'admitted', offline: true, ticketType: own.ticket_type, eventName, notes: keptNotes(ticket, mark) });
  }
  const untold = sameCode.find((waiting) => isAdmissionOf(opening, waiting));
  // Asked besides the list, which may be older than what this phone did, with a signal or without.
  const admittedHere = untold === undefined ? admission?.first_scan : firstScanOf(untold);

  const verdict =
    expires_at !== null && Date.parse(expires_at) <= Date.parse(scan.scanned_at)
      ? verdictOf({ outcome: 'link_ended', offline: true, endedAt: expires_at })
      : judge(opening, ticket, admittedHere, mark);
  const admitted = verdict.outcome === 'admitted';
  if (admitted && ticket !== undefined) {
    const firstScan = { scanned_at: scan.scanned_at, station: scan.station };
    await tickets.put({ ...ticket, outcome: 'already_scanned', first_scan: firstScan });
  }
  if (own === undefined) await queue.add({
    // The code stays as it was shown: it may have reached the server already, under this very scan_id.
    ...scan,
    key,
    token: link.token,
    event_id: event.id,
    ...(eventsOf(opening).length > 1 ? { event_ids: eventsOf(opening).map((each) => each.id) } : {}),
    event_name: eventNames(opening),
    timezone: event.timezone,
    decided: admitted ? 'admitted' : 'turned_away',
    ticket_type: ticket?.ticket_type ?? '',
    not_covered_by: [],
    blocked,
  });
  await transaction.done;
  return verdict;
}

function judge(
  opening: Opening,
  ticket: KeptTicket | undefined,
  admittedHere: FirstScan | undefined,
  mark: ListMark | undefined,
): Verdict {
  const notes = keptNotes(ticket, mark);
  const eventName = eventNameOf(opening, ticket?.event_id);
  if (admittedHere !== undefined) return { ...alreadyAdmittedHere(admittedHere, ticket?.ticket_type ?? ''), eventName, notes };
  if (ticket === undefined) {
    const listedAt = mark?.completed_at ?? null;
    return verdictOf({ outcome: listedAt === null ? 'no_list' : 'not_on_list', offline: true, listedAt });
  }
  return verdictOf({
    outcome: ticket.outcome,
    offline: true,
    ticketType: ticket.ticket_type,
    eventName,
    firstScan: ticket.outcome === 'already_scanned' ? ticket.first_scan : null,
    notes,
  });
}

/** What staff want the door to know about a ticket, as far as this phone has heard. */
function keptNotes(ticket: KeptTicket | undefined, mark: ListMark | undefined): string[] {
  const type = ticket?.ticket_type_id;
  return notesOf(ticket?.door_note, type === undefined ? undefined : mark?.type_notes?.[type]);
}

/** What this phone would decide by itself. Nothing is written. */
export async function lookOffline(database: DoorDatabase, link: KeptLink, code: string): Promise<Verdict> {
  if (!('subtle' in crypto)) return verdictOf({ outcome: 'failed', offline: true });
  const { opening } = link;
  const { salt, link: { id } } = opening;
  const waiting = await admissionStillWaiting(database, opening, code);
  if (waiting !== null) return waiting;
  let ticket: KeptTicket | undefined;
  let admission: OwnAdmission | undefined;
  for (const hash of await hashesOf(code, salt)) {
    ticket ??= await database.get('tickets', [id, hash]);
    admission ??= await database.get('admissions', [id, hash]);
  }
  const mark = await database.get('marks', id);
  return judge(opening, ticket, admission?.first_scan, mark);
}

/** An admission of this code that the server has not heard of yet: to ask the server now would admit it twice. */
export async function admissionStillWaiting(
  database: DoorDatabase,
  opening: Opening,
  code: string,
): Promise<Verdict | null> {
  const sameCode = await database.getAllFromIndex('queue', 'key', inCapitals(code));
  const admitted = sameCode.find((waiting) => isAdmissionOf(opening, waiting));
  return admitted === undefined ? null : alreadyAdmittedHere(firstScanOf(admitted), admitted.ticket_type);
}

function isAdmissionOf(opening: Opening, waiting: WaitingScan): boolean {
  return mayBeOf(waiting, opening) && waiting.decided === 'admitted';
}

function firstScanOf({ scanned_at, station }: WaitingScan): FirstScan {
  return { scanned_at, station };
}

function alreadyAdmittedHere(firstScan: FirstScan, ticketType: string): Verdict {
  return verdictOf({ outcome: 'already_scanned', offline: true, ticketType, firstScan });
}
