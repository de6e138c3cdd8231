import type { BatchResult, Scan } from './contract';
import type { Conflict, DoorDatabase, KeptLink, WaitingScan } from './database';
import { sendScans } from './door-api';
import { ABOUT_A_SCAN, SCANS_MAX } from './generated/contract';
import { Refused, Unreachable } from './http';
import { forgetSpentLinks } from './links';
import { randomId } from './random-id';
import { learnFromAnswer } from './ticket-list';

/**
 * Sends what waits, oldest first, each scan with the link it was made with.
 *
 * Scans of a link that the server no longer takes go with the current one, if it is of the same event and admits such
 * tickets; otherwise they stay. `onProgress` is called after every answer.
 */
export async function sendQueue(
  database: DoorDatabase,
  current: KeptLink,
  onProgress: () => Promise<void>,
): Promise<void> {
  if (!('locks' in navigator)) return sendAll(database, current, onProgress);
  await navigator.locks.request('taquilla-door-queue', { ifAvailable: true }, async (lock) => {
    // Without the lock, another tab is sending this very queue.
    if (lock !== null) await sendAll(database, current, onProgress);
  });
}

async function sendAll(database: DoorDatabase, current: KeptLink, onProgress: () => Promise<void>): Promise<void> {
  const groups = await waitingByToken(database);
  for (const [token, scans] of groups) {
    try {
      await sendGroup(database, current, token, scans, onProgress);
    } catch (error) {
      // What the server cannot take from one link now must not hold up the scans of another. It stays for next time.
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  groups.delete(current.token);
  if (groups.size > 0) await forgetSpentLinks(database, current);
}

async function sendGroup(
  database: DoorDatabase,
  current: KeptLink,
  token: string,
  scans: WaitingScan[],
  onProgress: () => Promise<void>,
): Promise<void> {
  const own = token === current.token ? current : await database.get('links', token);
  try {
    if (own !== undefined && !own.refused) {
      await sendWith(database, own, scans, onProgress);
      return;
    }
  } catch (error) {
    if (own === current || !(error instanceof Refused && error.isAboutTheLink)) throw error;
    if (own !== undefined) await database.put('links', { ...own, refused: true }).catch(console.warn);
  }
  const eventId = current.opening.event.id;
  const waiting = await database.getAll('queue');
  const left = waiting.filter((scan) => scan.token === token && scan.event_id === eventId);
  await sendWith(database, current, left.filter((scan) => mayBeCovered(scan, current)), onProgress);
}

/** A link is asked twice: what it says first may be another's answer, to an upload whose answer never came. */
function mayBeCovered({ not_covered_by }: WaitingScan, { token }: KeptLink): boolean {
  return not_covered_by.filter((asked) => asked === token).length < 2;
}

async function waitingByToken(database: DoorDatabase): Promise<Map<string, WaitingScan[]>> {
  const groups = new Map<string, WaitingScan[]>();
  for (const scan of await database.getAll('queue')) {
    const group = groups.get(scan.token);
    if (group === undefined) groups.set(scan.token, [scan]);
    else group.push(scan);
  }
  return groups;
}

async function sendWith(
  database: DoorDatabase,
  link: KeptLink,
  scans: WaitingScan[],
  onProgress: () => Promise<void>,
): Promise<void> {
  let size: number = SCANS_MAX;
  for (let sent = 0; sent < scans.length; ) {
    const batch = scans.slice(sent, sent + size);
    try {
      const { results } = await sendScans(link, batch.map(toScan));
      await settle(database, link, batch, results);
      sent += batch.length;
    } catch (error) {
      if (!(error instanceof Refused) || error.isAboutTheLink) throw error;
      // One scan that the server cannot read must not hold up the others: from here they go one by one.
      if (batch.length === 1) {
        const refusal = { code: error.code, detail: error.message };
        await settle(database, link, batch, batch.map(({ scan_id }) => ({ scan_id, error: refusal })));
        sent += 1;
      }
      size = 1;
    }
    await onProgress();
  }
}

function toScan({ code, scan_id, station, scanned_at, decided }: WaitingScan): Scan {
  const scan: Scan = { code, scan_id, scanned_at };
  if (station !== '') scan.station = station;
  if (decided === 'turned_away') scan.turned_away = true;
  return scan;
}

async function settle(
  database: DoorDatabase,
  link: KeptLink,
  batch: WaitingScan[],
  results: BatchResult[],
): Promise<void> {
  const byId = new Map(results.map((result) => [result.scan_id, result]));
  for (const scan of batch) {
    const result = byId.get(scan.scan_id);
    if (result !== undefined && !('error' in result)) {
      const thisScan = { scanned_at: scan.scanned_at, station: scan.station };
      // What the server has taken is settled, whether or not this phone manages to write down what it learnt.
      await learnFromAnswer(database, link, scan.code, result, thisScan).catch(console.warn);
    }
  }
  const transaction = database.transaction(['queue', 'conflicts'], 'readwrite');
  for (const scan of batch) {
    const result = byId.get(scan.scan_id);
    if (result === undefined || scan.number === undefined || !isAboutThisScan(result)) continue;
    if (needsAnotherLink(scan, link, result)) {
      // The server gives the same answer to the same id for ever, so from now on it is sent under another.
      const waiting = { ...scan, scan_id: randomId(), not_covered_by: [...scan.not_covered_by, link.token] };
      await transaction.objectStore('queue').put(waiting);
      continue;
    }
    const conflict = conflictBetween(scan, result);
    if (conflict !== null) await transaction.objectStore('conflicts').put(conflict);
    await transaction.objectStore('queue').delete(scan.number);
  }
  await transaction.done;
}

/** A server in trouble says nothing about a scan, and the scan has to stay. */
function isAboutThisScan(result: BatchResult): boolean {
  return !('error' in result) || ABOUT_A_SCAN.includes(result.error.code);
}

/**
 * Somebody has entered with this ticket, and the link that stands in for its own does not admit such tickets.
 * Were it taken out of the queue, the ticket would be good for somebody else.
 */
function needsAnotherLink(scan: WaitingScan, link: KeptLink, result: BatchResult): boolean {
  if ('error' in result || link.token === scan.token || scan.decided !== 'admitted') return false;
  return result.outcome === 'not_here' || result.outcome === 'wrong_event';
}

function conflictBetween(scan: WaitingScan, result: BatchResult): Conflict | null {
  const common = {
    scan_id: scan.scan_id,
    timezone: scan.timezone,
    code_ending: scan.code.slice(-4),
    station: scan.station,
    scanned_at: scan.scanned_at,
    decided: scan.decided,
  };
  if ('error' in result) {
    const { code: error_code, detail: error } = result.error;
    return { ...common, ticket_type: scan.ticket_type, name: '', outcome: null, error, error_code, first_scan: null };
  }
  const admittedThere = result.outcome === 'admitted';
  if (admittedThere === (scan.decided === 'admitted')) return null;
  return {
    ...common,
    ticket_type: result.ticket?.ticket_type.name ?? scan.ticket_type,
    name: result.ticket?.name ?? '',
    outcome: result.outcome,
    error: null,
    first_scan: result.first_scan,
  };
}
