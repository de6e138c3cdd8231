import { part, show, write } from '../page-parts';
import { scanWords, texts } from '../texts/texts';

/** The link is dead. What waits on this phone is not lost, and the person is told so. */
export function showRefusedScreen(waiting: number, onOtherLink: () => void): void {
  write('refused-waiting', waiting === 0 ? '' : texts().refused.waiting(scanWords(waiting), waiting === 1));
  part('other-link').onclick = onOtherLink;
  show('refused');
}
