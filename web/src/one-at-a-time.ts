/** Does a piece of work one time after the other. Whoever asks for it while it is being done gets it once more. */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #isRunning = false;
  #onceMore = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  async run(): Promise<void> {
    this.#onceMore = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#onceMore) {
        this.#onceMore = false;
        await this.#work();
      }
    } finally {
      this.#isRunning = false;
    }
  }
}
