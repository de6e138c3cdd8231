import type { PastScan } from '../database';
import { line, part } from '../page-parts';
import type { ScanHistory } from '../scan-history';
import { raise } from '../sheets';
import { texts } from '../texts/texts';
import { clockTime } from '../time-words';
import { verdictOf } from '../verdict';
import { verdictWords } from '../verdict-words';

/** The last scans on this phone, for whoever looked away or is asked about a guest. */
export class HistorySheet {
  readonly #sheet = part('history-sheet', HTMLDialogElement);

  constructor(history: ScanHistory) {
    const fill = (): void => {
      const { value } = history.scans;
      part('history-empty').hidden = value.length > 0;
      part('history-list').replaceChildren(...value.map(item));
    };
    history.scans.listen(() => {
      if (this.#sheet.open) fill();
    });
    part('open-history').addEventListener('click', () => {
      fill();
      raise(this.#sheet);
    });
  }
}

function item(scan: PastScan): HTMLElement {
  const { history, codeEnding } = texts();
  const element = document.createElement('li');
  element.dataset.admitted = String(scan.outcome === 'admitted');
  const { headline } = verdictWords(verdictOf({ outcome: scan.outcome }), scan.timezone);
  const who = [scan.name, scan.ticket_type].filter((word) => word !== '');
  const where = [clockTime(scan.scanned_at, scan.timezone), scan.station, codeEnding(scan.code_ending)];
  if (scan.offline) where.push(history.offline);
  element.append(line('h3', headline), line('p', who.join(' · ')), line('p', where.join(' · ')));
  return element;
}
