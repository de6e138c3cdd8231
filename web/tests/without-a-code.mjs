// Guests without a code, and entries that were mistakes.

import assert from 'node:assert/strict';
import { seriousFindings } from './axe-on-a-phone.mjs';
import { codes, given } from './given.mjs';
import { goOffline, comeBack, isReadyForTheDark, scanElsewhere } from './light.mjs';
import { eventually, see, seeGo, until } from './phone-clock.mjs';
import { answer, dismiss, newPhone, start, type } from './phone.mjs';

/** With a link that may, somebody is found by name and let in; the mistake is undone on the phone, and known to others. */
export async function aGuestIsFoundLetInAndTheMistakeUndone(browser) {
  const page = await openAt(browser, given.desk_url);
  const other = await openAt(browser, given.url);
  assert.equal(await other.locator('#open-guests').isVisible(), false, 'a link finds nobody unless its maker allowed it');
  await isReadyForTheDark(other);
  await isReadyForTheDark(page);

  await page.locator('#open-guests').tap();
  await see(page, '#guest-sheet');
  await page.locator('#guest').fill('qu');
  await page.locator('#guest').press('Enter');
  await eventually(page, '#guest-status', (text) => text.includes('three letters'));
  // What was imported is found a moment later.
  const guests = page.locator('#guest-list li');
  await until(page, () => search(page, 'quima des'), async () => `found: ${await guests.allInnerTexts()}`);
  assert.match(await guests.first().innerText(), /Quima Desk[^]*General[^]*Let in/);
  assert.deepEqual(await seriousFindings(page), [], 'the sheet of guests');
  // By keyboard: the field, the button beside it, the guest's button.
  await page.locator('#guest').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await seeGo(page, '#guest-sheet');
  assert.equal((await answer(page, 'admitted', 'false')).name, 'Quima Desk');
  await dismiss(page);

  // The mistake: one tap asks, the second undoes.
  await page.locator('#open-history').tap();
  const undo = page.locator('#history-list li').first().locator('button');
  await undo.tap();
  assert.equal(await undo.textContent(), 'Tap again to undo');
  assert.deepEqual(await seriousFindings(page), [], 'the last scans');
  await undo.tap();
  await eventually(page, '#history-status', (text) => text.includes('valid again'));
  assert.match(await page.locator('#history-list li').first().innerText(), /undone/);
  assert.equal(await page.locator('#history-list li').first().locator('button').count(), 0);
  await page.locator('#history-sheet [data-close]').tap();

  await type(other, codes.desk[0]);
  await answer(other, 'admitted', 'false');
  await dismiss(other);
  await other.locator('#open-history').tap();
  assert.equal(await other.locator('#history-list button').count(), 0, 'a link undoes nothing unless its maker allowed it');
  await page.context().close();
  await other.context().close();
}

/** A phone that believes that a ticket has entered hears of the undoing with its list, and without a signal lets it in. */
export async function aPhoneWithoutSignalHearsOfAnUndoneEntry(browser) {
  const [, , code] = codes.desk;
  const page = await openAt(browser, given.desk_url);
  const other = await openAt(browser, given.url);
  await isReadyForTheDark(other);
  await type(page, code);
  await answer(page, 'admitted', 'false');
  await dismiss(page);
  await type(other, code);
  await answer(other, 'already_scanned', 'false');
  await dismiss(other);
  await page.locator('#open-history').tap();
  const undo = page.locator('#history-list li').first().locator('button');
  await undo.tap();
  await undo.tap();
  await eventually(page, '#history-status', (text) => text.includes('valid again'));
  const listed = () => other.evaluate(lastChanges);
  await until(other, async () => (await listed()) === 'admitted', async () => `the list says ${await listed()}`);
  await goOffline(other);
  await type(other, code);
  await answer(other, 'admitted', 'true');
  await comeBack(other);
  await eventually(other, '#waiting', (text) => text === '0');
  assert.equal((await scanElsewhere(code)).answer.outcome, 'already_scanned');
  await page.context().close();
  await other.context().close();
}

/** One ticket of an order is shown, and those who are ticked come in with one tap. */
export async function aPartyComesInAtOnce(browser) {
  const [first, , last] = codes.party;
  const page = await openAt(browser, given.desk_url);
  await type(page, first);
  await answer(page, 'admitted', 'false');
  await see(page, '#result-party');
  assert.deepEqual(await seriousFindings(page), [], 'an answer that offers the others');
  await page.locator('#result-party').focus();
  await page.keyboard.press('Enter');
  await seeGo(page, '#result');
  await until(page, async () => (await page.locator('#party-list li').count()) === 2, () => 'the others are not offered');
  await page.locator('#party-list li', { hasText: 'Vera Party' }).locator('input').uncheck();
  await eventually(page, '#party-enter', (text) => text === 'Let in 1');
  assert.deepEqual(await seriousFindings(page), [], 'the sheet of a party');
  await page.locator('#party-enter').tap();
  await eventually(page, '#party-status', (text) => text.includes('1 person let in'));
  assert.match(await page.locator('#party-list li', { hasText: 'Uma Party' }).innerText(), /Let in/);
  await page.locator('#party-sheet [data-close]').tap();
  assert.equal((await scanElsewhere(last)).answer.outcome, 'admitted', 'who was not ticked has not entered');
  await type(page, first);
  await answer(page, 'already_scanned', 'false');
  assert.equal(await page.locator('#result-party').isVisible(), false, 'all of them are in');
  await page.context().close();
}

/** A station that asks: the entry counts when somebody says so, with and without a signal. */
export async function aStationAsksBeforeAnEntryCounts(browser) {
  const [, , , code, another] = codes.desk;
  const page = await openAt(browser, given.asking_url);
  await isReadyForTheDark(page);
  await type(page, code);
  await see(page, '#asking-sheet');
  assert.equal(await page.locator('#asking-name').textContent(), 'Wanda Desk');
  assert.deepEqual(await seriousFindings(page), [], 'the question');
  await page.locator('#asking-no').tap();
  await seeGo(page, '#asking-sheet');
  assert.equal(await page.locator('#result').isVisible(), false, 'nothing was decided');
  await type(page, code);
  await see(page, '#asking-sheet');
  await page.keyboard.press('Enter');
  await answer(page, 'admitted', 'false');
  await type(page, code);
  await answer(page, 'already_scanned', 'false');
  await dismiss(page);

  await goOffline(page);
  await type(page, another);
  await see(page, '#asking-offline');
  await page.keyboard.press('Escape');
  await seeGo(page, '#asking-sheet');
  assert.equal(await page.locator('#waiting').textContent(), '0', 'nothing waits');
  await type(page, another);
  await see(page, '#asking-sheet');
  await page.locator('#asking-yes').tap();
  await answer(page, 'admitted', 'true');
  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '0');
  assert.equal((await scanElsewhere(another)).answer.outcome, 'already_scanned');
  await page.context().close();
}

/** What the phone's list says of the ticket that changed last. */
async function lastChanges() {
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open('taquilla-door');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const rows = await new Promise((resolve) => {
    const reading = database.transaction('tickets').objectStore('tickets').getAll();
    reading.onsuccess = () => resolve(reading.result);
  });
  database.close();
  rows.sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  return rows[0].outcome;
}

async function search(page, text) {
  await page.locator('#guest').fill(text);
  await page.locator('#guest').press('Enter');
  await until(page, async () => (await page.locator('#guest-status').textContent()) !== 'Looking…', () => 'no answer');
  return (await page.locator('#guest-list li').count()) > 0;
}

async function openAt(browser, url) {
  const page = await newPhone(browser);
  await page.goto(url);
  await start(page);
  return page;
}
