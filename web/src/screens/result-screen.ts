import type { AnswerScreen } from '../answering';
import { announce } from '../feedback';
import { part, showNotes, write } from '../page-parts';
import { openSheet } from '../sheets';
import { letsPass, type Verdict } from '../verdict';
import { groupWords, kioskWords, layoutWords, verdictWords } from '../verdict-words';

// Before `seen` no other answer takes its place. Green is known at a glance; red has words that say why.
const GREEN_MS = { seen: 800, gone: 2_000 };
// Guests read it themselves, and walk on.
const WELCOME_MS = { seen: 800, gone: 3_000 };
const RED_MS = { seen: 2_000, gone: 6_000 };
// A finger or key that comes this soon was on its way to what was there before.
const TAP_COUNTS_AFTER_MS = 300;

/** What an answer needs to know of its door. */
export interface Where {
  timezone: () => string;
  hasSeveralEvents: () => boolean;
  /** Guests scan by themselves, and whoever stands behind them reads along. */
  isKiosk: () => boolean;
}

/** What an answer may offer besides: to let in the others of an order. */
export interface PartyOffer {
  isOffered(verdict: Verdict): boolean;
  open(verdict: Verdict): void;
}

/** The full-screen answer, green or red. */
export class ResultScreen implements AnswerScreen {
  readonly #screen = part('result');
  readonly #where: Where;
  readonly #onTapped: (code: string, verdict: Verdict) => void;
  readonly #party: PartyOffer;
  #shown: { code: string; verdict: Verdict; at: number } | null = null;
  #timer: number | undefined;
  #seenTimer: number | undefined;
  #stays = GREEN_MS;
  #room = Promise.resolve();
  #giveRoom: (() => void) | null = null;
  #answers = 0;
  #focusedBefore: HTMLElement | null = null;

  /** `onTapped` hears when the person closes an answer, as opposed to when its time is over. */
  constructor(where: Where, onTapped: (code: string, verdict: Verdict) => void, party: PartyOffer) {
    this.#where = where;
    this.#onTapped = onTapped;
    this.#party = party;
    part('result-party').addEventListener('click', (event) => {
      event.stopPropagation();
      const shown = this.#shown;
      if (shown === null) return;
      this.close();
      party.open(shown.verdict);
    });
    // The whole screen closes it, so that nobody has to aim.
    this.#screen.addEventListener('click', () => this.tapAway());
    document.addEventListener('visibilitychange', () => {
      if (this.#shown !== null) this.#runOut();
    });
  }

  get isShown(): boolean {
    return this.#shown !== null;
  }

  get hasRoom(): boolean {
    return this.#giveRoom === null;
  }

  room(): Promise<void> {
    return this.#room;
  }

  show(code: string, verdict: Verdict): void {
    const admitted = letsPass(verdict.outcome);
    const isPublic = this.#where.isKiosk();
    const { headline, explanation } = isPublic ? kioskWords(verdict) : verdictWords(verdict, this.#where.timezone());
    this.#shown = { code, verdict, at: performance.now() };
    this.#answers += 1;
    this.#screen.dataset.answer = String(this.#answers);
    this.#screen.dataset.outcome = verdict.outcome;
    this.#screen.dataset.offline = String(verdict.offline);
    this.#screen.dataset.admitted = String(admitted);
    part('result-offline').hidden = !verdict.offline;
    write('result-headline', headline);
    write('result-name', isPublic ? '' : verdict.name);
    write('result-type', verdict.ticketType);
    const isOfAnother = verdict.outcome === 'wrong_event';
    write('result-event', this.#where.hasSeveralEvents() && !isOfAnother ? verdict.eventName : '');
    showNotes('result-notes', verdict.notes);
    write('result-group', isPublic ? '' : groupWords(verdict.group));
    write('result-explanation', explanation);
    write('result-notice', isPublic ? '' : layoutWords(verdict.layout));
    const offersParty = this.#party.isOffered(verdict);
    part('result-party').hidden = !offersParty;
    // An answer under a sheet would not be seen.
    openSheet()?.close();
    this.#cover();
    announce(admitted);
    const stays = admitted ? (isPublic ? WELCOME_MS : GREEN_MS) : RED_MS;
    // What is wrong with the scanner, a note and an offer take time to read, and the next code need not wait for it.
    const isShort = verdict.layout === null && !offersParty && verdict.notes.length === 0;
    this.#stays = isShort ? stays : { ...stays, gone: RED_MS.gone };
    this.#takeRoom();
    this.#runOut();
  }

  tapAway(): void {
    const shown = this.#shown;
    if (shown === null || performance.now() - shown.at < TAP_COUNTS_AFTER_MS) return;
    this.close();
    this.#onTapped(shown.code, shown.verdict);
  }

  close(): void {
    if (this.#screen.hidden) return;
    window.clearTimeout(this.#timer);
    this.#screen.hidden = true;
    this.#shown = null;
    this.#giveRoom?.();
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

  #takeRoom(): void {
    this.#room = new Promise((resolve) => {
      this.#giveRoom = () => {
        this.#giveRoom = null;
        window.clearTimeout(this.#seenTimer);
        resolve();
      };
    });
  }

  /** Its time runs only while somebody can see it: a phone that is put away keeps its answer. */
  #runOut(): void {
    const { seen, gone } = this.#stays;
    window.clearTimeout(this.#seenTimer);
    window.clearTimeout(this.#timer);
    if (document.hidden) return;
    this.#seenTimer = window.setTimeout(() => this.#giveRoom?.(), seen);
    this.#timer = window.setTimeout(() => this.close(), gone);
    const bar = part('result-timer');
    // An animation starts anew only in a new element.
    const fresh = bar.cloneNode() as HTMLElement;
    fresh.style.animationDuration = `${gone}ms`;
    bar.replaceWith(fresh);
  }
}
