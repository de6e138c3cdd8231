import type { Guest, Guests } from '../contract';
import { Refused, Unreachable } from '../http';
import { line, part, write } from '../page-parts';
import { raise } from '../sheets';
import { numberWords, texts } from '../texts/texts';
import type { Verdict } from '../verdict';
import { verdictWords } from '../verdict-words';

/** What the sheet needs of the door. */
interface PartyWork {
  find(scanId: string): Promise<Guests>;
  /** Null where the work at this door is over. */
  letIn(guest: Guest): Promise<Verdict | null>;
}

/** The others of an order: who is ticked comes in with one tap, each by a scan of their own. */
export class PartySheet {
  readonly #sheet = part('party-sheet', HTMLDialogElement);
  readonly #button = part('party-enter', HTMLButtonElement);
  readonly #work: PartyWork;
  #guests: Guest[] = [];
  /** How many times it was opened: an answer that comes late is not for the order that is shown now. */
  #openings = 0;

  constructor(work: PartyWork) {
    this.#work = work;
    part('party-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#letIn();
    });
    part('party-list').addEventListener('change', () => this.#count());
  }

  open(scanId: string): void {
    this.#openings += 1;
    this.#show([]);
    write('party-status', texts().guests.searching);
    raise(this.#sheet);
    void this.#find(scanId, this.#openings);
  }

  async #find(scanId: string, opening: number): Promise<void> {
    const { party } = texts();
    let guests: Guest[] = [];
    let words = '';
    try {
      const found = await this.#work.find(scanId);
      guests = found.data;
      words = guests.length === 0 ? party.nobody : found.has_more ? party.more : '';
    } catch (error) {
      words = reasonOf(error);
    }
    if (opening !== this.#openings) return;
    this.#show(guests);
    write('party-status', words);
  }

  #show(guests: Guest[]): void {
    this.#guests = guests;
    part('party-list').replaceChildren(...guests.map(item));
    this.#count();
  }

  #ticked(): Guest[] {
    const boxes = [...part('party-list').querySelectorAll('input')];
    return this.#guests.filter((_, index) => boxes[index]?.checked === true && boxes[index]?.disabled === false);
  }

  #count(): void {
    const ticked = this.#ticked().length;
    this.#button.hidden = this.#guests.length === 0;
    this.#button.disabled = ticked === 0;
    this.#button.textContent = texts().party.letIn(numberWords(ticked));
  }

  /** One after the other: whoever may not enter holds up nobody, and whose answer was lost is tried again under the same id. */
  async #letIn(): Promise<void> {
    const opening = this.#openings;
    const { party } = texts();
    this.#button.disabled = true;
    let entered = 0;
    let trouble = '';
    for (const guest of this.#ticked()) {
      const verdict = await this.#work.letIn(guest).catch(() => null);
      if (opening !== this.#openings) return;
      if (verdict === null || verdict.outcome === 'failed') {
        trouble = verdict?.advice ?? texts().guests.needsSignal;
        continue;
      }
      const letIn = verdict.outcome === 'admitted';
      if (letIn) entered += 1;
      this.#settle(guest, letIn ? party.entered : verdictWords(verdict, 'UTC').headline);
    }
    const said = [entered > 0 ? party.haveEntered(numberWords(entered), entered === 1) : '', trouble];
    write('party-status', said.filter((words) => words !== '').join(' '));
    this.#count();
    part('party-status').focus();
  }

  /** What became of one of them stays to be read. */
  #settle(guest: Guest, words: string): void {
    const element = part('party-list').children[this.#guests.indexOf(guest)];
    element?.querySelector('input')?.setAttribute('disabled', '');
    element?.append(line('p', words));
  }
}

function item(guest: Guest): HTMLElement {
  const element = document.createElement('li');
  const label = document.createElement('label');
  label.className = 'tick';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = true;
  const words = document.createElement('span');
  words.append(line('span', guest.name === '' ? texts().guests.nameless : guest.name), line('span', guest.ticket_type, 'lead'));
  label.append(box, words);
  element.append(label);
  return element;
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Unreachable)) throw error;
  return texts().guests.needsSignal;
}
