import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import type { FirstScan, ListedTicket, Opening } from './contract';
import type { Outcome } from './generated/contract';
import type { Verdict } from './verdict';

/** A door link that was opened on this phone. */
export interface KeptLink {
  token: string;
  pass: string | null;
  opening: Opening;
  /** What the person chose, which the server does not know. */
  station: string;
  /** The server no longer takes this link. Its waiting scans go with another link of the same event. */
  refused: boolean;
  /** When somebody last went to work with it on this phone. */
  opened_at: number;
}

/** A ticket that a link may admit, known by the hash of its code only. */
export interface KeptTicket extends ListedTicket {
  link: string;
  first_scan: FirstScan | null;
}

/** How far the list of a link has come. */
export interface ListMark {
  link: string;
  salt: string;
  /** Made up when the list is begun: a list that was forgotten and begun anew is another one. */
  list: string;
  updated_after: string | null;
  /** As of when the list is complete, by this phone's clock. Null until the first walk through it has been finished. */
  completed_at: number | null;
  /** How many codes are kept. */
  codes: number;
  /** What the door is to know about all tickets of a type, by its id; a list that was begun before there were notes has none. */
  type_notes?: Record<string, string>;
  /** A walk that was begun and not finished. */
  walk: ListWalk | null;
  /** The hashes of those who are outside and may come in again, as far as this phone knows. */
  outside?: string[];
}

/** How far a walk through a list has come: everything that changed between `newest` and `cursor` is on the phone. */
export interface ListWalk {
  begun_at: number;
  /** The last change that the walk has seen. */
  newest: string | null;
  /** Where it goes on, in the server's words. */
  cursor: string;
}

/** Somebody whom the server let in through this phone, before the list says so. */
export interface OwnAdmission {
  link: string;
  /** The hash, as in the list. */
  code: string;
  first_scan: FirstScan;
  /** When the server let them in: a list that says otherwise and is newer tells that the entry was taken back. */
  accepted_at?: string;
}

/** What a phone has decided: a first entry, that somebody goes out or comes back, or neither. */
export type Decided = 'admitted' | 'passed' | 'turned_away';

/** A scan that the phone decided by itself and that the server has not heard of yet. */
export interface WaitingScan {
  number?: number;
  scan_id: string;
  token: string;
  event_id: string;
  /** All events of its link, where there are several. */
  event_ids?: string[];
  event_name: string;
  timezone: string;
  code: string;
  /** The code in capitals, by which it is found however it was typed. */
  key: string;
  station: string;
  scanned_at: string;
  decided: Decided;
  ticket_type: string;
  /** Tokens of links that stood in for its own and said that they do not admit such tickets, once for each time. */
  not_covered_by: string[];
  /** How often somebody between this phone and the server answered this very scan in the server's place. */
  blocked: number;
}

/** A decision of the phone that the server did not confirm. It stays until a person has seen it. */
export interface Conflict {
  scan_id: string;
  timezone: string;
  code_ending: string;
  station: string;
  scanned_at: string;
  decided: Decided;
  ticket_type: string;
  name: string;
  outcome: Outcome | null;
  error: string | null;
  /** The stable name of that error; conflicts from before it was kept have none. */
  error_code?: string;
  first_scan: FirstScan | null;
}

/** A scan of this phone, to be looked at later. The name is not kept on the phone. */
export interface PastScan {
  scanned_at: string;
  timezone: string;
  station: string;
  code_ending: string;
  outcome: Verdict['outcome'];
  offline: boolean;
  name: string;
  ticket_type: string;
  /** The scan, by which its entry can be taken back; scans from before that have none. */
  scan_id?: string;
  /** Its entry was taken back. */
  undone?: boolean;
}

interface DoorSchema extends DBSchema {
  current: { key: 'token'; value: string };
  links: { key: string; value: KeptLink };
  tickets: { key: [link: string, code: string]; value: KeptTicket };
  marks: { key: string; value: ListMark };
  admissions: { key: [link: string, code: string]; value: OwnAdmission };
  queue: {
    key: number;
    value: WaitingScan;
    indexes: {
      key: string;
      turn: [token: string, blocked: number];
      decision: [token: string, decided: string, station: string];
    };
  };
  conflicts: { key: string; value: Conflict };
  history: { key: number; value: PastScan };
}

export type DoorDatabase = IDBPDatabase<DoorSchema>;

type Upgrade = IDBPTransaction<DoorSchema, StoreNames<DoorSchema>[], 'versionchange'>;

/** `onBlocked` hears that another tab has an older version open and does not let go of it. */
export function openDatabase(onBlocked: () => void = () => {}): Promise<DoorDatabase> {
  return openDB<DoorSchema>('taquilla-door', 2, {
    async upgrade(database, before, _after, transaction) {
      if (before < 1) makeStores(database);
      if (before < 2) {
        database.createObjectStore('history', { autoIncrement: true });
        await countAndTakeTurns(transaction);
      }
    },
    blocked: onBlocked,
    blocking(_current, _wanted, event) {
      // A later version of the page waits in another tab, and must not wait until somebody closes this one.
      if (event.target instanceof IDBDatabase) event.target.close();
      location.reload();
    },
    terminated() {
      // Some phones take the database away from a sleeping page, and only a new page gets it back.
      location.reload();
    },
  });
}

function makeStores(database: DoorDatabase): void {
  database.createObjectStore('current');
  database.createObjectStore('links', { keyPath: 'token' });
  database.createObjectStore('tickets', { keyPath: ['link', 'code'] });
  database.createObjectStore('marks', { keyPath: 'link' });
  database.createObjectStore('admissions', { keyPath: ['link', 'code'] });
  const queue = database.createObjectStore('queue', { keyPath: 'number', autoIncrement: true });
  queue.createIndex('key', 'key');
  database.createObjectStore('conflicts', { keyPath: 'scan_id' });
}

/** Version 2: nothing has to be read whole to be counted, and every scan has its turn. What the phone has stays. */
async function countAndTakeTurns(transaction: Upgrade): Promise<void> {
  const queue = transaction.objectStore('queue');
  queue.createIndex('turn', ['token', 'blocked']);
  queue.createIndex('decision', ['token', 'decided', 'station']);
  for await (const scan of queue) await scan.update({ ...scan.value, blocked: 0 });
  for await (const link of transaction.objectStore('links')) await link.update({ ...link.value, opened_at: 0 });
  for await (const mark of transaction.objectStore('marks')) {
    const codes = await transaction.objectStore('tickets').count(ticketsOf(mark.value.link));
    await mark.update({ ...mark.value, codes, walk: null });
  }
}

/** Whether the page has lost its database, or is too old for it: then only loading it anew helps. */
export function needsReload(error: unknown): boolean {
  return error instanceof DOMException && ['InvalidStateError', 'VersionError'].includes(error.name);
}

/** The scans that were made with one link, in the turn in which they are sent: the blocked ones last. */
export function turnsOf(token: string, fromBlocked = 0): IDBKeyRange {
  return IDBKeyRange.bound([token, fromBlocked], [token, []]);
}

/** Every ticket of one link's list, or every admission through it. */
export function ticketsOf(link: string): IDBKeyRange {
  // An array sorts after every string, so this ends behind the last code of the link.
  return IDBKeyRange.bound([link], [link, []]);
}

/** A mark that knows that somebody went out, or came back. */
export function movedOn(mark: ListMark, hash: string, isOutside: boolean): ListMark {
  const others = (mark.outside ?? []).filter((code) => code !== hash);
  return { ...mark, outside: isOutside ? [hash, ...others] : others };
}
