import { PIN_MAX_DIGITS } from '../generated/contract';
import { part, show, write } from '../page-parts';
import { texts } from '../texts/texts';

/** Asks for the PIN. `tryPin` opens the door, or says in words why not. */
export function showPinScreen(tryPin: (pin: string) => Promise<string | null>): void {
  const form = part('pin-form', HTMLFormElement);
  const field = part('pin', HTMLInputElement);
  const button = part('pin-open', HTMLButtonElement);
  field.maxLength = PIN_MAX_DIGITS;
  field.value = '';
  write('pin-message', '');
  form.onsubmit = async (event) => {
    event.preventDefault();
    const pin = field.value.trim();
    if (pin === '') {
      write('pin-message', texts().pin.missing);
      return;
    }
    button.disabled = true;
    write('pin-message', '');
    let refusal: string | null;
    try {
      refusal = await tryPin(pin);
    } finally {
      button.disabled = false;
    }
    if (refusal === null) return;
    write('pin-message', refusal);
    field.value = '';
    field.focus();
  };
  show('pin-screen');
  field.focus();
}
