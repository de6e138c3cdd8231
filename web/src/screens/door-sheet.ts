import type { DoorDatabase } from '../database';
import { linksOnThisPhone, type LinkOnThisPhone } from '../links';
import { line, part, write } from '../page-parts';
import { raise } from '../sheets';
import { numberWords, texts } from '../texts/texts';
import { clockTime } from '../time-words';
import { offerLanguages } from './language-choice';

interface Doors {
  current: () => string;
  open: (token: string) => void;
  openAnother: () => void;
  /** Whether nothing is lost if the page is loaded anew now. */
  mayReload: () => boolean;
  /** Whether the page opens without a signal. */
  isPageKept: () => boolean;
}

/** What this phone knows and may do: its list for offline, the doors that were opened on it, its language. */
export class DoorSheet {
  readonly #sheet = part('door-sheet', HTMLDialogElement);
  readonly #database: DoorDatabase;
  readonly #doors: Doors;

  constructor(database: DoorDatabase, doors: Doors) {
    this.#database = database;
    this.#doors = doors;
    write('build', texts().doorSheet.build(document.documentElement.dataset.build ?? ''));
    offerLanguages(this.#sheet, doors.mayReload);
    part('another-link').addEventListener('click', () => {
      this.#sheet.close();
      doors.openAnother();
    });
    for (const button of document.querySelectorAll('#network, [data-open-door]')) {
      button.addEventListener('click', () => {
        raise(this.#sheet);
        this.#fill().catch(console.warn);
      });
    }
  }

  async #fill(): Promise<void> {
    const links = await linksOnThisPhone(this.#database);
    part('list-section').hidden = !links.some(({ token }) => token === this.#doors.current());
    part('doors-list').replaceChildren(...links.map((link) => this.#item(link)));
  }

  #item(link: LinkOnThisPhone): HTMLElement {
    const { token, eventName, label, station, refused } = link;
    const { doorSheet } = texts();
    const isCurrent = token === this.#doors.current();
    const item = document.createElement('li');
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'door', disabled: isCurrent && !refused });
    const state = refused ? doorSheet.refused : isCurrent ? doorSheet.here : listWords(link, this.#doors.isPageKept());
    const where = [label, station].filter(isFirst).join(' · ');
    button.append(line('span', eventName), line('span', where), line('span', state));
    button.addEventListener('click', () => {
      this.#sheet.close();
      this.#doors.open(token);
    });
    item.append(button);
    return item;
  }
}

/** Whether somebody who goes there can work without a signal. */
function listWords({ completedAt, codes, timezone }: LinkOnThisPhone, isPageKept: boolean): string {
  const { list } = texts();
  if (completedAt === null) return list.none;
  const words = isPageKept ? list.ready : list.pageMissing;
  return words(numberWords(codes), clockTime(completedAt, timezone));
}

/** A station that is called like its link is named once. */
function isFirst(text: string, at: number, all: string[]): boolean {
  return text !== '' && all.indexOf(text) === at;
}
