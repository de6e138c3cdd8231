import type { Counts } from '../contract';
import { part } from '../page-parts';
import { readinessWords, type ReadinessState } from '../readiness';

/** Says everywhere on the page whether this phone is ready to decide without a signal, and returns what it says. */
export function showReadiness(state: ReadinessState, counts: Counts, timezone: string): string {
  const { sign, long, short } = readinessWords(state, counts, timezone);
  for (const id of ['network', 'start-list', 'list-now']) part(id).dataset.list = sign;
  part('start-list').textContent = long;
  part('list-now').textContent = long;
  part('list-state').textContent = short;
  return long;
}
