// The phone's back button leaves what is open on this page, one thing at a time, before it leaves the page.

import { LINK_STAYS_IN_ADDRESS } from './address';

const INSIDE = 'inside';

/** From here on, back leads out of something on this page. To be called while the person presses something. */
export function goInside(): void {
  // Where the link is in the address, a step back could lead to another link. Those phones have no back button.
  if (!LINK_STAYS_IN_ADDRESS && history.state !== INSIDE) history.pushState(INSIDE, '');
}

/** `goOut` leaves one thing, and says whether the person is still inside another. */
export function listenToBack(goOut: () => boolean): void {
  window.addEventListener('popstate', () => {
    // A link that is opened comes as an event of the same kind, and is no step back.
    if (location.hash === '' && history.state !== INSIDE && goOut()) goInside();
  });
}
