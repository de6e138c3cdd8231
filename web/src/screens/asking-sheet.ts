import { part, showNotes, write } from '../page-parts';
import { raise } from '../sheets';
import { texts } from '../texts/texts';
import type { Verdict } from '../verdict';
import { groupWords } from '../verdict-words';

/** Asks before an entry counts: whose ticket it is, and whether they come in. */
export class AskingSheet {
  readonly #sheet = part('asking-sheet', HTMLDialogElement);
  #answer: (isConfirmed: boolean) => void = () => {};

  constructor() {
    part('asking-yes').addEventListener('click', () => this.#close(true));
    part('asking-no').addEventListener('click', () => this.#close(false));
    // However it is closed, nobody has said yes.
    this.#sheet.addEventListener('close', () => this.#answer(false));
  }

  ask(would: Verdict): Promise<boolean> {
    write('asking-offline', would.offline ? texts().asking.offline : '');
    write('asking-name', would.name);
    write('asking-type', would.ticketType);
    showNotes('asking-notes', would.notes);
    write('asking-group', groupWords(would.group));
    return new Promise((resolve) => {
      this.#answer = resolve;
      raise(this.#sheet);
    });
  }

  #close(isConfirmed: boolean): void {
    this.#answer(isConfirmed);
    this.#sheet.close();
  }
}
