import { inCapitals } from './spelling';
import type { Verdict } from './verdict';

// Later than this, the time of the first scan says enough.
const RECENT_MS = 60_000;

/** Remembers whom this phone has just let in, by a clock that nobody sets: the phone's and the server's may differ. */
export class RecentEntries {
  readonly #letInAt = new Map<string, number>();

  /** The verdict with what this phone knows besides: a moment ago it let somebody in with this very code. */
  tell(code: string, verdict: Verdict, now = performance.now()): Verdict {
    for (const [entered, at] of this.#letInAt) {
      if (now - at >= RECENT_MS) this.#letInAt.delete(entered);
    }
    const key = inCapitals(code);
    if (verdict.outcome === 'admitted' || verdict.outcome === 'reentered') this.#letInAt.set(key, now);
    const letInAt = this.#letInAt.get(key);
    if (verdict.outcome !== 'already_scanned' || letInAt === undefined) return verdict;
    return { ...verdict, letInHereSecondsAgo: Math.max(1, Math.round((now - letInAt) / 1000)) };
  }
}
