import type { Counts } from '../contract';
import { part } from '../page-parts';
import { numberWords, texts } from '../texts/texts';
import type { ListState } from '../ticket-list';
import { clockTime } from '../time-words';

/** Says everywhere on the page whether this phone is ready to decide without a signal, and returns what it says. */
export function showListState(list: ListState, counts: Counts, timezone: string): string {
  const state = list.completedAt !== null ? 'ready' : list.loading ? 'loading' : 'none';
  for (const id of ['network', 'start-list', 'list-now']) part(id).dataset.list = state;
  const { long, short } = wordsFor(list, counts, timezone);
  part('start-list').textContent = long;
  part('list-now').textContent = long;
  part('list-state').textContent = short;
  return long;
}

function wordsFor({ completedAt, codes, loading }: ListState, counts: Counts, timezone: string): Record<'long' | 'short', string> {
  const { list } = texts();
  if (completedAt !== null) {
    const [many, time] = [numberWords(codes), clockTime(completedAt, timezone)];
    return { long: list.ready(many, time), short: list.short(many, time) };
  }
  if (!loading && codes === 0) return { long: list.none, short: list.shortNone };
  // Cancelled tickets and the like are on the list and not in the counts, so there may be more codes than this.
  const all = Math.max(codes, counts.entered + counts.to_come);
  const share = `${Math.floor((100 * codes) / Math.max(1, all))} %`;
  const long = loading ? list.loading : list.part;
  return { long: long(numberWords(codes), numberWords(all)), short: list.shortPart(share) };
}
