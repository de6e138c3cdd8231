import type { DoorDatabase, WaitingScan } from '../database';
import { mayBeOf } from '../link-events';
import { OneAtATime } from '../one-at-a-time';
import { line, part } from '../page-parts';
import { raise } from '../sheets';
import { scanWords, texts } from '../texts/texts';
import { waitingScans, type Unfinished } from '../unfinished';

/** Says which scans wait, and for what. */
export class WaitingSheet {
  readonly #sheet = part('waiting-sheet', HTMLDialogElement);
  readonly #database: DoorDatabase;
  readonly #currentToken: () => string;
  /** While a long queue is read, it becomes shorter many times. */
  readonly #filling = new OneAtATime(() => this.#fill().catch(console.warn));

  constructor(database: DoorDatabase, unfinished: Unfinished, currentToken: () => string) {
    this.#database = database;
    this.#currentToken = currentToken;
    part('open-waiting').addEventListener('click', () => {
      raise(this.#sheet);
      void this.#filling.run();
    });
    unfinished.waiting.listen((waiting) => {
      if (!this.#sheet.open) return;
      if (waiting === 0) this.#sheet.close();
      else void this.#filling.run();
    });
  }

  async #fill(): Promise<void> {
    const links = await this.#database.getAll('links');
    const working = new Set(links.filter(({ refused }) => !refused).map(({ token }) => token));
    const current = links.find(({ token }) => token === this.#currentToken());
    const { waitingSheet } = texts();
    const reasonOf = (scan: WaitingScan): string => {
      const soon = scan.blocked > 0 ? waitingSheet.withAnotherNetwork : waitingSheet.withASignal;
      if (working.has(scan.token)) return soon;
      if (current === undefined || !mayBeOf(scan, current.opening)) return waitingSheet.withTheirEvent;
      return scan.not_covered_by.includes(current.token) ? waitingSheet.withAnotherLink : soon;
    };
    const groups = new Map<string, { event: string; reason: string; count: number }>();
    for await (const scan of waitingScans(this.#database)) {
      const reason = reasonOf(scan);
      const key = `${scan.event_name} ${reason}`;
      const { count = 0 } = groups.get(key) ?? {};
      groups.set(key, { event: scan.event_name, reason, count: count + 1 });
    }
    part('waiting-list').replaceChildren(...[...groups.values()].map(item));
  }
}

function item({ event, reason, count }: { event: string; reason: string; count: number }): HTMLElement {
  const element = document.createElement('li');
  element.append(line('h3', texts().waitingSheet.scansFor(scanWords(count), event)), line('p', reason));
  return element;
}
