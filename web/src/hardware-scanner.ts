// A hardware scanner is a keyboard that types very fast and then presses Enter.

const LONGEST_GAP_MS = 120;
const SHORTEST_CODE = 4;

/** Listens for a hardware scanner while no field has the focus. */
export function listenToHardwareScanner(onCode: (code: string) => void): void {
  let typed = '';
  let last = 0;
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTypedInto(event.target)) return;
      if (event.timeStamp - last > LONGEST_GAP_MS) typed = '';
      last = event.timeStamp;
      if (event.key.length === 1) {
        typed += event.key;
      } else if (event.key === 'Enter' && typed.length >= SHORTEST_CODE) {
        // This Enter ends a code: it must neither press a focused button nor close a result.
        event.preventDefault();
        event.stopImmediatePropagation();
        onCode(typed);
        typed = '';
      }
    },
    { capture: true },
  );
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea');
}
