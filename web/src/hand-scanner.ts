// A hand scanner is a keyboard that types very fast, and then presses Enter, Tab or nothing.

import { FASTER_THAN_PEOPLE_MS, KeyBurst, type HandScan, type Place, type Stroke } from './key-burst';
import { onUsKeyboard } from './us-keyboard';

// A run of keys that nothing ends is over after twice this time. In two steps: if the page was busy, the keys that
// wait are heard between them.
const HALF_OF_SILENCE_MS = 100;
// An Enter or Tab that a scanner sends late belongs to the code that was taken without it.
const LATE_END_MS = 300;

/** Listens for a hand scanner, wherever its keys go. */
export function listenToHandScanner(onScan: (scan: HandScan) => void): void {
  let burst = new KeyBurst();
  let silence: ReturnType<typeof setTimeout> | undefined;
  let lateEndsUntil = Number.NEGATIVE_INFINITY;
  let spaceIsHeld = false;

  const forget = (): void => {
    clearTimeout(silence);
    burst = new KeyBurst();
  };
  const take = (until: number): void => {
    const taken = burst;
    forget();
    lateEndsUntil = until;
    onScan(taken.take());
  };
  const onSilence = (): void => {
    if (burst.isCodeInSilence()) take(burst.endedAt + 2 * HALF_OF_SILENCE_MS + LATE_END_MS);
    else forget();
  };
  const waitForSilence = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => (silence = setTimeout(onSilence, HALF_OF_SILENCE_MS)), HALF_OF_SILENCE_MS);
  };

  const onEnd = (event: KeyboardEvent, end: Stroke): void => {
    if (burst.isEmpty) {
      if (end.at <= lateEndsUntil) swallow(event);
    } else if (burst.isCodeEndedBy(end)) {
      // It must neither press a focused button, nor close an answer, nor move the focus. Some scanners send two.
      swallow(event);
      take(end.at + FASTER_THAN_PEOPLE_MS);
    } else {
      forget();
    }
  };
  const onLetter = (event: KeyboardEvent, stroke: Stroke): void => {
    const gap = stroke.at - burst.endedAt;
    // A space would press a focused button, a browser may begin to search, and a list of choices would choose.
    if (stroke.place === 'page' ? !burst.isEmpty : isChoice(event.target) && gap <= FASTER_THAN_PEOPLE_MS) {
      event.preventDefault();
      spaceIsHeld = event.key === ' ';
    }
    burst.add(stroke);
    waitForSilence();
  };

  document.addEventListener(
    'keydown',
    (event) => {
      if (isShortcut(event) || event.isComposing) return;
      const stroke = strokeOf(event);
      // A key that is held down comes as fast as a scanner's.
      if (event.repeat || !burst.goesOnAt(stroke.at)) forget();
      if (event.repeat) return;
      if (event.key === 'Enter' || event.key === 'Tab') onEnd(event, stroke);
      else if (event.key.length === 1 || event.key === 'Dead') onLetter(event, stroke);
    },
    { capture: true },
  );
  // Firefox presses a button when a space is let go.
  document.addEventListener(
    'keyup',
    (event) => {
      if (event.key !== ' ' || !spaceIsHeld) return;
      spaceIsHeld = false;
      event.preventDefault();
    },
    { capture: true },
  );
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** AltGr, which some devices tell as Ctrl and Alt, types letters too. */
function isShortcut(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
}

function strokeOf(event: KeyboardEvent): Stroke {
  const { key, code, shiftKey: shift, timeStamp: at, target } = event;
  const field = isField(target) ? target : null;
  const altGraph = event.getModifierState('AltGraph');
  const onUs = altGraph ? null : onUsKeyboard({ code, shift, capsLock: event.getModifierState('CapsLock') });
  return { key, onUs, at, field, place: field === null ? 'page' : placeOf(field) };
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isField(target: EventTarget | null): target is Field {
  return target instanceof Element && target.matches('input, select, textarea');
}

function isChoice(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('select');
}

function placeOf(field: Field): Place {
  if (field.id === 'code') return 'code';
  return field.closest('dialog') === null ? 'other' : 'sheet';
}
