import type { BatchResult, Scan } from './contract';
import { turnsOf, type DoorDatabase, type KeptLink, type WaitingScan } from './database';
import { sendScans } from './door-api';
import { SCANS_MAX } from './generated/contract';
import { Blocked, Refused, Unreachable } from './http';
import { mayBeOf } from './link-events';
import { forgetSpentLinks, scansOut } from './links';
import { settle } from './settle-scans';

// A hundred scans a second, so that a phone with thousands of them leaves room for the scans at the door: an upload counts
// as one call for each of its scans, and all phones of a link share what it may make, 200 in a second.
const PAUSE_FOR_EACH_SCAN_MS = 10;

// Where a stranger answers everything, as in a hotel before one has logged in, more tries would only be more of the same.
const BLOCKED_IN_A_ROW = 3;

/** What the sending of a queue needs from whoever asks for it. */
export interface SendWork {
  /** The link that stands in for those that no longer work. */
  current: KeptLink;
  /** Nobody waits for it any more: what is not sent yet stays for next time. */
  isStopped: () => boolean;
  /** Called after every answer. */
  onProgress: () => Promise<void>;
  pause?: (milliseconds: number) => Promise<void>;
}

/**
 * Sends what waits, each scan with the link it was made with, and of each link the oldest first.
 *
 * Scans of a link that the server no longer takes go with the current one, if it has an event in common and admits such
 * tickets; otherwise they stay.
 */
export async function sendQueue(database: DoorDatabase, work: SendWork): Promise<void> {
  const round = new Round(database, work);
  if (!('locks' in navigator)) return round.sendAll();
  await navigator.locks.request('taquilla-door-queue', { ifAvailable: true }, async (lock) => {
    // Without the lock, another tab is sending this very queue.
    if (lock !== null) await round.sendAll();
  });
}

/** One time through the queue. */
class Round {
  readonly #database: DoorDatabase;
  readonly #work: SendWork;
  #blockedInARow = 0;

  constructor(database: DoorDatabase, work: SendWork) {
    this.#database = database;
    this.#work = work;
  }

  async sendAll(): Promise<void> {
    const { current } = this.#work;
    const tokens = await tokensThatWait(this.#database);
    for (const token of tokens) {
      try {
        await this.#sendGroup(token);
      } catch (error) {
        // What the server cannot take from one link now must not hold up the scans of another. It stays for next time.
        if (!(error instanceof Unreachable)) throw error;
      }
    }
    if (tokens.some((token) => token !== current.token)) await forgetSpentLinks(this.#database, current);
  }

  async #sendGroup(token: string): Promise<void> {
    this.#blockedInARow = 0;
    const { current } = this.#work;
    const own = token === current.token ? current : await this.#database.get('links', token);
    try {
      if (own !== undefined && !own.refused) {
        await this.#sendWith(own, token, () => true);
        return;
      }
    } catch (error) {
      if (token === current.token || !(error instanceof Refused && error.isAboutTheLink)) throw error;
      if (own !== undefined) await this.#database.put('links', { ...own, refused: true }).catch(console.warn);
    }
    // Scans of one link are all of its events.
    const first = await this.#database.getFromIndex('queue', 'turn', turnsOf(token));
    if (first === undefined || !mayBeOf(first, current.opening)) return;
    // Through a link that goes the other way, somebody who came in would go out.
    if (own !== undefined && scansOut(own) !== scansOut(current)) return;
    await this.#sendWith(current, token, (scan) => mayBeCovered(scan, current));
  }

  /** Sends the scans that were made with `token`. Those that were blocked before come last, each for itself. */
  async #sendWith(link: KeptLink, token: string, mayGo: (scan: WaitingScan) => boolean): Promise<void> {
    const turns = this.#database.transaction('queue').store.index('turn');
    const fresh = await turns.getAllKeys(IDBKeyRange.only([token, 0]));
    const blocked = await turns.getAllKeys(turnsOf(token, 1));
    await this.#sendBatches(link, [...chunksOf(fresh, SCANS_MAX), ...chunksOf(blocked, 1)], mayGo);
  }

  /** Sends batch after batch. One that does not get through as a whole is halved, until the culprit is alone. */
  async #sendBatches(link: KeptLink, batches: number[][], mayGo: (scan: WaitingScan) => boolean): Promise<void> {
    const { isStopped, onProgress, pause = sleep } = this.#work;
    const waiting = [...batches].reverse();
    for (let numbers = waiting.pop(); numbers !== undefined && !isStopped(); numbers = waiting.pop()) {
      const scans = (await readScans(this.#database, numbers)).filter(mayGo);
      if (scans.length === 0) continue;
      if (!(await this.#send(link, scans))) {
        const middle = Math.ceil(scans.length / 2);
        waiting.push(numbersOf(scans.slice(middle)), numbersOf(scans.slice(0, middle)));
      }
      await onProgress();
      if (waiting.length > 0) await pause(scans.length * PAUSE_FOR_EACH_SCAN_MS);
    }
  }

  /** False if these scans do not get through together, and some of them may. */
  async #send(link: KeptLink, scans: WaitingScan[]): Promise<boolean> {
    let results: BatchResult[];
    try {
      ({ results } = await sendScans(link, scans.map(toScan)));
    } catch (error) {
      const isAboutTheScans = error instanceof Blocked || (error instanceof Refused && !error.isAboutTheLink);
      if (!isAboutTheScans) throw error;
      if (scans.length > 1) return false;
      if (error instanceof Blocked) {
        await this.#keepBlocked(scans, error);
        return true;
      }
      const refusal = { code: error.code, detail: error.message };
      results = scans.map(({ scan_id }) => ({ scan_id, error: refusal }));
    }
    this.#blockedInARow = 0;
    await settle(this.#database, link, scans, results);
    return true;
  }

  /** The scan stays, behind all others that were blocked less often: one that gets through must not wait for it. */
  async #keepBlocked(scans: WaitingScan[], error: Blocked): Promise<void> {
    const transaction = this.#database.transaction('queue', 'readwrite');
    for (const number of numbersOf(scans)) {
      const scan = await transaction.store.get(number);
      if (scan !== undefined) await transaction.store.put({ ...scan, blocked: scan.blocked + 1 });
    }
    await transaction.done;
    this.#blockedInARow += 1;
    if (this.#blockedInARow >= BLOCKED_IN_A_ROW) throw error;
  }
}

/** The tokens of the links that waiting scans were made with. */
async function tokensThatWait(database: DoorDatabase): Promise<string[]> {
  const tokens: string[] = [];
  let cursor = await database.transaction('queue').store.index('turn').openKeyCursor();
  while (cursor !== null) {
    const [token] = cursor.key;
    tokens.push(token);
    // Behind the last scan of this link.
    cursor = await cursor.continue([token, []] as unknown as [string, number]);
  }
  return tokens;
}

async function readScans(database: DoorDatabase, numbers: number[]): Promise<WaitingScan[]> {
  const queue = database.transaction('queue').store;
  const scans = await Promise.all(numbers.map((number) => queue.get(number)));
  // Another tab may have sent some of them.
  return scans.filter((scan) => scan !== undefined);
}

function numbersOf(scans: WaitingScan[]): number[] {
  return scans.map(({ number }) => number).filter((number) => number !== undefined);
}

function chunksOf(numbers: number[], size: number): number[][] {
  const count = Math.ceil(numbers.length / size);
  return Array.from({ length: count }, (_, index) => numbers.slice(index * size, (index + 1) * size));
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A link is asked twice: what it says first may be another's answer, to an upload whose answer never came. */
function mayBeCovered({ not_covered_by }: WaitingScan, { token }: KeptLink): boolean {
  return not_covered_by.filter((asked) => asked === token).length < 2;
}

function toScan({ code, scan_id, station, scanned_at, decided }: WaitingScan): Scan {
  const scan: Scan = { code, scan_id, scanned_at };
  if (station !== '') scan.station = station;
  if (decided === 'turned_away') scan.turned_away = true;
  return scan;
}
