import type { Counts } from './contract';
import { numberWords, texts } from './texts/texts';
import type { ListState } from './ticket-list';
import { clockTime } from './time-words';

/** What it takes to work without a signal. */
export interface ReadinessState {
  list: ListState;
  /** This browser keeps what the page writes down. */
  storageWorks: boolean;
  /** The page and its decoder are on this phone, so it opens without a signal. */
  isPageKept: boolean;
}

interface ReadinessWords {
  sign: 'ready' | 'loading' | 'none';
  long: string;
  short: string;
}

/** How well this phone is prepared for a place without a signal. It is ready only with all that it takes. */
export function readinessWords({ list, storageWorks, isPageKept }: ReadinessState, counts: Counts, timezone: string): ReadinessWords {
  const words = texts().list;
  const { completedAt, codes, loading } = list;
  if (!storageWorks) return { sign: 'none', long: words.onlineOnly, short: words.shortOnlineOnly };
  if (completedAt !== null) {
    const [many, time] = [numberWords(codes), clockTime(completedAt, timezone)];
    if (!isPageKept) return { sign: 'loading', long: words.pageMissing(many, time), short: words.shortPageMissing };
    return { sign: 'ready', long: words.ready(many, time), short: words.short(many, time) };
  }
  if (!loading && codes === 0) return { sign: 'none', long: words.none, short: words.shortNone };
  // Cancelled tickets and the like are on the list and not in the counts, so there may be more codes than this.
  const all = Math.max(codes, counts.entered + counts.to_come);
  const share = `${Math.floor((100 * codes) / Math.max(1, all))} %`;
  const long = loading ? words.loading : words.part;
  return { sign: loading ? 'loading' : 'none', long: long(numberWords(codes), numberWords(all)), short: words.shortPart(share) };
}
