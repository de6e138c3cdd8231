import { part, show, write } from '../page-parts';

/** Nothing can be shown yet, for a reason that may pass. */
export function showTroubleScreen(title: string, advice: string, onTryAgain: () => void): void {
  write('trouble-title', title);
  write('trouble-advice', advice);
  part('try-again').onclick = onTryAgain;
  show('trouble');
}
