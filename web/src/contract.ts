// What the server says and hears, as it stands in the HTTP contract of /door/v1.

import type { ListedOutcome, Outcome } from './generated/contract';

export interface Counts {
  entered: number;
  to_come: number;
  /** At the station that was asked for. */
  entered_here?: number | null;
  /** Where somebody set a limit; a server from before there were limits says nothing. */
  inside?: Inside[];
}

/** How many people are inside a zone, or the event as a whole, and how many should be at most. */
export interface Inside {
  zone: string | null;
  people: number;
  limit: number;
}

export interface DoorLink {
  id: string;
  label: string;
  stations: string[];
  /** What it may do besides scanning; a server from before there were options says nothing. */
  options?: string[];
  has_pin?: boolean;
  expires_at: string | null;
}

export interface DoorEvent {
  id: string;
  name: string;
  venue: string | null;
  timezone: string;
  starts_at: string | null;
  ends_at: string | null;
}

export interface Opening {
  link: DoorLink;
  event: DoorEvent;
  /** The other events of the link; a server from before it could have several says nothing. */
  more_events?: DoorEvent[];
  pass: string | null;
  salt: string;
  counts: Counts;
}

export interface FirstScan {
  scanned_at: string;
  station: string | null;
}

/** How many tickets of an order have entered, and how many there are. */
export interface Group {
  entered: number;
  of: number;
}

export interface Ticket {
  name: string;
  ticket_type: { id: string; name: string; category: string };
  event: { id: string; name: string };
  /** Null for a ticket that is alone in its order; a server from before groups were told says nothing. */
  group?: Group | null;
  /** What staff want the door to know about this ticket, and about all of its type; a server from before notes says nothing. */
  door_note?: string | null;
  ticket_type_note?: string | null;
}

export interface ScanAnswer {
  outcome: Outcome;
  ticket: Ticket | null;
  first_scan: FirstScan | null;
  /** When the server decided it; a server from before this was told says nothing. */
  accepted_at?: string;
}

/** An entry to be taken back. */
export interface Undo {
  scan_id: string;
  undo_id: string;
  station?: string;
}

/** Somebody who was found by name. */
export interface Guest {
  /** What names the ticket, for this link alone. */
  handle: string;
  name: string;
  ticket_type: string;
  /** A server from before a link could have several events does not tell it. */
  event_id?: string;
  order_number: string | null;
  state: string;
}

export interface Guests {
  data: Guest[];
  has_more: boolean;
}

/** A guest to be let in without a code. */
export interface Enter {
  handle: string;
  scan_id: string;
  station?: string;
}

export interface Scan {
  code: string;
  scan_id: string;
  station?: string;
  scanned_at?: string;
  turned_away?: true;
}

export type BatchResult =
  | ({ scan_id: string } & ScanAnswer)
  | { scan_id: string; error: { code: string; detail: string } };

export interface ListedTicket {
  /** A salted hash: the code itself never comes in a list. */
  code: string;
  outcome: ListedOutcome;
  ticket_type: string;
  /** A server from before notes does not tell it. */
  ticket_type_id?: string;
  door_note?: string;
  /** Told where the link has several. */
  event_id?: string;
  updated_at: string;
}

/** What the door is to know about all tickets of one type. */
export interface TicketTypeNote {
  ticket_type_id: string;
  note: string;
}

export interface ListPage {
  data: ListedTicket[];
  /** The last change of any ticket on the page, also of one that the link does not admit. */
  newest?: string | null;
  /** Those of the whole list who are outside and may come in again; on the last page alone. */
  outside?: string[];
  ticket_type_notes?: TicketTypeNote[];
  has_more: boolean;
  next_cursor: string | null;
}
