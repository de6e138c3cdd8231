// A night at the door: every outcome, with and without a signal, until the link is withdrawn.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { filmOf } from '../fake-camera.mjs';
import { codes, folder, given, origin } from '../given.mjs';
import * as forGuests from '../for-guests.mjs';
import * as layout from '../layout.mjs';
import * as outAndIn from '../out-and-in.mjs';
import { comeBack, cutConnection, goOffline, isReadyForTheDark, scanElsewhere } from '../light.mjs';
import * as phone from '../phone.mjs';
import { answer, counters, dismiss, newPhone, picture, start, stationOf, type } from '../phone.mjs';
import { eventually, see, seeGo, until } from '../phone-clock.mjs';
import * as trouble from '../trouble.mjs';
import * as withoutACode from '../without-a-code.mjs';

const UNKNOWN_CODE = 'NOBODY-KNOWS-THIS';

export async function play() {
  await filmOf(null, join(folder, 'stage.y4m'));
  await filmOf(codes.camera, join(folder, 'code.y4m'));

  if (given.whole) {
    await phone.inBrowser('code.y4m', theCameraReadsATicketOnceForAsLongAsItIsShown);
    await aKilledBrowserForgetsNothing();
  }
  await phone.inBrowser('stage.y4m', async (browser) => {
    await whatTheServerDecides(browser);
    if (given.whole) await whatThePageDoesByItself(browser);
    await aRevokedLinkIsRefused(browser);
  });
}

async function whatTheServerDecides(browser) {
  await everyOutcomeHasItsAnswer(browser);
  await withoutAConnectionThePhoneDecides(browser);
  await withoutACode.aGuestIsFoundLetInAndTheMistakeUndone(browser);
  await withoutACode.aPartyComesInAtOnce(browser);
  await withoutACode.aStationAsksBeforeAnEntryCounts(browser);
  await withoutACode.aPhoneWithoutSignalHearsOfAnUndoneEntry(browser);
  await outAndIn.peopleGoOutAndComeInAgain(browser);
  await forGuests.aDoorOfTwoEventsShowsNotes(browser);
}

async function whatThePageDoesByItself(browser) {
  await aBrowserThatReadsCodesItselfIsAskedFirst(browser);
  await aPinIsAskedForAndChecked(browser);
  await trouble.aStrangersAnswerSettlesNothing(browser);
  await trouble.anAdmissionWaitsForALinkThatCoversIt(browser);
  await trouble.aListOlderThanAScanAdmitsNobodyTwice(browser);
  await trouble.aListThatFailsLeavesTheDoorOpen(browser);
  await trouble.anEndedLinkAdmitsNobodyInTheDark(browser);
  await forGuests.guestsScanByThemselves(browser);
  await layout.anAnswerFitsOnEveryScreen(browser);
  await layout.theKeyboardStaysWithTheAnswer(browser);
}

async function theCameraReadsATicketOnceForAsLongAsItIsShown(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await see(page, '#start');
  assert.equal(page.url(), `${origin}/door`, 'the token is still in the address bar');
  await see(page, '#start-list[data-list=ready]');
  await picture(page, 'door-start');
  await page.locator('#start').tap();

  const first = await answer(page, 'admitted', 'false');
  assert.notEqual(first.name, '', 'an admitted ticket has a name');
  await picture(page, 'door-admitted');
  // The code stays in view, so nothing may happen when the answer goes away by itself.
  await seeGo(page, '#result');
  await eventually(page, '#entered', (text) => Number(text) >= 1);
  await phone.seePicturesRead(page, 20);
  assert.equal(await page.locator('#result').getAttribute('data-answer'), '1', 'a code in view was read twice');

  await type(page, codes.camera);
  const again = await answer(page, 'already_scanned', 'false');
  assert.equal(again.name, first.name);
  assert.match(again.explanation, /\d\d:\d\d/, 'the time of the first scan is missing');
  assert.ok(again.explanation.includes(await stationOf(page)), 'the station of the first scan is missing');
  await picture(page, 'door-already-scanned');
  // Tapped away, it is still the same showing.
  await page.clock.runFor(300);
  await page.touchscreen.tap(195, 300);
  await seeGo(page, '#result');
  await phone.seePicturesRead(page, 20);
  assert.equal(await page.locator('#result').getAttribute('data-answer'), '2', 'a code in view was read again');
  await page.context().close();
}

async function everyOutcomeHasItsAnswer(browser) {
  const page = await newPhone(browser);
  await page.goto(`${origin}/door`);
  await page.locator('#link').fill('not a link');
  await page.locator('#link').press('Enter');
  await see(page, '#link-message');
  await page.locator('#link').fill(given.url);
  await page.locator('#link').press('Enter');
  await start(page);
  await phone.seePicturesRead(page, 2);
  await picture(page, 'door-scanning');

  const before = await counters(page);
  await type(page, codes.typed);
  await answer(page, 'admitted', 'false');
  await eventually(page, '#entered', (text) => Number(text) === before.entered + 1);
  await eventually(page, '#to-come', (text) => Number(text) === before.toCome - 1);

  for (const outcome of ['cancelled', 'refunded', 'transferred']) {
    await type(page, codes[outcome]);
    await answer(page, outcome, 'false');
  }
  await type(page, codes.bar);
  const notHere = await answer(page, 'not_here', 'false');
  assert.notEqual(notHere.type, '', 'the type of a ticket for another station is missing');
  await type(page, codes.other_event);
  assert.match((await answer(page, 'wrong_event', 'false')).explanation, /is for .+/);
  await type(page, UNKNOWN_CODE);
  await answer(page, 'unknown', 'false');
  await dismiss(page);

  await aGroupIsCountedAsItEnters(page);
  await phone.scanByHand(page, codes.wedge);
  await answer(page, 'admitted', 'false');
  await page.clock.runFor(300);
  await page.keyboard.press('Enter');
  await seeGo(page, '#result');
  await page.context().close();
}

/** Those at the door see how many of a group are in, and how many came in here. */
async function aGroupIsCountedAsItEnters(page) {
  const here = async () => Number(await page.locator('#entered-here').textContent());
  const before = await here();
  for (const [at, code] of codes.group.slice(0, 2).entries()) {
    await type(page, code);
    await answer(page, 'admitted', 'false');
    assert.match(await page.locator('#result-group').textContent(), new RegExp(`^${at + 1} of 4 `));
  }
  await type(page, codes.group[0]);
  await answer(page, 'already_scanned', 'false');
  assert.match(await page.locator('#result-group').textContent(), /^2 of 4 /);
  await until(page, async () => (await here()) === before + 2, async () => `${await here()} entered here, not ${before + 2}`);
  await dismiss(page);
  await page.locator('#open-history').tap();
  await see(page, '#history-sheet');
  const rows = await page.locator('#history-list li').allInnerTexts();
  assert.match(rows[0], /Already scanned[^]*Pilar Ibáñez[^]*UP-1/);
  assert.match(rows[1], /Come in[^]*Pilar Ibáñez[^]*UP-2/);
  await picture(page, 'door-history');
  await page.locator('#history-sheet [data-close]').tap();
  await page.locator('#network').tap();
  await see(page, '#doors-list .door');
  await picture(page, 'door-doors');
  await page.locator('#door-sheet [data-close]').tap();
}

/** Debian's Chromium has no reader of its own, so this one is played: it tells of a code that no picture shows. */
async function aBrowserThatReadsCodesItselfIsAskedFirst(browser) {
  const page = await newPhone(browser);
  await page.addInitScript((code) => {
    window.BarcodeDetector = class {
      static getSupportedFormats = async () => ['qr_code', 'aztec'];
      detect = async ({ width, height }) => [{ rawValue: code, cornerPoints: [{ x: width / 2, y: height / 2 }] }];
    };
  }, codes.native);
  await page.goto(given.url);
  await start(page);
  assert.notEqual((await answer(page, 'admitted', 'false')).name, '');
  await page.context().close();
}

async function aPinIsAskedForAndChecked(browser) {
  const page = await newPhone(browser);
  await page.goto(given.pin_url);
  await see(page, '#pin');
  await picture(page, 'door-pin');
  await page.locator('#pin').fill(given.pin === '0000' ? '1111' : '0000');
  await page.locator('#pin').press('Enter');
  await see(page, '#pin-message');
  await page.locator('#pin').fill(given.pin);
  await page.locator('#pin').press('Enter');
  await start(page);
  await type(page, codes.typed);
  await answer(page, 'already_scanned', 'false');
  // Whoever has typed the PIN once need not do so again.
  await page.reload();
  await start(page);
  await type(page, codes.typed);
  await answer(page, 'already_scanned', 'false');
  await page.context().close();
}

async function withoutAConnectionThePhoneDecides(browser) {
  const [a, b] = codes.offline;
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await isReadyForTheDark(page);
  await goOffline(page);

  const other = await scanElsewhere(b);
  assert.equal(other.answer.outcome, 'admitted');
  const before = await counters(page);
  for (const code of [a, b]) {
    await type(page, code);
    const green = await answer(page, 'admitted', 'true');
    assert.notEqual(green.type, '', 'an offline answer has the type of the ticket');
    if (code === b) await picture(page, 'door-offline');
  }
  assert.equal((await counters(page)).entered, before.entered + 2, 'who came in offline is not counted');
  await type(page, a);
  const again = await answer(page, 'already_scanned', 'true');
  assert.ok(again.explanation.includes(await stationOf(page)), 'the station of the first scan is missing');
  await type(page, UNKNOWN_CODE);
  await answer(page, 'not_on_list', 'true');
  await eventually(page, '#waiting', (text) => text === '4');

  await page.reload();
  await start(page);
  await see(page, '#network[data-state=offline]');
  await eventually(page, '#waiting', (text) => text === '4');
  await type(page, b);
  await answer(page, 'already_scanned', 'true');
  await eventually(page, '#waiting', (text) => text === '5');
  await dismiss(page);

  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '0');
  await eventually(page, '#conflicts', (text) => text === '1');
  await page.locator('#open-conflicts').tap();
  const conflict = page.locator('#conflict-list li');
  assert.equal(await conflict.count(), 1);
  const words = await conflict.innerText();
  assert.ok(words.includes(other.station), `the conflict does not name the other station: ${words}`);
  await picture(page, 'door-conflict');
  await page.locator('#dismiss-all').tap();
  await eventually(page, '#conflicts', (text) => text === '0');

  const { answer: there } = await scanElsewhere(a);
  assert.equal(there.outcome, 'already_scanned');
  assert.equal(there.first_scan.station, await stationOf(page));
  await page.context().close();
}

async function aKilledBrowserForgetsNothing() {
  const [code] = codes.killed;
  const profile = join(folder, 'killed-profile');
  let chromium = await phone.launch(profile, 'stage.y4m');
  let page = await phone.watch(await chromium.browser.contexts()[0].newPage());
  await page.goto(given.url);
  await start(page);
  const station = await stationOf(page);
  await isReadyForTheDark(page);
  await goOffline(page);
  await type(page, code);
  await answer(page, 'admitted', 'true');
  await phone.stop(chromium);

  chromium = await phone.launch(profile, 'stage.y4m');
  page = await phone.watch(await chromium.browser.contexts()[0].newPage());
  await cutConnection(page);
  await page.goto(`${origin}/door`);
  await start(page);
  await see(page, '#network[data-state=offline]');
  await eventually(page, '#waiting', (text) => text === '1');
  await type(page, code);
  await answer(page, 'already_scanned', 'true');
  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '0');
  assert.equal(await page.locator('#conflicts').textContent(), '0');
  const { answer: there } = await scanElsewhere(code);
  assert.equal(there.outcome, 'already_scanned');
  assert.equal(there.first_scan.station, station);
  await phone.stop(chromium);
}

async function aRevokedLinkIsRefused(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await isReadyForTheDark(page);
  await page.locator('#code').fill(codes.typed);
  const [program, ...rest] = given.revoke;
  const [status] = await once(spawn(program, rest, { stdio: 'inherit' }), 'exit');
  assert.equal(status, 0, 'the link could not be revoked');
  // Sent without looking for the field first: the page may have heard of it by itself in the meantime.
  await page.locator('#code-form').evaluate((form) => form.requestSubmit());
  await see(page, '#refused');
  await picture(page, 'door-refused');
  await page.reload();
  await see(page, '#refused');
  await page.context().close();
}

