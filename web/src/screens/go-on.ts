import type { LinkOnThisPhone } from '../links';
import { texts } from '../texts/texts';

/** Offers a link that works, on every screen that says why another one does not open. */
export function offerToGoOn(link: LinkOnThisPhone | null, onGoOn: (token: string) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-go-on]')) {
    button.hidden = link === null;
    if (link === null) continue;
    const words = document.createElement('span');
    words.textContent = texts().goOn(link.eventName, link.label);
    button.replaceChildren(words);
    button.onclick = () => onGoOn(link.token);
  }
}
