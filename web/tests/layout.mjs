// Whether an answer can be read, whichever way the phone is held, and what the keyboard reaches meanwhile.

import assert from 'node:assert/strict';
import { codes, given } from './given.mjs';
import { see } from './phone-clock.mjs';
import { answer, dismiss, newPhone, start, type, watch } from './phone.mjs';

const SCREENS = [
  { width: 360, height: 640 },
  { width: 844, height: 390 },
];

export async function anAnswerFitsOnEveryScreen(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    await type(page, codes.typed);
    await answer(page, 'already_scanned', 'false');
    for (const id of ['#result-headline', '#result-explanation', '#result-close']) {
      const { x, y, width, height } = await page.locator(id).boundingBox();
      const inside = x >= 0 && y >= 0 && x + width <= screen.width && y + height <= screen.height;
      assert.ok(inside, `${id} is cut off at ${screen.width}×${screen.height}: ${[x, y, width, height]}`);
    }
  }
  await page.context().close();
}

export async function theKeyboardStaysWithTheAnswer(browser) {
  const page = await watch(await (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })).newPage());
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await page.goto(given.url);
  await see(page, '#start');
  assert.equal(await focused(), 'event-name', 'a screen reader does not hear which screen this is');
  await start(page);
  await type(page, codes.typed);
  await answer(page, 'already_scanned', 'false');
  for (let times = 0; times < 4; times++) {
    await page.keyboard.press('Tab');
    assert.notEqual(await focused(), 'code', 'the field under the answer can be reached');
  }
  await dismiss(page);
  assert.equal(await focused(), 'code');
  await page.context().close();
}
