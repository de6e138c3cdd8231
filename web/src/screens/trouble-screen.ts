import { part, show, write } from '../page-parts';

interface Trouble {
  title: string;
  advice: string;
  /** What the button says and does. */
  button: string;
  onButton: () => void;
}

/** Nothing can be shown, for a reason that may pass. */
export function showTroubleScreen({ title, advice, button, onButton }: Trouble): void {
  write('trouble-title', title);
  write('trouble-advice', advice);
  write('try-again', button);
  part('try-again').onclick = onButton;
  show('trouble');
}
