import { RecentEntries } from './recent-entries';
import type { Verdict } from './verdict';

/** Where answers are shown, one at a time. */
export interface AnswerScreen {
  /** Whether the next answer may be shown now: the last one was seen, or closed. */
  readonly hasRoom: boolean;
  /** Comes when there is room. */
  room(): Promise<void>;
  show(code: string, verdict: Verdict): void;
}

/** Decides a code; `onUs` is another reading of what a hand scanner typed. Null where nothing can be decided any more. */
export type Decide = (code: string, onUs: string | null) => Promise<Verdict | null>;

/** Makes codes into answers: in the order in which they came, so that nobody gets somebody else's. */
export class Answering {
  readonly #screen: AnswerScreen;
  readonly #decide: Decide;
  readonly #recent = new RecentEntries();
  #inHand = 0;
  #stops = 0;
  #isFinishing = false;
  #last: Promise<void> = Promise.resolve();

  constructor(screen: AnswerScreen, decide: Decide) {
    this.#screen = screen;
    this.#decide = decide;
  }

  /** Whether a code waits for its answer. */
  get isBusy(): boolean {
    return this.#inHand > 0;
  }

  /** Whether a code that is taken now need not wait. */
  get isFree(): boolean {
    return !this.isBusy && !this.#isFinishing && this.#screen.hasRoom;
  }

  begin(): void {
    this.#isFinishing = false;
  }

  take(code: string, onUs: string | null = null): void {
    this.takeFor(code, () => this.#decide(code, onUs));
  }

  /** The same for what is decided in another way than by a code; `key` tells it from others. */
  takeFor(key: string, decide: () => Promise<Verdict | null>): void {
    if (this.#isFinishing) return;
    const takenIn = this.#stops;
    this.#inHand += 1;
    this.#last = this.#last
      .then(() => this.#answer(key, decide, () => takenIn === this.#stops))
      // One answer that cannot be shown must not be the last one.
      .catch(console.error)
      .finally(() => (this.#inHand -= 1));
  }

  /** Takes no more codes, and waits until those in hand are answered and their answers have been seen. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    await this.#last;
    await this.#screen.room();
  }

  /** What waits is dropped without being decided, and what is being decided is no longer shown. */
  stop(): void {
    this.#stops += 1;
  }

  async #answer(key: string, decide: () => Promise<Verdict | null>, isWanted: () => boolean): Promise<void> {
    // Before it is decided: a ticket must not be used up while its answer cannot be seen.
    await this.#screen.room();
    if (!isWanted()) return;
    const verdict = await decide();
    if (verdict !== null && isWanted()) this.#screen.show(key, this.#recent.tell(key, verdict));
  }
}
