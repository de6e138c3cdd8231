import type { PastScan } from '../database';
import type { Door } from '../door';
import { Refused, Unreachable } from '../http';
import { line, part, write } from '../page-parts';
import type { ScanHistory } from '../scan-history';
import { raise } from '../sheets';
import { texts } from '../texts/texts';
import { clockTime } from '../time-words';
import { letsPass, verdictOf } from '../verdict';
import { verdictWords } from '../verdict-words';

/** The last scans on this phone, for whoever looked away or is asked about a guest, or let somebody in by mistake. */
export class HistorySheet {
  readonly #sheet = part('history-sheet', HTMLDialogElement);
  readonly #history: ScanHistory;
  readonly #door: () => Door | null;

  constructor(history: ScanHistory, door: () => Door | null) {
    this.#history = history;
    this.#door = door;
    history.scans.listen(() => {
      if (this.#sheet.open) this.#fill();
    });
    part('open-history').addEventListener('click', () => {
      write('history-status', '');
      this.#fill();
      raise(this.#sheet);
    });
  }

  #fill(): void {
    const { value } = this.#history.scans;
    const mayUndo = this.#door()?.may('undo') ?? false;
    part('history-empty').hidden = value.length > 0;
    part('history-list').replaceChildren(...value.map((scan) => this.#item(scan, mayUndo)));
  }

  #item(scan: PastScan, mayUndo: boolean): HTMLElement {
    const { history, codeEnding } = texts();
    const element = document.createElement('li');
    const admitted = scan.outcome === 'admitted' && scan.undone !== true;
    element.dataset.admitted = String(admitted || (scan.outcome !== 'admitted' && letsPass(scan.outcome)));
    const { headline } = verdictWords(verdictOf({ outcome: scan.outcome }), scan.timezone);
    const who = [scan.name, scan.ticket_type].filter((word) => word !== '');
    const how = scan.code_ending === '' ? history.byName : codeEnding(scan.code_ending);
    const where = [clockTime(scan.scanned_at, scan.timezone), scan.station, how];
    if (scan.offline) where.push(history.offline);
    if (scan.undone === true) where.push(history.undone);
    element.append(line('h3', headline), line('p', who.join(' · ')), line('p', where.join(' · ')));
    const { scan_id } = scan;
    if (admitted && mayUndo && scan_id !== undefined && scan_id !== '') {
      element.append(this.#undoButton(scan_id, scan.name === '' ? how : scan.name));
    }
    return element;
  }

  /** It takes two taps: a finger that scrolls must not let anybody out. */
  #undoButton(scanId: string, name: string): HTMLElement {
    const { history } = texts();
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = history.undo;
    button.setAttribute('aria-label', history.undoOf(name));
    let isSure = false;
    button.addEventListener('click', () => {
      if (isSure) {
        button.disabled = true;
        void this.#undo(scanId);
        return;
      }
      isSure = true;
      button.textContent = history.undoSure;
      button.setAttribute('aria-label', `${history.undoSure}: ${name}`);
    });
    return button;
  }

  async #undo(scanId: string): Promise<void> {
    const { history } = texts();
    this.#say(history.undoing);
    try {
      await this.#door()?.undo(scanId);
      await this.#history.markUndone(scanId).catch(console.warn);
      this.#say(history.undoneNow);
    } catch (error) {
      if (error instanceof Refused) this.#say(undoErrorWords(error));
      else if (error instanceof Unreachable) this.#say(history.undoNeedsSignal);
      else throw error;
    } finally {
      this.#fill();
    }
  }

  /** The buttons are made anew, so whoever has a keyboard or a screen reader goes on at what is said. */
  #say(words: string): void {
    write('history-status', words);
    part('history-status').focus();
  }
}

/** Why an entry was not undone; in the server's own words where this page has none for it. */
function undoErrorWords({ code, message }: Refused): string {
  const words: Partial<Record<string, string>> = texts().undoErrors;
  return words[code] ?? message;
}
