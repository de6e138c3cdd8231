// What the address bar shows, and what the home screen keeps of it.

// Only Apple's phones and tablets have this: whether the page runs from the home screen.
const { standalone } = navigator as { standalone?: boolean };

/** An iPhone's browser keeps the link in the address, see below. */
export const LINK_STAYS_IN_ADDRESS = standalone === false;

/** Whether this page was started from the home screen of an iPhone, always with the address that it had then. */
export const STARTED_FROM_HOME_SCREEN = standalone === true;

/**
 * Takes the link out of the address bar: it lets people in, and must not show on a screenshot.
 *
 * In an iPhone's browser it stays there. A page on the home screen of an iPhone has a storage of its own, so the address is all
 * that it inherits. Safari shows only the host of an address.
 */
export function showInAddress(token: string | null, mustStay = false): void {
  const kept = (LINK_STAYS_IN_ADDRESS || mustStay) && token !== null ? `#${token}` : '';
  history.replaceState(history.state, '', `/door${kept}`);
}

/** Lets the page be installed. On an iPhone it would then start without its link, so there it is added as it is. */
export function offerAsApp(): void {
  if (standalone !== undefined) return;
  const manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = '/door/manifest.webmanifest';
  document.head.append(manifest);
}
