import type { FirstScan, Scan } from './contract';
import { movedOn, type DoorDatabase, type KeptLink, type KeptTicket, type ListMark, type OwnAdmission, type WaitingScan } from './database';
import { eventNameOf, eventNames, eventsOf, mayBeOf } from './link-events';
import { scansOut } from './links';
import { hashesOf, inCapitals } from './spelling';
import { texts } from './texts/texts';
import { letsPass, notesOf, verdictOf, type Verdict } from './verdict';

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
  const marks = transaction.objectStore('marks');
  const mark = await marks.get(id);
  const key = inCapitals(scan.code);
  const sameCode = await queue.index('key').getAll(key);
  // This very scan may have been written down although nobody heard of it in time: its answer stays, and stands once.
  const own = sameCode.find((waiting) => mayBeOf(waiting, opening) && waiting.scan_id === scan.scan_id);
  if (own !== undefined && own.decided !== 'turned_away') {
    const passage = scansOut(link) ? 'went_out' : 'reentered';
    const outcome = own.decided === 'admitted' ? 'admitted' : passage;
    const eventName = eventNameOf(opening, ticket?.event_id);
    return verdictOf({ outcome, offline: true, ticketType: own.ticket_type, eventName, notes: keptNotes(ticket, mark) });
  }
  const untold = sameCode.find((waiting) => isUntold(link, waiting));
  // Asked besides the list, which may be older than what this phone did, with a signal or without.
  const admittedHere = untold === undefined ? admission?.first_scan : firstScanOf(untold);

  const verdict =
    expires_at !== null && Date.parse(expires_at) <= Date.parse(scan.scanned_at)
      ? verdictOf({ outcome: 'link_ended', offline: true, endedAt: expires_at })
      : judge(link, ticket, admittedHere, mark);
  const admitted = verdict.outcome === 'admitted';
  if (admitted && ticket !== undefined) {
    const firstScan = { scanned_at: scan.scanned_at, station: scan.station };
    await tickets.put({ ...ticket, outcome: 'already_scanned', first_scan: firstScan });
  } else if (letsPass(verdict.outcome) && ticket !== undefined && mark !== undefined) {
    await marks.put(movedOn(mark, ticket.code, verdict.outcome === 'went_out'));
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
    decided: admitted ? 'admitted' : letsPass(verdict.outcome) ? 'passed' : 'turned_away',
    ticket_type: ticket?.ticket_type ?? '',
    not_covered_by: [],
    blocked,
  });
  await transaction.done;
  return verdict;
}

function judge(
  link: KeptLink,
  ticket: KeptTicket | undefined,
  admittedHere: FirstScan | undefined,
  mark: ListMark | undefined,
): Verdict {
  const notes = keptNotes(ticket, mark);
  const eventName = eventNameOf(link.opening, ticket?.event_id);
  if (admittedHere !== undefined) return { ...passedHere(link, admittedHere, ticket?.ticket_type ?? ''), eventName, notes };
  if (ticket === undefined) {
    const listedAt = mark?.completed_at ?? null;
    return verdictOf({ outcome: listedAt === null ? 'no_list' : 'not_on_list', offline: true, listedAt });
  }
  const isOutside = mark?.outside?.includes(ticket.code) ?? false;
  const outcome = isOutside ? outcomeOutside(ticket.outcome) : ticket.outcome;
  const hasEntered = outcome === 'already_scanned' || outcome === 'reentered';
  return verdictOf({
    outcome,
    offline: true,
    ticketType: ticket.ticket_type,
    eventName,
    firstScan: hasEntered ? ticket.first_scan : null,
    notes,
  });
}

/** What the list says of a ticket, once its holder has gone out. */
function outcomeOutside(listed: KeptTicket['outcome']): Verdict['outcome'] {
  if (listed === 'already_scanned') return 'reentered';
  return listed === 'went_out' ? 'not_inside' : listed;
}

/** What staff want the door to know about a ticket, as far as this phone has heard. */
function keptNotes(ticket: KeptTicket | undefined, mark: ListMark | undefined): string[] {
  const type = ticket?.ticket_type_id;
  return notesOf(ticket?.door_note, type === undefined ? undefined : mark?.type_notes?.[type]);
}

/** What this phone would decide by itself. Nothing is written. */
export async function lookOffline(database: DoorDatabase, link: KeptLink, code: string): Promise<Verdict> {
  if (!('subtle' in crypto)) return verdictOf({ outcome: 'failed', offline: true });
  const { salt, link: { id } } = link.opening;
  const waiting = await admissionStillWaiting(database, link, code);
  if (waiting !== null) return waiting;
  let ticket: KeptTicket | undefined;
  let admission: OwnAdmission | undefined;
  for (const hash of await hashesOf(code, salt)) {
    ticket ??= await database.get('tickets', [id, hash]);
    admission ??= await database.get('admissions', [id, hash]);
  }
  const mark = await database.get('marks', id);
  return judge(link, ticket, admission?.first_scan, mark);
}

/** An admission of this code that the server has not heard of yet: to ask the server now would admit it twice. */
export async function admissionStillWaiting(
  database: DoorDatabase,
  link: KeptLink,
  code: string,
): Promise<Verdict | null> {
  const sameCode = await database.getAllFromIndex('queue', 'key', inCapitals(code));
  const untold = sameCode.find((waiting) => isUntold(link, waiting));
  return untold === undefined ? null : passedHere(link, firstScanOf(untold), untold.ticket_type);
}

/** Whether this phone has let somebody pass this door, or enter an event of it, and the server has not heard of it yet. */
function isUntold(link: KeptLink, waiting: WaitingScan): boolean {
  if (!mayBeOf(waiting, link.opening)) return false;
  // Only this door knows of it. Whoever went out by another may come in here.
  if (waiting.decided === 'passed') return waiting.token === link.token;
  return waiting.decided === 'admitted' && !scansOut(link);
}

function firstScanOf({ scanned_at, station }: WaitingScan): FirstScan {
  return { scanned_at, station };
}

function passedHere(link: KeptLink, firstScan: FirstScan, ticketType: string): Verdict {
  if (scansOut(link)) return verdictOf({ outcome: 'not_inside', offline: true, ticketType });
  return verdictOf({ outcome: 'already_scanned', offline: true, ticketType, firstScan });
}
