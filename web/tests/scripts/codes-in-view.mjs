// One code is one decision, and its answer is seen: whatever else is in front of the camera, and however fast codes come.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { filmOf, filmOfSeveral, finderIn } from '../fake-camera.mjs';
import { codes, folder, given } from '../given.mjs';
import { scanElsewhere } from '../light.mjs';
import { answer, dismiss, inBrowser, newPhone, scanByHand, seePicturesRead, start, type } from '../phone.mjs';
import { see, seeGo, until } from '../phone-clock.mjs';
import { answers, answersAtOnce, noteAnswers, playReader, show } from '../played-reader.mjs';

const GREEN_SEEN_MS = 800;
const GREEN_GONE_MS = 2_000;
const RED_SEEN_MS = 2_000;
const SPONSOR = 'HTTPS://SPONSOR.EXAMPLE/WIN';

const spare = [...codes.spare];
const newTicket = () => spare.shift();

export async function play() {
  await filmOf(null, join(folder, 'stage.y4m'));
  let finder;
  await inBrowser('stage.y4m', async (browser) => {
    finder = await theViewfinder(browser);
    await severalCodesAreSaidOnTheSmallestScreen(browser);
    await aTicketThatIsPassedBackGetsItsRed(browser);
    await aTapOnGreenDoesNotReadTheSameCodeAgain(browser);
    await aTapOnWhatWasNotDecidedTriesAgain(browser);
    await everyAnswerOfAHandScannerIsSeenInOrder(browser);
    await aHandScannerShowsACodeOnceAndAgainLater(browser);
    await theNextCodeWaitsInViewUntilTheAnswerWasSeen(browser);
    await aTapThatWasOnItsWayClosesNothing(browser);
    await noAnswerIsUnderASheet(browser);
  });

  const used = await usedTicket();
  const left = { x: -0.25 };
  const right = { x: 0.25 };
  const several = {
    'two tickets': [{ code: newTicket(), ...left }, { code: newTicket(), ...right }],
    'a used ticket beside a good one': [{ code: used, ...left }, { code: newTicket(), ...right }],
    'a ticket beside a sponsor’s code': [{ code: newTicket(), ...left }, { code: SPONSOR, ...right }],
    'three tickets': [
      { code: newTicket(), x: -0.25, y: -0.25 },
      { code: newTicket(), x: 0.25, y: -0.25 },
      { code: newTicket(), y: 0.27 },
    ],
  };
  for (const [name, inView] of Object.entries(several)) {
    await noneIsTakenOf(name, inView, finder);
    for (const { code } of inView.filter((seen) => ![used, SPONSOR].includes(seen.code))) {
      assert.equal((await scanElsewhere(code)).answer.outcome, 'admitted', `${name}: ${code} was used up`);
    }
  }
  await onlyTheCodeInTheViewfinderIsTaken(finder);
}

async function usedTicket() {
  const ticket = newTicket();
  assert.equal((await scanElsewhere(ticket)).answer.outcome, 'admitted');
  return ticket;
}

async function openPlayed(browser) {
  const page = await newPhone(browser);
  await playReader(page);
  await page.goto(given.url);
  await start(page);
  await seePicturesRead(page, 2);
  return page;
}

async function theViewfinder(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await see(page, '#viewfinder');
  const finder = await finderIn(page);
  await page.context().close();
  return finder;
}

async function noneIsTakenOf(name, inView, finder) {
  const film = `${name.replaceAll(/\W/g, '-')}.y4m`;
  await filmOfSeveral(inView, join(folder, film), finder);
  await inBrowser(film, async (browser) => {
    const page = await newPhone(browser);
    await noteAnswers(page);
    await page.goto(given.url);
    await start(page);
    await see(page, '#viewfinder[data-several=true]');
    await seePicturesRead(page, 30);
    assert.deepEqual(await answers(page), [], `${name}: one of them was taken`);
    assert.notEqual(await page.locator('#several').textContent(), '', `${name}: nothing says why none is taken`);
    await page.context().close();
  });
}

async function onlyTheCodeInTheViewfinderIsTaken(finder) {
  const [inside, beside, farAway] = [newTicket(), newTicket(), newTicket()];
  // The second one is read with the margin of the viewfinder; the third one is on the screen and not read at all.
  const inView = [
    { code: inside, x: -0.2 },
    { code: beside, x: 0.57, modulePx: 2 },
    { code: farAway, y: 0.95 },
  ];
  await filmOfSeveral(inView, join(folder, 'beside.y4m'), finder);
  await inBrowser('beside.y4m', async (browser) => {
    const page = await newPhone(browser);
    await noteAnswers(page);
    await page.goto(given.url);
    await start(page);
    await answer(page, 'admitted', 'false');
    await seeGo(page, '#result');
    await seePicturesRead(page, 20);
    assert.equal((await answers(page)).length, 1);
    await page.context().close();
  });
  const outcomes = [];
  for (const code of [inside, beside, farAway]) outcomes.push((await scanElsewhere(code)).answer.outcome);
  assert.deepEqual(outcomes, ['already_scanned', 'admitted', 'admitted']);
}

async function severalCodesAreSaidOnTheSmallestScreen(browser) {
  const page = await openPlayed(browser);
  for (const screen of [{ width: 320, height: 568 }, { width: 568, height: 320 }]) {
    await page.setViewportSize(screen);
    await show(page, newTicket(), newTicket());
    await until(page, () => page.locator('#several').isVisible(), () => 'nothing is said');
    const box = await page.locator('#several').boundingBox();
    const inside = box.x >= 0 && box.y >= 0 && box.x + box.width <= screen.width && box.y + box.height <= screen.height;
    assert.ok(inside && box.height > 20, `${JSON.stringify(box)} at ${screen.width}×${screen.height}`);
    await show(page);
    await until(page, async () => (await page.locator('#several').textContent()) === '', () => 'it is still said');
  }
  assert.deepEqual(await answers(page), []);
  await page.context().close();
}

async function aTicketThatIsPassedBackGetsItsRed(browser) {
  const page = await openPlayed(browser);
  const ticket = newTicket();
  await show(page, ticket);
  await answersAtOnce(page, 1);
  await show(page);
  await page.clock.runFor(500);
  assert.equal(await page.locator('#result').getAttribute('data-outcome'), 'admitted', 'green is still there');
  await show(page, ticket);
  const [green, red] = await answersAtOnce(page, 2);
  assert.deepEqual([green.outcome, red.outcome], ['admitted', 'already_scanned']);
  assert.ok(red.at - green.at < GREEN_GONE_MS, `red came after ${red.at - green.at} ms`);
  assert.match(red.explanation, /Let in here 1 second ago/);
  await page.context().close();
}

async function aTapOnGreenDoesNotReadTheSameCodeAgain(browser) {
  const page = await openPlayed(browser);
  await show(page, newTicket());
  await answer(page, 'admitted', 'false');
  await page.clock.runFor(300);
  await page.touchscreen.tap(195, 300);
  await seeGo(page, '#result');
  await seePicturesRead(page, 30);
  assert.equal((await answers(page)).length, 1, 'the code was read again');
  await page.context().close();
}

async function aTapOnWhatWasNotDecidedTriesAgain(browser) {
  const page = await openPlayed(browser);
  const failing = (route) => route.fulfill({ status: 422, json: { code: 'invalid_body', detail: 'Played by the test.' } });
  await page.route('**/door/v1/scan', failing, { times: 1 });
  await show(page, newTicket());
  await answer(page, 'failed', 'false');
  await dismiss(page);
  await answer(page, 'admitted', 'false');
  await page.context().close();
}

async function everyAnswerOfAHandScannerIsSeenInOrder(browser) {
  const page = await openPlayed(browser);
  const used = await usedTicket();
  let decided = 0;
  page.on('request', (request) => (decided += request.url().endsWith('/door/v1/scan') ? 1 : 0));
  for (const code of [newTicket(), used, newTicket()]) await scanByHand(page, code);
  for (const [number, seenMs] of [[1, GREEN_SEEN_MS], [2, RED_SEEN_MS]]) {
    await answersAtOnce(page, number);
    await page.clock.runFor(seenMs - 100);
    assert.equal(decided, number, 'a code was decided before there was room for its answer');
    await page.clock.runFor(100);
  }
  const [first, second, third] = await answersAtOnce(page, 3);
  const outcomes = [first, second, third].map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, ['admitted', 'already_scanned', 'admitted']);
  assert.equal(second.at - first.at, GREEN_SEEN_MS);
  assert.equal(third.at - second.at, RED_SEEN_MS);
  await page.context().close();
}

async function aHandScannerShowsACodeOnceAndAgainLater(browser) {
  const page = await openPlayed(browser);
  const ticket = newTicket();
  for (let times = 0; times < 3; times++) {
    await scanByHand(page, ticket);
    await answersAtOnce(page, 1);
    await page.clock.runFor(300);
  }
  await page.clock.runFor(400);
  assert.equal((await answers(page)).length, 1, 'a scanner that reads on and on');
  await scanByHand(page, ticket);
  const [green, red] = await answersAtOnce(page, 2);
  assert.deepEqual([green.outcome, red.outcome], ['admitted', 'already_scanned']);
  assert.ok(red.at - green.at < GREEN_GONE_MS, 'red waited until green was gone');
  await page.context().close();
}

async function theNextCodeWaitsInViewUntilTheAnswerWasSeen(browser) {
  const page = await openPlayed(browser);
  await show(page, newTicket());
  await answersAtOnce(page, 1);
  await show(page, newTicket());
  await page.clock.runFor(GREEN_SEEN_MS);
  const [first, second] = await answersAtOnce(page, 2);
  assert.deepEqual([first.outcome, second.outcome], ['admitted', 'admitted']);
  assert.ok(second.at - first.at >= GREEN_SEEN_MS, `the second answer came after ${second.at - first.at} ms`);
  await page.context().close();
}

async function aTapThatWasOnItsWayClosesNothing(browser) {
  const page = await openPlayed(browser);
  await scanByHand(page, newTicket());
  await answersAtOnce(page, 1);
  await page.clock.runFor(200);
  await page.touchscreen.tap(195, 300);
  for (const key of ['Enter', 'Escape']) await page.keyboard.press(key);
  assert.ok(await page.locator('#result').isVisible(), 'nobody has seen this answer');
  await page.clock.runFor(100);
  await page.touchscreen.tap(195, 300);
  assert.ok(await page.locator('#result').isHidden(), 'a tap closes the answer at once');
  await page.context().close();
}

async function noAnswerIsUnderASheet(browser) {
  const page = await openPlayed(browser);
  let letThrough;
  const opened = new Promise((resolve) => (letThrough = resolve));
  await page.route('**/door/v1/scan', (route) => opened.then(() => route.continue()), { times: 1 });
  await type(page, newTicket());
  await page.locator('#change-station').tap();
  await see(page, '#station-sheet');
  letThrough();
  await answer(page, 'admitted', 'false');
  assert.ok(await page.locator('#station-sheet').isHidden(), 'the answer is under a sheet');
  // While a sheet is open the camera takes nothing: whoever reads it does not look at the queue.
  await dismiss(page);
  await page.locator('#change-station').tap();
  await show(page, newTicket());
  await seePicturesRead(page, 20);
  assert.equal((await answers(page)).length, 1);
  await page.keyboard.press('Escape');
  await answer(page, 'admitted', 'false');
  await page.context().close();
}
