import type { BatchResult } from './contract';
import type { Conflict, DoorDatabase, KeptLink, WaitingScan } from './database';
import { ABOUT_A_SCAN } from './generated/contract';
import { randomId } from './random-id';
import { learnFromAnswer } from './ticket-list';
import { letsPass } from './verdict';

/** Takes out of the queue what the server has decided, and keeps what a person must look at. */
export async function settle(
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
  if ('error' in result || link.token === scan.token || scan.decided === 'turned_away') return false;
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
  if (letsPass(result.outcome) === (scan.decided !== 'turned_away')) return null;
  return {
    ...common,
    ticket_type: result.ticket?.ticket_type.name ?? scan.ticket_type,
    name: result.ticket?.name ?? '',
    outcome: result.outcome,
    error: null,
    first_scan: result.first_scan,
  };
}
