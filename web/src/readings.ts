import type { HandScan } from './key-burst';
import { looksGarbled } from './us-keyboard';
import type { Verdict } from './verdict';

/** What deciding between two readings needs of a door. */
export interface Decider {
  decide(code: string): Promise<Verdict>;
  /** Whether the code is on this phone's list. */
  isListed(code: string): Promise<boolean>;
}

export interface Decided {
  /** The reading that the verdict is about. */
  code: string;
  verdict: Verdict;
}

/** What is said about a code of which nobody knows a ticket. */
const NO_TICKET: readonly Verdict['outcome'][] = ['unknown', 'not_on_list'];
/** What is said where no ticket was looked up. */
const NOTHING_DECIDED: readonly Verdict['outcome'][] = ['no_list', 'link_ended', 'too_long', 'failed'];

/**
 * Decides a code from a hand scanner that may be set to another keyboard layout than this device: as it was typed here,
 * or as it would have been typed on a US keyboard.
 *
 * Nobody enters by a guess: each reading is decided like any code, by the server or by the list. The scan log should not
 * fill with codes that nobody has shown, so the list says which reading to decide first. The other one is tried only
 * where the server has said that it does not know the first: without a signal the list has been asked already.
 */
export async function decideReadings(door: Decider, { code, onUs }: HandScan): Promise<Decided> {
  if (onUs === null) return { code, verdict: await door.decide(code) };
  const isGarbledForSure = (await door.isListed(onUs)) && !(await door.isListed(code));
  const [first, second] = isGarbledForSure ? [onUs, code] : [code, onUs];
  const told = (reading: string, verdict: Verdict): Decided => {
    return { code: reading, verdict: { ...verdict, layout: reading === onUs ? 'wrong' : null } };
  };
  const verdict = await door.decide(first);
  if (!NO_TICKET.includes(verdict.outcome)) return told(first, verdict);
  if (verdict.outcome === 'unknown') {
    const other = await door.decide(second);
    if (![...NO_TICKET, ...NOTHING_DECIDED].includes(other.outcome)) return told(second, other);
  }
  return { code: first, verdict: { ...verdict, layout: looksGarbled(code, onUs) ? 'doubtful' : null } };
}
