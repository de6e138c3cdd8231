import type { FirstScan, Group, Inside } from './contract';
import { INSIDE_NEAR_PERCENT } from './generated/contract';
import { numberWords, texts } from './texts/texts';
import { clockTime } from './time-words';
import type { Verdict } from './verdict';

export interface VerdictWords {
  headline: string;
  explanation: string;
}

export function verdictWords(verdict: Verdict, timezone: string): VerdictWords {
  const { verdict: words } = texts();
  const said = (headline: string, explanation: string): VerdictWords => ({ headline, explanation });
  switch (verdict.outcome) {
    case 'admitted':
      return said(words.admitted, '');
    case 'already_scanned':
      return said(words.alreadyScanned, alreadyScannedWords(verdict, timezone));
    case 'transferred':
      return said(words.transferred, words.transferredAdvice);
    case 'cancelled':
      return said(words.cancelled, words.cancelledAdvice);
    case 'refunded':
      return said(words.refunded, words.refundedAdvice);
    case 'unknown':
      return said(words.unknown, words.unknownAdvice);
    case 'wrong_event':
      return said(words.wrongEvent, words.wrongEventAdvice(verdict.eventName));
    case 'not_here':
      return said(words.notHere, words.notHereAdvice);
    case 'turned_away':
      return said(words.turnedAway, words.turnedAwayAdvice);
    case 'entry_undone':
      return said(words.entryUndone, words.entryUndoneAdvice);
    case 'reentered':
      return said(words.reentered, `${words.reenteredAdvice} ${firstScanWords(verdict.firstScan, timezone)}`);
    case 'went_out':
      return said(words.wentOut, words.wentOutAdvice);
    case 'not_inside':
      return said(words.notInside, words.notInsideAdvice);
    case 'no_reentry':
      return said(words.noReentry, words.noReentryAdvice);
    case 'not_on_list':
      return said(words.notOnList, words.notOnListAdvice(clockTime(verdict.listedAt ?? Date.now(), timezone)));
    case 'no_list':
      return said(words.noList, words.noListAdvice);
    case 'link_ended':
      return said(words.linkEnded, words.linkEndedAdvice(clockTime(verdict.endedAt ?? Date.now(), timezone)));
    case 'too_long':
      return said(words.tooLong, words.tooLongAdvice);
    case 'not_now':
      return said(words.notNow, words.notNowAdvice);
    case 'failed':
      return said(words.failed, verdict.advice);
    default:
      // A newer server may have an outcome that this page has not heard of.
      return said(words.other, words.otherAdvice(verdict.outcome));
  }
}

/** For guests who scan by themselves: what was decided, and nothing of when and where somebody entered. */
export function kioskWords(verdict: Verdict): VerdictWords {
  const { headline } = verdictWords(verdict, 'UTC');
  const { kiosk, verdict: words } = texts();
  switch (verdict.outcome) {
    case 'admitted':
      return { headline: kiosk.welcome, explanation: '' };
    case 'wrong_event':
      return { headline, explanation: `${words.wrongEventAdvice(verdict.eventName)} ${kiosk.askStaff}` };
    default:
      return { headline, explanation: kiosk.askStaff };
  }
}

/** Seconds tell a ticket that was passed back from one that was shown a little too long. */
function alreadyScannedWords({ firstScan, letInHereSecondsAgo: seconds }: Verdict, timezone: string): string {
  const first = firstScanWords(firstScan, timezone);
  return seconds === null ? first : `${texts().verdict.letInHere(numberWords(seconds), seconds === 1)} ${first}`;
}

export function firstScanWords(firstScan: FirstScan | null, timezone: string): string {
  const { verdict: words } = texts();
  if (firstScan === null) return words.alreadyScannedBefore;
  return words.firstScan(clockTime(firstScan.scanned_at, timezone), firstScan.station ?? '');
}

/** "2 of 4 of this order"; empty for somebody who comes alone. */
export function groupWords(group: Group | null): string {
  return group === null ? '' : texts().verdict.group(numberWords(group.entered), numberWords(group.of));
}

/** Where it is nearly full or over the limit; empty where it is neither. Nobody is refused by it. */
export function insideWords(inside: Inside[]): string {
  const { scanning: words } = texts();
  const near = inside.filter(({ people, limit }) => people * 100 >= limit * INSIDE_NEAR_PERCENT);
  return near
    .map(({ zone, people, limit }) => {
      const say = people > limit ? words.over : words.nearlyFull;
      return say(zone ?? words.wholeEvent, numberWords(people), numberWords(limit));
    })
    .join(' ');
}

/** What is wrong with the hand scanner; empty where nothing is known of it. */
export function layoutWords(layout: Verdict['layout']): string {
  const { wrongLayout, doubtfulLayout } = texts().verdict;
  return layout === null ? '' : { wrong: wrongLayout, doubtful: doubtfulLayout }[layout];
}

/** Why the server did not decide a scan; in its own words where this page has none for it. */
export function scanErrorWords(code: string, detail: string): string {
  const words: Partial<Record<string, string>> = texts().scanErrors;
  return words[code] ?? detail;
}
