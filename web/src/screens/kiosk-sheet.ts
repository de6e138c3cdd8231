import { beSilent, isSilent } from '../kiosk';
import { PIN_MAX_DIGITS } from '../generated/contract';
import { part, write } from '../page-parts';
import { raise } from '../sheets';
import { texts } from '../texts/texts';

// Nobody holds a button so long by accident, and a child that plays has gone on.
const HELD_MS = 3_000;
// A guest who opened the sheet and went away must not stop the next one.
const OPEN_MS = 20_000;

/** What staff need to leave self-scanning. */
export interface Leaving {
  hasPin: () => boolean;
  /** Says in words why it is not the link's PIN; null where it is. */
  tryPin: (pin: string) => Promise<string | null>;
  leave: () => void;
}

/** The way out of self-scanning: the link's PIN, or where it has none, a button that is held. And its sound. */
export class KioskSheet {
  readonly #sheet = part('kiosk-sheet', HTMLDialogElement);
  readonly #leaving: Leaving;
  #heldTimer: number | undefined;
  #closeTimer: number | undefined;

  constructor(leaving: Leaving) {
    this.#leaving = leaving;
    part('kiosk-leave').addEventListener('click', () => this.#open());
    part('kiosk-pin-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#tryPin();
    });
    const button = part('kiosk-hold');
    button.addEventListener('pointerdown', () => this.#hold());
    button.addEventListener('keydown', ({ key, repeat }) => {
      if (!repeat && (key === 'Enter' || key === ' ')) this.#hold();
    });
    for (const end of ['pointerup', 'pointerleave', 'pointercancel', 'keyup', 'blur']) {
      button.addEventListener(end, () => this.#letGo());
    }
    this.#sheet.addEventListener('close', () => {
      this.#letGo();
      window.clearTimeout(this.#closeTimer);
    });
    for (const touch of ['pointerdown', 'keydown']) this.#sheet.addEventListener(touch, () => this.#closeLater());
    const sound = part('kiosk-sound');
    const showSound = (): void => sound.setAttribute('aria-pressed', String(!isSilent()));
    sound.addEventListener('click', () => {
      beSilent(!isSilent());
      showSound();
    });
    showSound();
  }

  #open(): void {
    const hasPin = this.#leaving.hasPin();
    const field = part('kiosk-pin', HTMLInputElement);
    field.maxLength = PIN_MAX_DIGITS;
    field.value = '';
    write('kiosk-message', '');
    part('kiosk-pin-form').hidden = !hasPin;
    part('kiosk-hold').hidden = hasPin;
    write('kiosk-advice', hasPin ? texts().kiosk.pinAdvice : texts().kiosk.holdAdvice);
    raise(this.#sheet);
    this.#closeLater();
  }

  async #tryPin(): Promise<void> {
    const field = part('kiosk-pin', HTMLInputElement);
    const pin = field.value.trim();
    const refusal = pin === '' ? texts().pin.missing : await this.#leaving.tryPin(pin);
    if (refusal === null) this.#leave();
    else {
      write('kiosk-message', refusal);
      field.value = '';
      field.focus();
    }
  }

  #hold(): void {
    window.clearTimeout(this.#heldTimer);
    part('kiosk-hold').dataset.held = 'true';
    this.#heldTimer = window.setTimeout(() => this.#leave(), HELD_MS);
  }

  #letGo(): void {
    window.clearTimeout(this.#heldTimer);
    part('kiosk-hold').dataset.held = 'false';
  }

  #leave(): void {
    this.#sheet.close();
    this.#leaving.leave();
  }

  #closeLater(): void {
    window.clearTimeout(this.#closeTimer);
    this.#closeTimer = window.setTimeout(() => this.#sheet.close(), OPEN_MS);
  }
}
