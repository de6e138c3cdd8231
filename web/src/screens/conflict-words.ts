import type { Conflict } from '../database';
import { texts } from '../texts/texts';
import { firstScanWords, scanErrorWords, type VerdictWords } from '../verdict-words';

/** What the server says about a scan that the phone decided otherwise. */
export function conflictWords({ outcome, error, error_code, first_scan, timezone }: Conflict): VerdictWords {
  const { conflictSheet: words } = texts();
  if (error !== null) return { headline: words.error, explanation: scanErrorWords(error_code ?? '', error) };
  const explanation = first_scan === null ? '' : firstScanWords(first_scan, timezone);
  switch (outcome) {
    case 'admitted':
      return { headline: words.admitted, explanation: words.admittedAdvice };
    case 'already_scanned':
      return { headline: words.alreadyScanned, explanation };
    case 'transferred':
      return { headline: words.transferred, explanation };
    case 'cancelled':
      return { headline: words.cancelled, explanation };
    case 'refunded':
      return { headline: words.refunded, explanation };
    case 'wrong_event':
      return { headline: words.wrongEvent, explanation };
    case 'not_here':
      return { headline: words.notHere, explanation };
    case 'unknown':
      return { headline: words.unknown, explanation };
    case 'turned_away':
      return { headline: words.wasTurnedAway, explanation };
    case 'entry_undone':
      return { headline: words.entryUndone, explanation: words.entryUndoneAdvice };
    case 'reentered':
    case 'went_out':
      return { headline: words.passed, explanation };
    case 'not_inside':
      return { headline: words.notInside, explanation };
    case 'no_reentry':
      return { headline: words.noReentry, explanation };
    default:
      return { headline: words.other(String(outcome)), explanation };
  }
}
