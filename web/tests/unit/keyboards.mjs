// Keyboards: what a key is called, what it types under a layout, and a page that hears it.

/** As much of an element as a key press may be aimed at. */
globalThis.Element ??= class {
  value = '';

  constructor(tag, { id = '', isInSheet = false } = {}) {
    Object.assign(this, { tag, id, isInSheet });
  }

  matches(tags) {
    return tags.split(', ').includes(this.tag);
  }

  closest() {
    return this.isInSheet ? this : null;
  }
};

const DIGITS = '1234567890';
const US_PLAIN = { Minus: '-', Period: '.', Slash: '/', Semicolon: ';', Comma: ',', Space: ' ', Quote: "'" };
const US_SHIFTED = { Minus: '_', Slash: '?', Semicolon: ':', Quote: '"' };

/** The key, and whether shift is held, that types this on a US keyboard. */
export function onUs(letter) {
  if (/[a-z]/i.test(letter)) return { code: `Key${letter.toUpperCase()}`, shiftKey: letter !== letter.toLowerCase() };
  if (DIGITS.includes(letter)) return { code: `Digit${letter}`, shiftKey: false };
  for (const [keys, shiftKey] of [[US_PLAIN, false], [US_SHIFTED, true]]) {
    const found = Object.entries(keys).find(([, typed]) => typed === letter);
    if (found !== undefined) return { code: found[0], shiftKey };
  }
  throw new Error(`no key for ${letter}`);
}

/** Where a layout differs: what a key types by itself, and with shift. */
const LAYOUTS = {
  us: {},
  de: {
    KeyY: 'zZ',
    KeyZ: 'yY',
    Minus: 'ß?',
    Slash: '-_',
    Semicolon: 'öÖ',
    Period: '.:',
    Comma: ',;',
    Quote: 'äÄ',
    digits: ['1234567890', '!"§$%&/()='],
  },
  fr: {
    KeyA: 'qQ',
    KeyQ: 'aA',
    KeyW: 'zZ',
    KeyZ: 'wW',
    KeyM: ',?',
    Minus: ')°',
    Slash: '!§',
    Semicolon: 'mM',
    Period: ':/',
    Comma: ';.',
    Quote: 'ù%',
    digits: ['&é"\'(-è_çà', '1234567890'],
  },
  es: {
    Minus: "'?",
    Slash: '-_',
    Semicolon: 'ñÑ',
    Period: '.:',
    Comma: ',;',
    // An accent that waits for its letter.
    Quote: null,
    digits: ['1234567890', '!"·$%&/()='],
  },
};

/** What a scanner that takes every device for a US keyboard sends to one with this layout. */
export function wedge(text, layout = 'us') {
  return [...text].map((letter) => {
    const { code, shiftKey } = onUs(letter);
    const { digits = [DIGITS, '!@#$%^&*()'], ...others } = LAYOUTS[layout];
    if (code.startsWith('Digit')) {
      return { key: digits[Number(shiftKey)][DIGITS.indexOf(code.at(-1))], code, shiftKey };
    }
    if (!(code in others)) return { key: letter, code, shiftKey };
    return { key: others[code]?.[Number(shiftKey)] ?? 'Dead', code, shiftKey };
  });
}

/** What a device with this layout makes of that. */
export function garbled(text, layout) {
  return wedge(text, layout).map(({ key }) => (key === 'Dead' ? '' : key)).join('');
}
