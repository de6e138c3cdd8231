import type { DoorDatabase } from './database';
import { timeLimit } from './http';
import { Signal } from './signal';

// Far longer than a slow phone needs for its largest step. Somebody at the door waits for it once.
const ANSWERS_WITHIN_MS = 5_000;
// A phone that has just been switched on may need long to open it, and an update of it goes through a whole list.
const OPENS_WITHIN_MS = 10_000;
// Whoever waited in vain is not made to wait again for every step of the next scan.
const LEFT_ALONE_FOR_MS = 30_000;

/**
 * The page's database, in a browser that may refuse it, or never answer: a private window, a full disk, a phone in trouble.
 *
 * Every wait for it has an end. After one in vain, or without a database, it refuses at once, and whoever asks goes on as on a
 * phone that keeps nothing: with a signal the server decides.
 */
export class PatientDatabase {
  /** Whether this phone keeps anything, as far as is known. */
  readonly works = new Signal(true);
  readonly database: DoorDatabase;
  #opened: DoorDatabase | null = null;
  #leftAloneUntil = 0;

  constructor() {
    this.database = new Proxy({} as DoorDatabase, {
      get: (_, name) => (name === 'then' ? undefined : (...given: unknown[]) => this.#call(name, given)),
    });
  }

  /** Comes when the database is open, or when it is clear that the page has to do without. */
  async open(open: (onBlocked: () => void) => Promise<DoorDatabase>, onBlocked: () => void): Promise<void> {
    let isBlocked = false;
    const opening = (async () => {
      // Some browsers refuse at once, and do not promise anything.
      this.#opened = await open(() => {
        isBlocked = true;
        onBlocked();
      });
      this.works.value = true;
    })();
    const limit = timeLimit(OPENS_WITHIN_MS);
    try {
      await inTime(opening, limit);
    } catch (error) {
      // An older page than its database, and one that another tab keeps from opening it, are told otherwise.
      if (error instanceof DOMException && error.name === 'VersionError') throw error;
      if (isBlocked) return opening;
      console.warn(error);
      this.works.value = false;
      // It may be late.
      opening.catch(() => {});
    }
  }

  #call(name: string | symbol, given: unknown[]): unknown {
    const opened = this.#opened;
    if (opened === null || Date.now() < this.#leftAloneUntil) {
      const refusal = new DOMException('This phone keeps nothing now', 'UnknownError');
      // A transaction is not waited for, only what is done in it.
      if (name === 'transaction') throw refusal;
      return Promise.reject(refusal);
    }
    const limit = timeLimit(ANSWERS_WITHIN_MS);
    const called: unknown = (Reflect.get(opened, name) as (...given: unknown[]) => unknown).apply(opened, given);
    if (name === 'transaction') undoWith(called as Undoable, limit);
    return this.#limited(called, limit);
  }

  /** The same, where every promise that it gives ends with the limit. */
  #limited(given: unknown, limit: AbortSignal): unknown {
    if (given instanceof Promise) return this.#watched(given, limit);
    if (!isPartOfTransaction(given)) return given;
    return new Proxy(given, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return this.#limited(value, limit);
        return (...args: unknown[]) => this.#limited((value as (...given: unknown[]) => unknown).apply(target, args), limit);
      },
    });
  }

  async #watched(promise: Promise<unknown>, limit: AbortSignal): Promise<unknown> {
    try {
      const value = this.#limited(await inTime(promise, limit), limit);
      if (!this.works.value) this.works.value = true;
      return value;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        this.#leftAloneUntil = Date.now() + LEFT_ALONE_FOR_MS;
        if (this.works.value) this.works.value = false;
        // A phone that was asleep answers late.
        promise.then(() => (this.#leftAloneUntil = 0)).catch(() => {});
      }
      throw error;
    }
  }
}

function isPartOfTransaction(given: unknown): given is object {
  return [IDBTransaction, IDBObjectStore, IDBIndex, IDBCursor].some((kind) => given instanceof kind);
}

type Undoable = { abort(): void; done: Promise<void> };

/** What was given up must not be written after all: half of an admission would refuse its holder and tell nobody. */
function undoWith(transaction: Undoable, limit: AbortSignal): void {
  // Whoever waits for its end is told. Without one, nobody has to hear of it.
  transaction.done.catch(() => {});
  const undo = (): void => {
    try {
      transaction.abort();
    } catch {
      // It has ended.
    }
  };
  limit.addEventListener('abort', undo, { once: true });
}

function inTime<T>(promise: Promise<T>, limit: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new DOMException('The database does not answer', 'TimeoutError'));
    if (limit.aborted) giveUp();
    limit.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => limit.removeEventListener('abort', giveUp));
  });
}
