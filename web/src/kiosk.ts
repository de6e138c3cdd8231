// A device at which guests scan their own tickets. What it must remember is kept on the device, so that a reload leads nobody out
// of it.

const AT_WORK = 'taquilla-door-kiosk';
const SILENT = 'taquilla-door-silent';

/** Guests scan with this link on this device, until staff leave it. */
export function keepKiosk(linkId: string | null): void {
  keep(AT_WORK, linkId);
}

/** Whether guests were scanning with this link when the page was closed. */
export function isKeptKiosk(linkId: string): boolean {
  return kept(AT_WORK) === linkId;
}

export function isSilent(): boolean {
  return kept(SILENT) === 'yes';
}

export function beSilent(wanted: boolean): void {
  keep(SILENT, wanted ? 'yes' : null);
}

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch (error) {
    // A page that may keep nothing begins anew after a reload.
    console.warn(error);
  }
}
