import type { Conflict } from '../database';
import { line, part } from '../page-parts';
import { raise } from '../sheets';
import { scanWords, texts } from '../texts/texts';
import { clockTime } from '../time-words';
import type { Unfinished } from '../unfinished';
import { conflictWords } from './conflict-words';

/** Lists what the phone and the server disagree about, until a person has seen it. */
export class ConflictSheet {
  readonly #sheet = part('conflict-sheet', HTMLDialogElement);
  readonly #unfinished: Unfinished;

  constructor(unfinished: Unfinished) {
    this.#unfinished = unfinished;
    unfinished.conflicts.listen((conflicts) => {
      this.#count(conflicts.length);
      // Only while somebody looks: there may be thousands of them.
      if (this.#sheet.open) this.#fill(conflicts);
    });
    part('dismiss-all').addEventListener('click', () => {
      void unfinished.dismiss(unfinished.conflicts.value);
    });
    for (const button of openers()) {
      button.addEventListener('click', () => {
        this.#fill(unfinished.conflicts.value);
        raise(this.#sheet);
      });
    }
  }

  #count(count: number): void {
    const { conflictSheet } = texts();
    part('conflicts').textContent = String(count);
    for (const button of openers()) {
      button.hidden = count === 0;
      if (button.id !== 'open-conflicts') button.textContent = conflictSheet.toLookAt(scanWords(count));
    }
    if (count === 0 && this.#sheet.open) this.#sheet.close();
  }

  #fill(conflicts: Conflict[]): void {
    const newestFirst = [...conflicts].sort((a, b) => (a.scanned_at < b.scanned_at ? 1 : -1));
    part('conflict-list').replaceChildren(...newestFirst.map((conflict) => this.#item(conflict)));
  }

  #item(conflict: Conflict): HTMLElement {
    const item = document.createElement('li');
    item.dataset.scan = conflict.scan_id;
    const { headline, explanation } = conflictWords(conflict);
    const time = clockTime(conflict.scanned_at, conflict.timezone);
    const { conflictSheet } = texts();
    const here = { admitted: conflictSheet.letIn, passed: conflictSheet.letPass, turned_away: conflictSheet.turnedAway }[conflict.decided];
    const who = [conflict.name, conflict.ticket_type].filter((word) => word !== '');
    const dismiss = document.createElement('button');
    Object.assign(dismiss, { type: 'button', className: 'chip', textContent: conflictSheet.dismiss });
    dismiss.addEventListener('click', () => void this.#unfinished.dismiss([conflict]));
    item.append(
      line('h3', headline),
      line('p', explanation, 'server-says'),
      line('p', who.join(' · ')),
      line('p', here(time, conflict.station)),
      line('p', texts().codeEnding(conflict.code_ending)),
      dismiss,
    );
    return item;
  }
}

function openers(): NodeListOf<HTMLButtonElement> {
  return document.querySelectorAll<HTMLButtonElement>('#open-conflicts, [data-open-conflicts]');
}
