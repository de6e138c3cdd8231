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
    this.waiting.value = await this.#database.getAll('queue');
    this.conflicts.value = await this.#database.getAll('conflicts');
  }

  async dismiss(conflicts: Conflict[]): Promise<void> {
    const transaction = this.#database.transaction('conflicts', 'readwrite');
    for (const { scan_id } of conflicts) await transaction.store.delete(scan_id);
    await transaction.done;
    await this.recount();
  }
}
