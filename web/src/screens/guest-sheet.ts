import type { Guest } from '../contract';
import type { Door } from '../door';
import { Refused, Unreachable } from '../http';
import { eventNameOf } from '../link-events';
import { line, part, write } from '../page-parts';
import { raise } from '../sheets';
import { texts } from '../texts/texts';

/** Finds guests who have no code, where the link allows it. */
export class GuestSheet {
  readonly #sheet = part('guest-sheet', HTMLDialogElement);
  readonly #door: () => Door | null;
  readonly #letIn: (guest: Guest) => void;
  /** How many times somebody has searched: an answer that comes late is not for what is typed now. */
  #searches = 0;

  constructor(door: () => Door | null, letIn: (guest: Guest) => void) {
    this.#door = door;
    this.#letIn = letIn;
    const field = part('guest', HTMLInputElement);
    part('open-guests').addEventListener('click', () => {
      this.#searches += 1;
      field.value = '';
      this.#show([], '');
      raise(this.#sheet);
    });
    part('guest-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#search(field.value.trim());
    });
  }

  async #search(text: string): Promise<void> {
    const { guests } = texts();
    this.#searches += 1;
    const search = this.#searches;
    this.#show([], guests.searching);
    const [found, words] = await this.#find(text);
    if (search === this.#searches) this.#show(found, words);
  }

  async #find(text: string): Promise<[Guest[], string]> {
    const { guests } = texts();
    try {
      const found = await this.#door()?.findGuests(text);
      if (found === undefined || found.data.length === 0) return [[], guests.nobody];
      return [found.data, found.has_more ? guests.more : ''];
    } catch (error) {
      if (error instanceof Refused) return [[], error.code === 'invalid_body' ? guests.tooShort : error.message];
      if (!(error instanceof Unreachable)) throw error;
      return [[], error.tooManyTries ? guests.tooOften : guests.needsSignal];
    }
  }

  #show(found: Guest[], words: string): void {
    write('guest-status', words);
    part('guest-list').replaceChildren(...found.map((guest) => this.#item(guest)));
  }

  #item(guest: Guest): HTMLElement {
    const { guests } = texts();
    const element = document.createElement('li');
    const name = guest.name === '' ? guests.nameless : guest.name;
    const states: Partial<Record<string, string>> = guests.states;
    const opening = this.#door()?.link.opening;
    const event = opening === undefined ? '' : eventNameOf(opening, guest.event_id);
    const facts = [guest.ticket_type, event, guest.order_number ?? ''].filter((word) => word !== '');
    element.append(line('h3', name), line('p', facts.join(' · ')));
    if (guest.state === 'valid') {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'primary';
      button.textContent = guests.letIn;
      button.setAttribute('aria-label', guests.letInName(name, guest.ticket_type));
      button.addEventListener('click', () => {
        this.#sheet.close();
        this.#letIn(guest);
      });
      element.append(button);
    } else {
      element.append(line('p', states[guest.state] ?? guest.state));
    }
    return element;
  }
}
