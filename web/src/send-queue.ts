import type { BatchResult, Scan } from './contract';
import type { Conflict, DoorDatabase, KeptLink, WaitingScan } from './database';
import { BATCH_LIMIT, sendScans } from './door-api';
import { Refused } from './http';
import { forgetSpentLinks } from './links';
import { learnFromAnswer } from './ticket-list';

/**
 * Sends what waits, oldest first, each scan with the link it was made with.
 *
 * Scans of a link that the server no longer takes go with the current one, if it is of the same event; otherwise they
 * stay. `onProgress` is called after every answer.
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
    const own = token === current.token ? current : await database.get('links', token);
    try {
      if (own !== undefined && !own.refused) {
        await sendWith(database, own, scans, onProgress);
        continue;
      }
    } catch (error) {
      if (own === current || !(error instanceof Refused && error.isAboutTheLink)) throw error;
      if (own !== undefined) await database.put('links', { ...own, refused: true });
    }
    const eventId = current.opening.event.id;
    const waiting = await database.getAll('queue');
    const left = waiting.filter((scan) => scan.token === token && scan.event_id === eventId);
    await sendWith(database, current, left, onProgress);
  }
  groups.delete(current.token);
  if (groups.size > 0) await forgetSpentLinks(database, current);
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
  let size = BATCH_LIMIT;
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
      await learnFromAnswer(database, link, scan.code, result, thisScan);
    }
  }
  const transaction = database.transaction(['queue', 'conflicts'], 'readwrite');
  for (const scan of batch) {
    const result = byId.get(scan.scan_id);
    if (result === undefined || scan.number === undefined) continue;
    const conflict = conflictBetween(scan, result);
    if (conflict !== null) await transaction.objectStore('conflicts').put(conflict);
    await transaction.objectStore('queue').delete(scan.number);
  }
  await transaction.done;
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
    const error = result.error.detail;
    return { ...common, ticket_type: scan.ticket_type, name: '', outcome: null, error, first_scan: null };
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
