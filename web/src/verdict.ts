import type { FirstScan, Group, ScanAnswer } from './contract';
import type { Outcome } from './generated/contract';

/** What only a phone says, besides the server's outcomes. */
export const OWN_OUTCOMES = ['not_on_list', 'no_list', 'link_ended', 'too_long', 'failed', 'not_now'] as const;

/** What the person at the door is told about one code. */
export interface Verdict {
  outcome: Outcome | (typeof OWN_OUTCOMES)[number];
  /** Decided by the phone, without the server. */
  offline: boolean;
  name: string;
  ticketType: string;
  eventName: string;
  firstScan: FirstScan | null;
  /** How long ago this phone let somebody in with the same code, if that was within the last minute. */
  letInHereSecondsAgo: number | null;
  /** What staff want the door to know about the ticket. */
  notes: string[];
  /** How many of the tickets in its order have entered. */
  group: Group | null;
  /** When this phone's list was last complete, for a code that is not on it. */
  listedAt: number | null;
  /** When the link ended, for a scan that came later. */
  endedAt: string | null;
  /** What to do next, where nothing was decided. */
  advice: string;
  /** The scan that was decided. */
  scanId: string;
  /** Whether the hand scanner that read it is set to another keyboard layout than this device, or may be. */
  layout: 'wrong' | 'doubtful' | null;
}

/** Whether somebody passes the door, in or out. */
export function letsPass(outcome: Verdict['outcome']): boolean {
  return outcome === 'admitted' || outcome === 'reentered' || outcome === 'went_out';
}

const NOTHING_KNOWN = {
  offline: false,
  name: '',
  ticketType: '',
  eventName: '',
  firstScan: null,
  letInHereSecondsAgo: null,
  notes: [],
  group: null,
  listedAt: null,
  endedAt: null,
  advice: '',
  scanId: '',
  layout: null,
};

export function verdictOf(known: Pick<Verdict, 'outcome'> & Partial<Verdict>): Verdict {
  return { ...NOTHING_KNOWN, ...known };
}

export function verdictFromAnswer(answer: ScanAnswer): Verdict {
  return verdictOf({
    outcome: answer.outcome,
    name: answer.ticket?.name ?? '',
    ticketType: answer.ticket?.ticket_type?.name ?? '',
    eventName: answer.ticket?.event?.name ?? '',
    firstScan: answer.first_scan ?? null,
    notes: notesOf(answer.ticket?.door_note, answer.ticket?.ticket_type_note),
    group: answer.ticket?.group ?? null,
  });
}

/** The ticket's own note before that of its type: it is about the person. */
export function notesOf(own: string | null | undefined, ofType: string | null | undefined): string[] {
  return [own, ofType].filter((note) => note != null && note !== '') as string[];
}
