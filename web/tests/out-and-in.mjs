// Going out and coming in again, and a place that is nearly full.

import assert from 'node:assert/strict';
import { seriousFindings } from './axe-on-a-phone.mjs';
import { codes, given } from './given.mjs';
import { goOffline, comeBack, isReadyForTheDark, scanElsewhere } from './light.mjs';
import { eventually, see, until } from './phone-clock.mjs';
import { answer, dismiss, newPhone, start, type } from './phone.mjs';

/** Somebody goes out with a signal, and a phone that has lost its own knows that they may come in again, once. */
export async function peopleGoOutAndComeInAgain(browser) {
  const code = codes.out;
  const garden = await openAt(browser, given.garden_url);
  const exit = await openAt(browser, given.exit_url);
  await see(exit, '#way-out');
  assert.equal(await garden.locator('#way-out').isVisible(), false);
  await type(exit, code);
  await answer(exit, 'not_inside', 'false');
  await dismiss(exit);
  await type(garden, code);
  await answer(garden, 'admitted', 'false');
  await dismiss(garden);
  await eventually(garden, '#inside-warning', (text) => text.includes('Garden is nearly full: 1 of 1'));
  assert.deepEqual(await seriousFindings(garden), [], 'the warning');

  await type(exit, code);
  assert.equal((await answer(exit, 'went_out', 'false')).name, 'Yara Out');
  assert.deepEqual(await seriousFindings(exit), [], 'somebody goes out');
  await dismiss(exit);
  await isReadyForTheDark(garden);
  const known = () => garden.evaluate(countOutside);
  await until(garden, async () => (await known()) === 1, async () => `${await known()} are outside`);
  await goOffline(garden);
  await type(garden, code);
  await answer(garden, 'reentered', 'true');
  await dismiss(garden);
  await type(garden, code);
  await answer(garden, 'already_scanned', 'true');
  await dismiss(garden);
  await comeBack(garden);
  await eventually(garden, '#waiting', (text) => text === '0');
  assert.equal((await scanElsewhere(code)).answer.outcome, 'already_scanned');
  await type(exit, code);
  await answer(exit, 'went_out', 'false');
  await garden.context().close();
  await exit.context().close();
}

/** How many are outside, by this phone's list. */
async function countOutside() {
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open('taquilla-door');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const marks = await new Promise((resolve) => {
    const reading = database.transaction('marks').objectStore('marks').getAll();
    reading.onsuccess = () => resolve(reading.result);
  });
  database.close();
  return marks.flatMap((mark) => mark.outside ?? []).length;
}

async function openAt(browser, url) {
  const page = await newPhone(browser);
  await page.goto(url);
  await start(page);
  return page;
}
