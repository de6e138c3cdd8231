// What a key types on a US keyboard, which is what most hand scanners take every device for.

const OTHER_KEYS = new Map(Object.entries({
  Backquote: '`~',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
  NumpadAdd: '++',
  NumpadSubtract: '--',
  NumpadMultiply: '**',
  NumpadDivide: '//',
  NumpadDecimal: '..',
}));
const SHIFTED_DIGITS = ')!@#$%^&*(';

export interface Key {
  /** Which key it is, wherever the device's layout puts its letters. */
  code: string;
  shift: boolean;
  capsLock: boolean;
}

/** Null for a key that a US keyboard does not have, or that the browser does not tell. */
export function onUsKeyboard({ code, shift, capsLock }: Key): string | null {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shift === capsLock ? letter.toLowerCase() : letter;
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1];
  if (digit !== undefined) return shift && code.startsWith('Digit') ? SHIFTED_DIGITS.charAt(Number(digit)) : digit;
  return OTHER_KEYS.get(code)?.charAt(shift ? 1 : 0) ?? null;
}

// What codes are made of.
const ONLY_OF_CODES = /^[\w ./:-]+$/;

/**
 * Whether a text looks as if a device had garbled what a scanner typed for a US keyboard: it has something in it that
 * codes do not have, such as é or &, and for a US keyboard it has not. Letters alone, such as y and z, tell nothing.
 */
export function looksGarbled(text: string, onUs: string): boolean {
  return !ONLY_OF_CODES.test(text) && ONLY_OF_CODES.test(onUs);
}
