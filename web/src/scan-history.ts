import type { DoorDatabase, KeptLink, PastScan } from './database';
import { Signal } from './signal';
import type { Verdict } from './verdict';

// As many as somebody scrolls through to find a guest of a moment ago.
const KEPT = 50;

export function pastScan({ opening, station }: KeptLink, code: string, verdict: Verdict): PastScan {
  return {
    scanned_at: new Date().toISOString(),
    timezone: opening.event.timezone,
    station,
    code_ending: code.slice(-4),
    outcome: verdict.outcome,
    offline: verdict.offline,
    name: verdict.name,
    ticket_type: verdict.ticketType,
    scan_id: verdict.scanId,
  };
}

/** The last scans on this phone, newest first. */
export class ScanHistory {
  readonly scans = new Signal<PastScan[]>([]);
  readonly #database: DoorDatabase;

  constructor(database: DoorDatabase) {
    this.#database = database;
  }

  /** What the page knew before it was loaded anew. */
  async load(): Promise<void> {
    const before = await this.#database.getAll('history');
    this.scans.value = before.reverse().slice(0, KEPT);
  }

  /** The entry that this scan made was taken back. */
  async markUndone(scanId: string): Promise<void> {
    const marked = (scan: PastScan): PastScan => (scan.scan_id === scanId ? { ...scan, undone: true } : scan);
    this.scans.value = this.scans.value.map(marked);
    const transaction = this.#database.transaction('history', 'readwrite');
    for await (const kept of transaction.store) {
      if (kept.value.scan_id === scanId) await kept.update(marked(kept.value));
    }
    await transaction.done;
  }

  async add(scan: PastScan): Promise<void> {
    this.scans.value = [scan, ...this.scans.value].slice(0, KEPT);
    const transaction = this.#database.transaction('history', 'readwrite');
    // Names are only as long on the phone as this page is open: nobody should find a list of guests on it.
    const number = await transaction.store.add({ ...scan, name: '' });
    await transaction.store.delete(IDBKeyRange.upperBound(number - KEPT));
    await transaction.done;
  }
}
