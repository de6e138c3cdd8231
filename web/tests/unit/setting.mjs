// What the tests of the page's rules play: a phone with its database, door links, and a server.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { createHash } from 'node:crypto';
import { openDatabase } from '../../src/database.ts';
import { CODE_HASH_BYTES } from '../../src/generated/contract.ts';
import { sendQueue } from '../../src/send-queue.ts';
import { refreshList } from '../../src/ticket-list.ts';

export const EARLIER = '2026-11-15T20:00:00.000Z';
export const NOW = '2026-11-15T21:00:00.000Z';
export const LATER = '2026-11-15T22:00:00.000Z';

// Newer versions of Node have a navigator of their own, which may have more than a phone.
playBrowser({});

/** From now on the browser has these abilities, and no others. */
export function playBrowser(abilities) {
  Object.defineProperty(globalThis, 'navigator', { value: abilities, configurable: true });
}

/** A phone on which the page was never opened. */
export function newPhone() {
  globalThis.indexedDB = new IDBFactory();
  return openDatabase();
}

/** Another tab on the phone of the last `newPhone`. */
export const anotherTab = openDatabase;

export function linkOf(name, { event = 'ev', expires_at = null, refused = false, opened_at = 1 } = {}) {
  const counts = { entered: 0, to_come: 9 };
  return {
    token: `tqd_${name}`,
    pass: null,
    opening: {
      link: { id: `dl_${name}`, label: name, stations: [], expires_at },
      event: { id: event, name: `Event ${event}`, venue: null, timezone: 'UTC', starts_at: null, ends_at: null },
      pass: null,
      salt: `salt of ${name}`,
      counts,
    },
    station: `${name} 1`,
    refused,
    opened_at,
  };
}

/** A row of the list that the server gives to a link. */
export function row(link, code, outcome, updated_at = EARLIER) {
  const digest = createHash('sha256').update(`${link.opening.salt}:${code}`).digest();
  const hash = digest.subarray(0, CODE_HASH_BYTES).toString('base64url');
  return { code: hash, outcome, ticket_type: 'General', updated_at };
}

export function lastPage(data, newest = null) {
  return { data, newest, has_more: false, next_cursor: null };
}

/** Gives the phone a complete list with these rows. */
export async function giveList(database, link, rows) {
  playServer(() => [200, lastPage(rows, rows[0]?.updated_at)]);
  await walk(database, link);
}

/** Brings the list up to date. Returns how many codes there were, each time that there were more. */
export async function walk(database, link, isStopped = () => false) {
  const seen = [];
  await refreshList(database, link, { isStopped, onProgress: ({ codes }) => seen.push(codes) });
  return seen;
}

/** Sends what waits, as fast as the server answers. Returns how long the phone would have paused, each time. */
export async function send(database, current, { onProgress = async () => {}, isStopped = () => false } = {}) {
  const pauses = [];
  const pause = async (milliseconds) => pauses.push(milliseconds);
  await sendQueue(database, { current, isStopped, onProgress, pause });
  return pauses;
}

/** A scan that the phone has decided without the server. */
export function waiting(link, code, changes = {}) {
  const { event } = link.opening;
  return {
    scan_id: `scan of ${code}`,
    token: link.token,
    event_id: event.id,
    event_name: event.name,
    timezone: event.timezone,
    code,
    key: code,
    station: link.station,
    scanned_at: EARLIER,
    decided: 'admitted',
    ticket_type: 'General',
    not_covered_by: [],
    blocked: 0,
    ...changes,
  };
}

/**
 * From now on `answer` answers the page's calls, with a status and a body (JSON, or a page as a text); null is no signal.
 * Returns the calls, which become more as they are made.
 */
export function playServer(answer) {
  const calls = [];
  globalThis.fetch = async (url, { headers, body, signal }) => {
    const address = new URL(url, 'https://tickets.example.com');
    const call = {
      path: address.pathname.slice('/door/v1/'.length),
      query: Object.fromEntries(address.searchParams),
      token: headers.Authorization.slice('Bearer '.length),
      pass: headers['Door-Pass'],
      body: body === null ? null : JSON.parse(body),
    };
    calls.push(call);
    const answered = await answer(call);
    signal.throwIfAborted();
    if (answered === null) throw new TypeError('no signal');
    const [status, content, more = {}] = answered;
    // A text is a stranger's page: the server speaks JSON.
    if (typeof content === 'string') return new Response(content, { status, headers: more });
    return Response.json(content, { status, headers: more });
  };
  return calls;
}

/** What the server answers to each scan of an upload, by its code. */
export function uploadAnswer({ body }, outcomeOf) {
  const results = body.scans.map(({ code, scan_id }) => ({
    scan_id,
    outcome: outcomeOf(code),
    ticket: null,
    first_scan: null,
  }));
  return [200, { results }];
}

/** Waits for what happens in the background; it fails where that never does. */
export async function until(holds) {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`never: ${holds}`);
    await new Promise(setImmediate);
  }
}
