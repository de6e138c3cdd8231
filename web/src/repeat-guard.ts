// A camera sees the same code ten times a second. One showing of it must become one scan.

const OUT_OF_VIEW_MS = 1_500;

export class RepeatGuard {
  readonly #lastSeen = new Map<string, number>();

  /** Says which of the codes in view is new, if any; `busy` while no new one can be taken. */
  pick(codes: string[], busy: boolean, now = performance.now()): string | null {
    for (const [code, seen] of this.#lastSeen) {
      if (now - seen > OUT_OF_VIEW_MS) this.#lastSeen.delete(code);
    }
    let fresh: string | null = null;
    for (const code of codes) {
      if (this.#lastSeen.has(code)) {
        this.#lastSeen.set(code, now);
      } else if (fresh === null && !busy) {
        fresh = code;
        this.#lastSeen.set(code, now);
      }
    }
    return fresh;
  }

  /** The person has dealt with this code, and may want to read it again at once. */
  release(code: string): void {
    this.#lastSeen.delete(code);
  }
}
