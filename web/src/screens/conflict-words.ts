import type { Conflict } from '../database';
import { firstScanWords, type VerdictWords } from '../verdict-words';

/** What the server says about a scan that the phone decided otherwise. */
export function conflictWords({ outcome, error, first_scan, timezone }: Conflict): VerdictWords {
  if (error !== null) return { headline: 'The server could not take this scan', explanation: error };
  const explanation = first_scan === null ? '' : firstScanWords(first_scan, timezone);
  switch (outcome) {
    case 'admitted':
      return {
        headline: 'Turned away here, though the server let them in',
        explanation: 'If they come back, let them in.',
      };
    case 'already_scanned':
      return { headline: 'Had already been scanned', explanation };
    case 'transferred':
      return { headline: 'Had been passed on to somebody else', explanation };
    case 'cancelled':
      return { headline: 'Had been cancelled', explanation };
    case 'refunded':
      return { headline: 'Had been refunded', explanation };
    case 'wrong_event':
      return { headline: 'Is for another event', explanation };
    case 'not_here':
      return { headline: 'Is not for this station', explanation };
    case 'unknown':
      return { headline: 'The server does not know this code', explanation };
    case 'turned_away':
      return { headline: 'Had been turned away', explanation };
    default:
      return { headline: `The server says “${outcome}”`, explanation };
  }
}
