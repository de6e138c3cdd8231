import type { FoundCode } from './viewfinder';

export type ToReader = { wasmUrl: string } | { picture: ImageData };
export type FromReader = { codes: FoundCode[] } | { error: string };

// A bad signal may take this long to bring the reader; then the person should know that it is not there yet.
const LOADED_WITHIN_MS = 30_000;
// The slowest phones need a second for a picture. A worker that needs longer than this has died.
const READ_WITHIN_MS = 5_000;

/** Reads pictures in a worker, one at a time. A worker that fails or falls silent is replaced. */
export class PictureReader {
  readonly #start: () => Worker;
  readonly #wasmUrl: string;
  #ready: Promise<Worker> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(start: () => Worker, wasmUrl: string) {
    this.#start = start;
    this.#wasmUrl = wasmUrl;
  }

  async load(): Promise<void> {
    await this.#worker();
  }

  /** A camera that is started anew may ask before the last picture is answered: that one waits for its turn. */
  read(picture: ImageData): Promise<FoundCode[]> {
    const codes = this.#last.then(() => this.#readNow(picture));
    this.#last = codes.catch(() => {});
    return codes;
  }

  async #readNow(picture: ImageData): Promise<FoundCode[]> {
    const worker = await this.#worker();
    // The picture is handed over, not copied.
    return this.#ask(worker, { picture }, [picture.data.buffer], READ_WITHIN_MS);
  }

  #worker(): Promise<Worker> {
    this.#ready ??= this.#loadAnother();
    return this.#ready;
  }

  async #loadAnother(): Promise<Worker> {
    const worker = this.#start();
    await this.#ask(worker, { wasmUrl: this.#wasmUrl }, [], LOADED_WITHIN_MS);
    return worker;
  }

  #ask(worker: Worker, message: ToReader, handedOver: Transferable[], withinMs: number): Promise<FoundCode[]> {
    return new Promise((resolve, reject) => {
      const giveUp = (reason: string): void => {
        clearTimeout(timer);
        // Whatever state it is in: a new one is sure to be in a good one.
        worker.terminate();
        this.#ready = null;
        reject(new Error(reason));
      };
      const timer = setTimeout(() => giveUp('The reader does not answer'), withinMs);
      worker.onerror = (event) => {
        event.preventDefault();
        giveUp(`The reader failed: ${event.message}`);
      };
      worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
        if ('error' in data) {
          giveUp(data.error);
          return;
        }
        clearTimeout(timer);
        resolve(data.codes);
      };
      worker.postMessage(message, handedOver);
    });
  }
}
