import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { FirstScan, ListedTicket, Opening, Outcome } from './contract';

/** A door link that was opened on this phone. */
export interface KeptLink {
  token: string;
  pass: string | null;
  opening: Opening;
  /** What the person chose, which the server does not know. */
  station: string;
  /** The server no longer takes this link. Its waiting scans go with another link of the same event. */
  refused: boolean;
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
  updated_after: string | null;
  completed_at: number;
}

/** A scan that the phone decided by itself and that the server has not heard of yet. */
export interface WaitingScan {
  number?: number;
  scan_id: string;
  token: string;
  event_id: string;
  timezone: string;
  code: string;
  /** The code in capitals, by which it is found however it was typed. */
  key: string;
  station: string;
  scanned_at: string;
  decided: 'admitted' | 'turned_away';
  ticket_type: string;
}

/** A decision of the phone that the server did not confirm. It stays until a person has seen it. */
export interface Conflict {
  scan_id: string;
  timezone: string;
  code_ending: string;
  station: string;
  scanned_at: string;
  decided: 'admitted' | 'turned_away';
  ticket_type: string;
  name: string;
  outcome: Outcome | null;
  error: string | null;
  first_scan: FirstScan | null;
}

interface DoorSchema extends DBSchema {
  current: { key: 'token'; value: string };
  links: { key: string; value: KeptLink };
  tickets: { key: [link: string, code: string]; value: KeptTicket };
  marks: { key: string; value: ListMark };
  queue: { key: number; value: WaitingScan; indexes: { key: string } };
  conflicts: { key: string; value: Conflict };
}

export type DoorDatabase = IDBPDatabase<DoorSchema>;

export function openDatabase(): Promise<DoorDatabase> {
  return openDB<DoorSchema>('taquilla-door', 1, {
    upgrade(database) {
      database.createObjectStore('current');
      database.createObjectStore('links', { keyPath: 'token' });
      database.createObjectStore('tickets', { keyPath: ['link', 'code'] });
      database.createObjectStore('marks', { keyPath: 'link' });
      const queue = database.createObjectStore('queue', { keyPath: 'number', autoIncrement: true });
      queue.createIndex('key', 'key');
      database.createObjectStore('conflicts', { keyPath: 'scan_id' });
    },
    terminated() {
      // Some phones take the database away from a sleeping page, and only a new page gets it back.
      location.reload();
    },
  });
}

/** Every ticket of one link's list. */
export function ticketsOf(link: string): IDBKeyRange {
  // An array sorts after every string, so this ends behind the last code of the link.
  return IDBKeyRange.bound([link], [link, []]);
}
