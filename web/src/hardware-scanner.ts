// A hardware scanner is a keyboard that types very fast and then presses Enter.

const LONGEST_GAP_MS = 120;
// No person types this fast, so in the field of a sheet too it is a code, and not the name of a station.
const LONGEST_GAP_IN_A_SHEET_MS = 35;
const SHORTEST_CODE = 4;

/** Listens for a hardware scanner while no field has the focus, other than one in a sheet. */
export function listenToHardwareScanner(onCode: (code: string) => void): void {
  let typed = '';
  let last = 0;
  document.addEventListener(
    'keydown',
    (event) => {
      const longestGap = longestGapIn(event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || longestGap === null) return;
      if (event.timeStamp - last > longestGap) typed = '';
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

/** Null in a field that a scanner may type into by itself. */
function longestGapIn(target: EventTarget | null): number | null {
  if (!(target instanceof Element && target.matches('input, select, textarea'))) return LONGEST_GAP_MS;
  return target.closest('dialog') === null ? null : LONGEST_GAP_IN_A_SHEET_MS;
}
