import type { FirstScan } from './contract';
import { clockTime } from './time-words';
import type { Verdict } from './verdict';

export interface VerdictWords {
  /** Read from an arm's length, in bad light. */
  headline: string;
  /** What it means and what to do next. */
  explanation: string;
}

export function verdictWords(verdict: Verdict, timezone: string): VerdictWords {
  switch (verdict.outcome) {
    case 'admitted':
      return { headline: 'Come in', explanation: '' };
    case 'already_scanned':
      return { headline: 'Already scanned', explanation: firstScanWords(verdict.firstScan, timezone) };
    case 'transferred':
      return { headline: 'Passed on', explanation: 'Passed on to somebody else. Ask for the new ticket.' };
    case 'cancelled':
      return { headline: 'Cancelled', explanation: 'This ticket was cancelled. The organiser can say why.' };
    case 'refunded':
      return { headline: 'Refunded', explanation: 'The money for this ticket was paid back, so it no longer counts.' };
    case 'unknown':
      return { headline: 'Not a ticket', explanation: 'Nobody knows this code. Ask to see the ticket itself.' };
    case 'wrong_event':
      return {
        headline: 'Another event',
        explanation: `This ticket is for ${verdict.eventName || 'something else'}.`,
      };
    case 'not_here':
      return { headline: 'Not for this station', explanation: 'The ticket is fine, but it is scanned somewhere else.' };
    case 'turned_away':
      return { headline: 'Turned away', explanation: 'This person was turned away before.' };
    case 'not_on_list':
      return {
        headline: 'Not on the list',
        explanation:
          `Not on this phone’s list (updated ${clockTime(verdict.listedAt ?? Date.now(), timezone)}). ` +
          'A ticket sold since then will be known when the signal is back.',
      };
    case 'no_list':
      return {
        headline: 'No list yet',
        explanation: 'This phone has no list of tickets yet, so it cannot decide alone. Find a signal first.',
      };
    case 'link_ended':
      return {
        headline: 'Link ended',
        explanation: `This link ended at ${clockTime(verdict.endedAt ?? Date.now(), timezone)}. Ask for a new one.`,
      };
    case 'too_long':
      return { headline: 'Not a ticket', explanation: 'That is no ticket code: it is too long.' };
    case 'failed':
      return { headline: 'Try again', explanation: verdict.advice };
    default:
      // A newer server may have an outcome that this page has not heard of.
      return {
        headline: 'Do not let them in yet',
        explanation: `The server says “${verdict.outcome}”, which this page does not know. Ask your supervisor.`,
      };
  }
}

export function firstScanWords(firstScan: FirstScan | null, timezone: string): string {
  if (firstScan === null) return 'Somebody has already come in with this ticket.';
  const time = clockTime(firstScan.scanned_at, timezone);
  const station = firstScan.station === null || firstScan.station === '' ? '' : ` · ${firstScan.station}`;
  return `First scanned ${time}${station}`;
}
