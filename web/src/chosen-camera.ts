// A phone has several cameras, and the one that works best at this door is known to the person who holds it.

const CHOSEN = 'taquilla-door-camera';
const PICTURE = { width: { ideal: 1280 }, height: { ideal: 720 } };

let chosen = keptChoice();

/** Counts from the next opening on. */
export function chooseCamera(deviceId: string): void {
  chosen = deviceId;
}

/** The camera that looks away from the screen, or the one that sees whoever stands before it. */
export type Facing = 'environment' | 'user';

/**
 * Opens the camera that the person chose, or where there is none such, the one at the back of the phone. Where guests scan by
 * themselves, it is the one that sees them: what somebody chose for scanning in the hand says nothing about that.
 */
export async function openChosenCamera(facing: Facing): Promise<MediaStream> {
  if (chosen !== null && facing === 'environment') {
    try {
      const stream = await openCamera({ deviceId: { exact: chosen } });
      // Only now: the next time must not begin with a camera that never worked.
      keepChoice(chosen);
      return stream;
    } catch (error) {
      if (!isAboutAMissingCamera(error)) throw error;
    }
  }
  return openCamera({ facingMode: { ideal: facing } });
}

export function isAboutAMissingCamera(error: unknown): boolean {
  return ['NotFoundError', 'OverconstrainedError'].includes(nameOf(error));
}

/** Not every browser gives a DOMException for every problem of a camera. */
export function nameOf(error: unknown): string {
  return error !== null && typeof error === 'object' && 'name' in error ? String(error.name) : '';
}

function openCamera(which: MediaTrackConstraints): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({ video: { ...which, ...PICTURE } });
}

function keptChoice(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

function keepChoice(deviceId: string): void {
  try {
    localStorage.setItem(CHOSEN, deviceId);
  } catch (error) {
    // A page that may keep nothing begins with the usual camera again.
    console.warn(error);
  }
}
