import type { Conflict, DoorDatabase, WaitingScan } from './database';
import { Signal } from './signal';

// Enough to be quick, and few enough that nobody at the door waits for it.
const READ_AT_ONCE = 250;

/** What this phone still owes to the server, or to a person's eyes, whichever link it came from. */
export class Unfinished {
  /** How many scans wait to be sent. */
  readonly waiting = new Signal(0);
  readonly conflicts = new Signal<Conflict[]>([]);
  readonly #database: DoorDatabase;

  constructor(database: DoorDatabase) {
    this.#database = database;
  }

  async recount(): Promise<void> {
    const transaction = this.#database.transaction(['queue', 'conflicts']);
    const [waiting, conflicts] = await Promise.all([
      transaction.objectStore('queue').count(),
      transaction.objectStore('conflicts').getAll(),
    ]);
    // In this order, and of one moment: no scan leaves the first without being seen in the second.
    this.conflicts.value = conflicts;
    this.waiting.value = waiting;
  }

  /** After a scan that was added to the queue: it changes no conflict. */
  async recountWaiting(): Promise<void> {
    this.waiting.value = await this.#database.count('queue');
  }

  async dismiss(conflicts: Conflict[]): Promise<void> {
    const transaction = this.#database.transaction('conflicts', 'readwrite');
    for (const { scan_id } of conflicts) await transaction.store.delete(scan_id);
    await transaction.done;
    await this.recount();
  }
}

/** Every scan that waits, oldest first, read in parts that hold up no scan at the door. */
export async function* waitingScans(database: DoorDatabase): AsyncGenerator<WaitingScan> {
  let last = 0;
  for (;;) {
    const scans = await database.getAll('queue', IDBKeyRange.lowerBound(last, true), READ_AT_ONCE);
    yield* scans;
    if (scans.length < READ_AT_ONCE) return;
    last = scans[scans.length - 1]?.number ?? Infinity;
  }
}
