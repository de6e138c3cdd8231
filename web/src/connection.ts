import { Unreachable } from './http';
import { Signal } from './signal';

const PROBE_EVERY_S = 3;
// A server may ask for patience, but the door must not stay shut out for longer than this.
const PROBE_AT_LEAST_EVERY_S = 60;

/** Knows whether the server can be reached, and while it cannot, looks for the way back. */
export class Connection {
  readonly online = new Signal(true);
  readonly #probe: () => Promise<void>;
  readonly #onBack: () => void;
  #timer: number | undefined;
  #probing = false;
  #stopped = false;

  /** `probe` is any light call to the server; it fails with Unreachable while there is no way through. */
  constructor(probe: () => Promise<void>, onBack: () => void) {
    this.#probe = probe;
    this.#onBack = onBack;
  }

  start(): void {
    window.addEventListener('online', this.#tryNow);
    window.addEventListener('offline', this.#wentOffline);
    if (!navigator.onLine) this.lost();
  }

  stop(): void {
    this.#stopped = true;
    window.removeEventListener('online', this.#tryNow);
    window.removeEventListener('offline', this.#wentOffline);
    window.clearTimeout(this.#timer);
  }

  /** A call has failed: from now on the phone decides by itself, until a probe gets through. */
  lost(retryAfterSeconds = 0): void {
    if (this.#stopped) return;
    if (this.online.value) this.online.value = false;
    const seconds = Math.min(Math.max(PROBE_EVERY_S, retryAfterSeconds), PROBE_AT_LEAST_EVERY_S);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(this.#tryNow, seconds * 1000);
  }

  readonly #wentOffline = (): void => this.lost();

  readonly #tryNow = (): void => {
    if (!this.online.value && !this.#probing) void this.#lookForTheWayBack();
  };

  async #lookForTheWayBack(): Promise<void> {
    this.#probing = true;
    try {
      await this.#probe();
      if (this.#stopped) return;
      window.clearTimeout(this.#timer);
      this.online.value = true;
      this.#onBack();
    } catch (error) {
      this.lost(error instanceof Unreachable ? error.retryAfterSeconds : 0);
    } finally {
      this.#probing = false;
    }
  }
}
