import { part, show, write } from '../page-parts';
import { scanWords, texts } from '../texts/texts';

interface Refusal {
  /** The link was opened on this phone before. */
  hasWorked: boolean;
  /** How many scans are not sent yet. */
  waiting: number;
  /** There is another link, which works. */
  canGoOn: boolean;
  onOtherLink: () => void;
}

/** The link is dead, or never was one. What waits on this phone is not lost, and the person is told so. */
export function showRefusedScreen({ hasWorked, waiting, canGoOn, onOtherLink }: Refusal): void {
  const { refused } = texts();
  write('refused-title', hasWorked ? refused.title : refused.neverWorked);
  write('refused-lead', hasWorked ? refused.lead : refused.neverWorkedLead);
  write('refused-waiting', waiting === 0 ? '' : refused.waiting(scanWords(waiting), waiting === 1));
  const otherLink = part('other-link');
  otherLink.className = canGoOn ? 'quiet' : 'primary';
  otherLink.onclick = onOtherLink;
  show('refused');
}
