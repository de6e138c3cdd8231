// Phones, and what their owners do with them.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium } from './chromium.mjs';
import { folder, given, WAIT_MS } from './given.mjs';
import { see, seeGo, stopClock, until } from './phone-clock.mjs';

const PHONE = {
  viewport: { width: 390, height: 844 },
  // Nothing in the page depends on it but how sharp a picture is, and four times as many points take longer to draw.
  deviceScaleFactor: given.pictures || given.screens ? 2 : 1,
  isMobile: true,
  hasTouch: true,
  // Pictures taken in the middle of a movement would differ from run to run.
  reducedMotion: 'reduce',
};

/** Everything that went wrong in a page without being seen. */
export const complaints = [];
const running = new Set();
let pageInUse = null;

export async function launch(profile, film) {
  const chromium = await startChromium(given.chromium, profile, join(folder, film));
  running.add(chromium);
  return chromium;
}

export async function stop(chromium) {
  running.delete(chromium);
  await chromium.kill();
}

export async function inBrowser(film, steps) {
  const chromium = await launch(mkdtempSync(join(folder, 'profile-')), film);
  await steps(chromium.browser);
  await stop(chromium);
}

export async function stopAll() {
  for (const chromium of running) await chromium.kill();
}

/** Some of what the page complains of here is what a test plays. */
export function forgetComplaints(words) {
  const others = complaints.filter((complaint) => !complaint.includes(words));
  complaints.splice(0, complaints.length, ...others);
}

/** The page that was in use when something failed. */
export function lastPage() {
  return pageInUse;
}

/** Somebody's phone; `other` says what is different about it. */
export async function newPhone(browser, other = {}) {
  return watch(await (await browser.newContext({ ...PHONE, ...other })).newPage());
}

export async function watch(page) {
  pageInUse = page;
  page.setDefaultTimeout(WAIT_MS);
  await stopClock(page);
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    // The browser notes every call that fails or is refused; this test makes calls fail.
    const { url } = message.location();
    const expected = message.text().startsWith('Failed to load resource') && /\/door\/(v1\/|sw\.js)/.test(url);
    if (message.type() === 'error' && !expected) complaints.push(`${message.text()} (${url})`);
  });
  return page;
}

export async function start(page) {
  await see(page, '#start');
  await page.locator('#start').click();
  await see(page, '#network');
}

/** Closes the answer on the screen, if there is one. The page takes no notice of a key that comes too soon after it. */
export async function dismiss(page) {
  await page.clock.runFor(300);
  await page.keyboard.press('Escape');
  await seeGo(page, '#result');
}

export async function type(page, code) {
  // An answer that is still on the screen would be taken for the next one.
  await dismiss(page);
  await page.locator('#code').fill(code);
  await page.locator('#code').press('Enter');
}

/** A keyboard that types faster than any person, with no field in focus. */
export async function scanByHand(page, code) {
  await page.evaluate((text) => {
    document.activeElement?.blur();
    for (const key of [...text, 'Enter']) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
  }, code);
}

export async function answer(page, outcome, offline) {
  await see(page, '#result');
  const [seen, words] = await page.locator('#result').evaluate((result) => {
    const text = (id) => result.querySelector(id).textContent;
    return [
      { outcome: result.dataset.outcome, offline: result.dataset.offline },
      { name: text('#result-name'), type: text('#result-type'), explanation: text('#result-explanation') },
    ];
  });
  assert.deepEqual(seen, { outcome, offline });
  return words;
}

/** Waits until the reader has looked for codes in so many more pictures of the camera. */
export async function seePicturesRead(page, count) {
  const picturesRead = () => page.evaluate(() => window.picturesRead);
  const enough = (await picturesRead()) + count;
  await until(page, async () => (await picturesRead()) >= enough, () => 'the camera is not read');
}

export async function counters(page) {
  return {
    entered: Number(await page.locator('#entered').textContent()),
    toCome: Number(await page.locator('#to-come').textContent()),
  };
}

export async function stationOf(page) {
  return page.locator('#station-name').textContent();
}

export async function picture(page, name) {
  if (given.pictures) await page.screenshot({ path: join(given.pictures, `${name}.png`), scale: 'css' });
}
