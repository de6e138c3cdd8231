// A hand scanner that types like a keyboard, into whatever has the focus.

import { wedge } from './unit/keyboards.mjs';

const ENDS = { Enter: { text: '\r', windowsVirtualKeyCode: 13 }, Tab: { text: '', windowsVirtualKeyCode: 9 } };
const SHIFT = 8;
const sessions = new WeakMap();

async function sessionOf(page) {
  if (!sessions.has(page)) sessions.set(page, await page.context().newCDPSession(page));
  return sessions.get(page);
}

/** Presses a key as the machine's own keyboard does: it types into fields and presses buttons. */
async function pressForReal(page, { key, code, shiftKey = false }) {
  // Chromium's number of a key, which is that of its letter or digit. For others any will do that is no arrow.
  const number = /^(?:Key|Digit)(.)$/.exec(code)?.[1].charCodeAt(0) ?? (key === ' ' ? 32 : 0);
  const { text, ...more } = ENDS[key] ?? { text: key, windowsVirtualKeyCode: number };
  const session = await sessionOf(page);
  const event = { key, code, modifiers: shiftKey ? SHIFT : 0, ...more };
  await session.send('Input.dispatchKeyEvent', { ...event, type: text === '' ? 'rawKeyDown' : 'keyDown', text });
  await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
}

/** Tells the page of a key, and does nothing else. */
async function tellOfKey(page, { key, code, shiftKey = false }) {
  await page.evaluate((event) => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent('keydown', { ...event, bubbles: true, cancelable: true }));
  }, { key, code, shiftKey });
}

export const HANDS = { real: pressForReal, told: tellOfKey };

/** Types a text on the keys that type it on a US keyboard; `gap` is the time that passes before each key. */
export async function typeLike(page, text, { layout = 'us', gap = 0, end = null, press = pressForReal } = {}) {
  const keys = wedge(text, layout);
  if (end !== null) keys.push({ key: end, code: end });
  for (const key of keys) {
    if (gap > 0) await page.clock.runFor(gap);
    await press(page, key);
  }
}
