import type { BatchResult, Counts, Enter, Guests, ListPage, Opening, Scan, ScanAnswer, Undo } from './contract';
import { ABOUT_A_CURSOR, ABOUT_A_MARK, ABOUT_A_PARAMETER, ABOUT_A_GUEST, ABOUT_A_SCAN, ABOUT_AN_UNDO } from './generated/contract';
import { call, type Bearer } from './http';

// Somebody is standing at the door: after this the phone answers by itself.
const AT_THE_DOOR_MS = 4_000;
// Nobody waits for these, and they are larger.
const IN_THE_BACKGROUND_MS = 20_000;
// A page of the list has 2,000 rows. A bad signal brings it within a minute, and without it the phone has no list at all.
const FOR_A_PAGE_OF_THE_LIST_MS = 60_000;

export function openLink(bearer: Bearer, pin?: string): Promise<Opening> {
  const body = pin === undefined ? {} : { pin };
  return call(bearer, { method: 'POST', path: 'open', body, timeoutMs: AT_THE_DOOR_MS, mustHave: 'link' });
}

export function sendScan(bearer: Bearer, scan: Scan): Promise<ScanAnswer> {
  const limits = { timeoutMs: AT_THE_DOOR_MS, refusals: ABOUT_A_SCAN };
  return call(bearer, { method: 'POST', path: 'scan', body: scan, mustHave: 'outcome', ...limits });
}

/** What the scan would get; nothing is written. */
export function lookAt(bearer: Bearer, scan: Scan): Promise<ScanAnswer> {
  const limits = { timeoutMs: AT_THE_DOOR_MS, refusals: ABOUT_A_SCAN };
  return call(bearer, { method: 'POST', path: 'look', body: scan, mustHave: 'outcome', ...limits });
}

export function sendScans(bearer: Bearer, scans: Scan[]): Promise<{ results: BatchResult[] }> {
  const limits = { timeoutMs: IN_THE_BACKGROUND_MS, refusals: ABOUT_A_SCAN };
  return call(bearer, { method: 'POST', path: 'scans', body: { scans }, mustHave: 'results', ...limits });
}

export function findGuests(bearer: Bearer, text: string): Promise<Guests> {
  const limits = { timeoutMs: AT_THE_DOOR_MS, refusals: ABOUT_A_GUEST };
  return call(bearer, { method: 'POST', path: 'search', body: { text }, mustHave: 'data', ...limits });
}

export function findParty(bearer: Bearer, scan_id: string): Promise<Guests> {
  const limits = { timeoutMs: AT_THE_DOOR_MS, refusals: ABOUT_A_GUEST };
  return call(bearer, { method: 'POST', path: 'party', body: { scan_id }, mustHave: 'data', ...limits });
}

export function sendEnter(bearer: Bearer, enter: Enter): Promise<ScanAnswer> {
  const limits = { timeoutMs: AT_THE_DOOR_MS, refusals: ABOUT_A_GUEST };
  return call(bearer, { method: 'POST', path: 'enter', body: enter, mustHave: 'outcome', ...limits });
}

export function sendUndo(bearer: Bearer, undo: Undo): Promise<ScanAnswer> {
  const limits = { timeoutMs: AT_THE_DOOR_MS, refusals: ABOUT_AN_UNDO };
  return call(bearer, { method: 'POST', path: 'undo', body: undo, mustHave: 'outcome', ...limits });
}

export function fetchCounts(bearer: Bearer, station: string): Promise<Counts> {
  const query = station === '' ? '' : `?${new URLSearchParams({ station })}`;
  const limits = { timeoutMs: AT_THE_DOOR_MS, refusals: ABOUT_A_PARAMETER };
  return call(bearer, { method: 'GET', path: `counts${query}`, mustHave: 'entered', ...limits });
}

export function fetchListPage(bearer: Bearer, updatedAfter: string | null, cursor: string | null): Promise<ListPage> {
  const query = new URLSearchParams();
  if (updatedAfter !== null) query.set('updated_after', updatedAfter);
  if (cursor !== null) query.set('cursor', cursor);
  const limits = { timeoutMs: FOR_A_PAGE_OF_THE_LIST_MS, refusals: [...ABOUT_A_CURSOR, ...ABOUT_A_MARK] };
  return call(bearer, { method: 'GET', path: `codes?${query}`, mustHave: 'data', ...limits });
}
