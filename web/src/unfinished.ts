import type { Conflict, DoorDatabase, WaitingScan } from './database';
import { Signal } from './signal';

/** What this phone still owes to the server, or to a person's eyes, whichever link it came from. */
export class Unfinished {
  readonly waiting = new Signal<WaitingScan[]>([]);
  readonly conflicts = new Signal<Conflict[]>([]);
  readonly #database: DoorDatabase;

  constructor(database: DoorDatabase) {
    this.#database = database;
  }

  async recount(): Promise<void> {
    const transaction = this.#database.transaction(['queue', 'conflicts']);
    const [waiting, conflicts] = await Promise.all([
      transaction.objectStore('queue').getAll(),
      transaction.objectStore('conflicts').getAll(),
    ]);
    // In this order, and of one moment: no scan leaves the first list without being seen in the second.
    this.conflicts.value = conflicts;
    this.waiting.value = waiting;
  }

  async dismiss(conflicts: Conflict[]): Promise<void> {
    const transaction = this.#database.transaction('conflicts', 'readwrite');
    for (const { scan_id } of conflicts) await transaction.store.delete(scan_id);
    await transaction.done;
    await this.recount();
  }
}
