// A camera sees the same code ten times a second, and some hand scanners read it again and again.
// One showing of one code is one decision.

// A shaking hand or a reflection hides a code for less than this; passing a phone to the next person takes longer.
const OUT_OF_VIEW_MS = 700;
// A slow phone reads few pictures, so that time alone does not tell that a code is gone.
const OUT_OF_VIEW_PICTURES = 2;
// The other of two codes may be blurred, so one picture is no proof that a code is alone.
const ALONE_IN_PICTURES = 2;
const ALONE_FOR_MS = 400;
// Once two codes were seen together, one of them may be unreadable for longer.
const SEVERAL_FOR_MS = 1_000;

interface Showing {
  seenAt: number;
  /** Pictures since then. */
  missed: number;
  /** Pictures that showed this code and no other, since another one was last seen. */
  alone: number;
  taken: boolean;
}

export class Showings {
  readonly #showings = new Map<string, Showing>();
  #severalAt = Number.NEGATIVE_INFINITY;
  #areSeveral = false;

  /** Several codes were in view together, now or a moment ago: nobody can tell which of them is meant. */
  get areSeveral(): boolean {
    return this.#areSeveral;
  }

  /** What the next picture of the camera shows. Returns the code to decide now, if any; none while not `isFree`. */
  look(codes: string[], isFree: boolean, now = performance.now()): string | null {
    for (const [code, showing] of this.#showings) {
      if (!codes.includes(code)) showing.missed += 1;
    }
    this.#forgetWhatIsGone(now);
    for (const code of codes) {
      const before = this.#showings.get(code) ?? { alone: 0, taken: false };
      this.#showings.set(code, { ...before, seenAt: now, missed: 0 });
    }
    // A picture without any code tells nothing about who is alone.
    if (codes.length > 0) this.#countAlone(codes);
    if (codes.length > 1) this.#severalAt = now;
    this.#areSeveral = now - this.#severalAt < SEVERAL_FOR_MS;
    return isFree && !this.#areSeveral ? this.#takeAlone(now) : null;
  }

  /** A hand scanner has read this code. Says whether that is to be decided, or the same showing as before. */
  scan(code: string, now = performance.now()): boolean {
    this.#forgetWhatIsGone(now);
    const before = this.#showings.get(code);
    // What only a scanner has read need not be missed by the camera as well.
    const missed = before?.missed ?? OUT_OF_VIEW_PICTURES;
    this.#showings.set(code, { seenAt: now, missed, alone: 0, taken: true });
    return before === undefined || !before.taken || now - before.seenAt >= OUT_OF_VIEW_MS;
  }

  /** Nothing was decided about this code, so it may be tried again while it is still in view. */
  forget(code: string): void {
    this.#showings.delete(code);
  }

  #countAlone(codes: string[]): void {
    for (const [code, showing] of this.#showings) {
      showing.alone = codes.length === 1 && codes[0] === code ? showing.alone + 1 : 0;
    }
  }

  #takeAlone(now: number): string | null {
    const inView = [...this.#showings].filter(([, { seenAt }]) => now - seenAt < ALONE_FOR_MS);
    const [first, another] = inView;
    if (first === undefined || another !== undefined) return null;
    const [code, showing] = first;
    if (showing.taken || showing.missed > 0 || showing.alone < ALONE_IN_PICTURES) return null;
    showing.taken = true;
    return code;
  }

  #forgetWhatIsGone(now: number): void {
    for (const [code, { missed, seenAt }] of this.#showings) {
      if (missed >= OUT_OF_VIEW_PICTURES && now - seenAt >= OUT_OF_VIEW_MS) this.#showings.delete(code);
    }
  }
}
