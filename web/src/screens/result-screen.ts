import { announce } from '../feedback';
import { part, write } from '../page-parts';
import type { Verdict } from '../verdict';
import { groupWords, verdictWords } from '../verdict-words';

const GREEN_STAYS_MS = 2_000;
const RED_STAYS_MS = 6_000;

/** The full-screen answer, green or red. */
export class ResultScreen {
  readonly #screen = part('result');
  readonly #onTapped: (code: string) => void;
  #code: string | null = null;
  #timer: number | undefined;
  #answers = 0;
  #focusedBefore: HTMLElement | null = null;

  /** `onTapped` hears when the person closes an answer, as opposed to when its time is over. */
  constructor(onTapped: (code: string) => void) {
    this.#onTapped = onTapped;
    // The whole screen closes it, so that nobody has to aim.
    this.#screen.addEventListener('click', () => this.tapAway());
  }

  /** The code that the answer on the screen is about. */
  get code(): string | null {
    return this.#code;
  }

  show(code: string, verdict: Verdict, timezone: string): void {
    const admitted = verdict.outcome === 'admitted';
    const { headline, explanation } = verdictWords(verdict, timezone);
    this.#code = code;
    this.#answers += 1;
    this.#screen.dataset.answer = String(this.#answers);
    this.#screen.dataset.outcome = verdict.outcome;
    this.#screen.dataset.offline = String(verdict.offline);
    this.#screen.dataset.admitted = String(admitted);
    part('result-offline').hidden = !verdict.offline;
    write('result-headline', headline);
    write('result-name', verdict.name);
    write('result-type', verdict.ticketType);
    write('result-group', groupWords(verdict.group));
    write('result-explanation', explanation);
    this.#cover();
    announce(admitted);
    this.#closeAfter(admitted ? GREEN_STAYS_MS : RED_STAYS_MS);
  }

  tapAway(): void {
    const code = this.#code;
    this.close();
    if (code !== null) this.#onTapped(code);
  }

  close(): void {
    if (this.#screen.hidden) return;
    window.clearTimeout(this.#timer);
    this.#screen.hidden = true;
    this.#code = null;
    for (const covered of this.#covered()) covered.inert = false;
    // Whoever has a keyboard goes on where codes are typed. On a phone that would open one, over half of the picture.
    if (!matchMedia('(pointer: coarse)').matches) part('code').focus();
    else if (!(this.#focusedBefore instanceof HTMLInputElement)) this.#focusedBefore?.focus();
  }

  /** Nothing under the answer can be reached meanwhile, by keyboard or by screen reader. */
  #cover(): void {
    if (!this.#screen.hidden) return;
    const focused = document.activeElement;
    this.#focusedBefore = focused instanceof HTMLElement ? focused : null;
    this.#screen.hidden = false;
    for (const covered of this.#covered()) covered.inert = true;
    // Where large text makes the answer longer than the screen, its beginning counts.
    part('result-close').focus({ preventScroll: true });
    this.#screen.scrollTop = 0;
  }

  #covered(): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>('#scanning > :not(#result)')];
  }

  #closeAfter(milliseconds: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.close(), milliseconds);
    const bar = part('result-timer');
    // A new element of time for every answer: the same one would not start its way anew.
    const fresh = bar.cloneNode() as HTMLElement;
    fresh.style.animationDuration = `${milliseconds}ms`;
    bar.replaceWith(fresh);
  }
}
