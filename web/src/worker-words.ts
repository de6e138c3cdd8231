/** What the page says to the worker that keeps its files: to take an older one's place, or to tell what it has. */
export type ToWorker = 'take over' | 'tell';

/** What the worker tells. */
export interface FromWorker {
  build: string;
  /** Page, decoder and everything else that is needed without a signal are on this phone. */
  isKept: boolean;
}
