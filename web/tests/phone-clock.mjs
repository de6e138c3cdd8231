// The phone's clock stands still, and moves on only while the test waits for something. How long an answer stays on the
// screen, when a code is out of view and when the page tries again do not depend on how busy this machine is.

import assert from 'node:assert/strict';
import { WAIT_MS } from './given.mjs';

const STEP_MS = 100;
const ONE_DAY_MS = 24 * 60 * 60 * 1000;

export async function stopClock(page) {
  // A running clock can only be stopped at a later time than its own, so it starts a day behind.
  await page.clock.install({ time: Date.now() - ONE_DAY_MS });
  await page.clock.pauseAt(Date.now());
  // The phone's time may pass faster than the server answers, so the phone waits for an answer as long as it takes.
  await page.addInitScript(() => {
    Object.defineProperty(AbortSignal, 'timeout', { value: () => new AbortController().signal });
  });
}

/** Lets the phone's time pass until something holds; `complaint` says what is wrong when it never does. */
export async function until(page, holds, complaint) {
  const deadline = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(await complaint());
    await page.clock.runFor(STEP_MS);
  }
}

export async function see(page, selector) {
  await until(page, () => page.locator(selector).isVisible(), () => `${selector} is not there`);
}

export async function seeGo(page, selector) {
  await until(page, () => page.locator(selector).isHidden(), () => `${selector} is still there`);
}

export async function eventually(page, selector, holds) {
  const text = () => page.locator(selector).textContent();
  await until(page, async () => holds(await text()), async () => `${selector} stayed at "${await text()}", not ${holds}`);
}

/** Lets time pass until the phone has fetched its list once more, which is the last thing it does to catch up. */
export async function seeItCatchUp(page) {
  let fetched = false;
  const hear = (response) => (fetched ||= response.url().includes('/door/v1/codes?'));
  page.on('response', hear);
  await until(page, () => fetched, () => 'the phone does not fetch its list');
  page.off('response', hear);
}
