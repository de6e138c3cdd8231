import { Signal } from './signal';
import type { FromWorker, ToWorker } from './worker-words';

// The worker may have to fetch the whole page over a bad signal. Until it says otherwise, nothing is kept.
const TELLS_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 15_000;
const LOOK_FOR_QUIET_EVERY_MS = 2_000;
// A phone that is never closed gets a new build, too.
const ASK_THE_SERVER_EVERY_MS = 10 * 60_000;
const RELOADED_FOR = 'taquilla-door-build';

/** What the page needs of the browser, which a test plays. */
export interface Surroundings {
  workers: Pick<ServiceWorkerContainer, 'register' | 'addEventListener'>;
  /** The build of this page. */
  build: string;
  /** Nothing is lost or missed if the page is loaded anew now. */
  isQuiet: () => boolean;
  reload: () => void;
  /** What outlives a reload, where the browser has it. */
  memory: Pick<Storage, 'getItem' | 'setItem'> | null;
}

/** The page's own files on this phone: whether they are there, and whether there are newer ones. */
export class KeptPage {
  /** Whether the page opens without a signal. It is looked at, not assumed: a browser may have taken files away. */
  readonly isKept = new Signal(false);
  readonly #around: Surroundings;
  #registration: ServiceWorkerRegistration | null = null;
  #newer: string | null = null;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  async start(): Promise<void> {
    const { workers } = this.#around;
    workers.addEventListener('controllerchange', () => void this.look().catch(console.warn));
    await this.#register();
    setInterval(() => void this.look().catch(console.warn), LOOK_EVERY_MS);
    setInterval(() => this.takeNewBuild(), LOOK_FOR_QUIET_EVERY_MS);
    setInterval(() => void this.#registration?.update().catch(() => {}), ASK_THE_SERVER_EVERY_MS);
    await this.look();
  }

  async #register(): Promise<void> {
    this.#registration = await this.#around.workers.register('/door/sw.js', { scope: '/door' });
  }

  /** Looks at what is kept. A worker that could not fetch everything was dropped by the browser, and is begun anew. */
  async look(): Promise<void> {
    const { active, waiting, installing } = this.#registration ?? {};
    if (active == null && waiting == null && installing == null) await this.#register();
    const worker = this.#registration?.active;
    const told = worker == null ? null : await ask(worker);
    this.isKept.value = told?.isKept ?? false;
    if (told !== null && told.build !== this.#around.build) this.#newer = told.build;
  }

  /** A new build takes the place of this one when nobody waits for an answer. What the phone has written down stays. */
  takeNewBuild(): void {
    const { isQuiet, reload, memory } = this.#around;
    if (!isQuiet()) return;
    this.#registration?.waiting?.postMessage('take over' satisfies ToWorker);
    // Once for each build: where the page stays the same after all, or servers of two builds take turns, loading it again
    // and again would help nobody.
    const builds = memory?.getItem(RELOADED_FOR)?.split(' ') ?? [];
    if (this.#newer === null || memory === null || builds.includes(this.#newer)) return;
    memory.setItem(RELOADED_FOR, [...builds, this.#newer].join(' '));
    reload();
  }
}

function ask(worker: ServiceWorker): Promise<FromWorker | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const giveUp = setTimeout(() => resolve(null), TELLS_WITHIN_MS);
    port1.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      clearTimeout(giveUp);
      port1.close();
      resolve(data);
    };
    worker.postMessage('tell' satisfies ToWorker, [port2]);
  });
}
