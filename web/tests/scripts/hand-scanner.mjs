// A hand scanner at work: whatever changes on the screen while it types, and however it is set.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { filmOf } from '../fake-camera.mjs';
import { codes, folder, given } from '../given.mjs';
import { goOffline, isReadyForTheDark } from '../light.mjs';
import { answer, dismiss, inBrowser, newPhone, start, stationOf, watch } from '../phone.mjs';
import { eventually, see, seeGo, until, untilAtOnce } from '../phone-clock.mjs';
import { HANDS, typeLike } from '../wedge.mjs';

const LAPTOP = { width: 1280, height: 800 };
const GREEN_GONE_MS = 2_000;
const GREEN_SEEN_MS = 800;
const spare = [...codes.spare];
const newTicket = () => spare.shift();
// These stay what they are however often they are scanned.
const lasting = ['cancelled', 'refunded', 'transferred'];

export async function play() {
  await filmOf(null, join(folder, 'stage.y4m'));
  await inBrowser('stage.y4m', async (browser) => {
    for (const device of [laptop, newPhone]) {
      await aCodeIsReadWholeWhateverChangesMeanwhile(browser, device, HANDS.real, given.url);
      await anyEndWillDo(browser, device);
      await noKeyOfACodePressesAnything(browser, device);
    }
    // A link without stations, where staff type theirs into the sheet.
    const { base, token } = given.elsewhere;
    await aCodeIsReadWholeWhateverChangesMeanwhile(browser, newPhone, HANDS.real, `${base}/door#${token}`);
    await aCodeIsReadWholeWhateverChangesMeanwhile(browser, laptop, HANDS.told, given.url);
    await whatAPersonTypedStaysWithThePerson(browser);
    await anotherLayoutIsRecognisedAndSaid(browser);
  });
}

/** Something with a keyboard of its own, where the field for codes has the focus. */
async function laptop(browser) {
  return watch(await (await browser.newContext({ viewport: LAPTOP, reducedMotion: 'reduce' })).newPage());
}

async function opened(browser, device, url = given.url) {
  const page = await device(browser);
  await page.goto(url);
  await start(page);
  if (device === laptop) await page.locator('#code').focus();
  return page;
}

const answersOf = async (page) => Number((await page.locator('#result').getAttribute('data-answer')) ?? 0);

/** Does something that must end in one answer, and gives its outcome. */
async function oneAnswer(page, steps) {
  const before = await answersOf(page);
  await steps();
  await until(page, async () => (await answersOf(page)) > before, () => 'no answer came');
  const outcome = await page.locator('#result').getAttribute('data-outcome');
  await dismiss(page);
  // Longer than anything that may still follow.
  await page.clock.runFor(1_000);
  assert.equal(await answersOf(page), before + 1, `there is another answer after ${outcome}`);
  assert.equal(await page.locator('#code').inputValue(), '', 'something of a code was left in the field');
  return outcome;
}

/** A scan in the middle of which something happens. */
async function scanAround(page, press, what, change, gap = 0) {
  const expected = lasting.shift();
  lasting.push(expected);
  const code = codes[expected];
  const outcome = await oneAnswer(page, async () => {
    await typeLike(page, code.slice(0, 4), { press, gap });
    await change();
    await typeLike(page, code.slice(4), { press, gap, end: 'Enter' });
  });
  assert.equal(outcome, expected, `a code while ${what}`);
}

async function aCodeIsReadWholeWhateverChangesMeanwhile(browser, device, press, url) {
  const page = await device(browser);
  await page.goto(url);
  await see(page, '#start');
  await scanAround(page, press, 'the work begins', () => page.locator('#start').click());
  // What the page is only told of does not get into the field, where it is read.
  if (press === HANDS.real) await scanAround(page, press, 'nothing happens', async () => {});
  await scanAround(page, press, 'a sheet opens', () => page.locator('#change-station').click());
  assert.ok(await page.locator('#station-sheet').isHidden());

  await page.locator('#change-station').click();
  await page.locator('#station-now').focus();
  const station = await stationOf(page);
  await scanAround(page, press, 'a sheet closes', () => page.keyboard.press('Escape'));
  await page.locator('#change-station').click();
  await typeLike(page, 'NOBODY-3', { press, end: 'Enter' });
  await answer(page, 'unknown', 'false');
  assert.ok(await page.locator('#station-sheet').isHidden(), 'a code in a sheet is a code');
  await dismiss(page);
  assert.equal(await stationOf(page), station, 'a code became a station');

  await aCodeIsReadWholeAroundAnswers(page, press);
  await page.context().close();
}

async function aCodeIsReadWholeAroundAnswers(page, press) {
  // The answer to an earlier code comes while the next one is typed.
  let letThrough;
  const held = new Promise((resolve) => (letThrough = resolve));
  await page.route('**/door/v1/scan', (route) => held.then(() => route.continue()), { times: 1 });
  const before = await answersOf(page);
  await typeLike(page, 'NOBODY-2', { end: 'Enter' });
  const code = newTicket();
  await typeLike(page, code.slice(0, 4), { press });
  letThrough();
  await untilAtOnce(async () => (await answersOf(page)) > before, () => 'no answer came');
  await typeLike(page, code.slice(4), { press, end: 'Enter' });
  assert.equal(await page.locator('#code').inputValue(), '', 'half a code was left in the field');
  await until(page, async () => (await answersOf(page)) === before + 2, () => 'the code was not read');
  await answer(page, 'admitted', 'false');
  await dismiss(page);
  await page.clock.runFor(1_000);

  const seen = await answersOf(page);
  await typeLike(page, 'NOBODY-1', { end: 'Enter' });
  await untilAtOnce(async () => (await answersOf(page)) > seen, () => 'no answer came');
  await page.clock.runFor(400);
  await scanAround(page, press, 'an answer is tapped away', () => page.locator('#result-headline').click());

  const green = newTicket();
  await typeLike(page, green, { end: 'Enter' });
  await untilAtOnce(() => page.locator('#result').isVisible(), () => 'no answer came');
  await page.clock.runFor(GREEN_GONE_MS - 400);
  await scanAround(page, press, 'the time of an answer is over', async () => {}, 100);

  // Its own answer is the third: the one before it takes the place of the first while it is typed.
  const shown = await answersOf(page);
  await typeLike(page, newTicket(), { end: 'Enter' });
  await untilAtOnce(async () => (await answersOf(page)) === shown + 1, () => 'no answer came');
  await typeLike(page, newTicket(), { end: 'Enter' });
  await page.clock.runFor(GREEN_SEEN_MS - 300);
  await typeLike(page, newTicket(), { press, gap: 100, end: 'Enter' });
  await until(page, async () => (await answersOf(page)) === shown + 3, () => 'the third code was not read');
  await answer(page, 'admitted', 'false');
  await dismiss(page);
}

async function anyEndWillDo(browser, device) {
  const page = await opened(browser, device);
  const focused = () => page.evaluate(() => document.activeElement?.id);
  for (const end of ['Enter', 'Tab']) {
    const before = await focused();
    const outcome = await oneAnswer(page, async () => {
      await typeLike(page, newTicket(), { end });
      assert.equal(await page.locator('#code').inputValue(), '');
    });
    assert.equal(outcome, 'admitted', end);
    assert.equal(await focused(), before, `${end} moved the focus`);
  }
  const shown = await answersOf(page);
  await typeLike(page, newTicket());
  await page.clock.runFor(100);
  assert.equal(await answersOf(page), shown, 'a scanner may go on typing');
  await page.clock.runFor(100);
  await untilAtOnce(async () => (await answersOf(page)) > shown, () => 'a code that nothing ends is not taken');
  assert.equal(await page.locator('#result').getAttribute('data-outcome'), 'admitted');
  // Late enough to count as the person's, were it not the scanner's.
  await page.clock.runFor(300);
  await typeLike(page, '', { end: 'Enter' });
  assert.ok(await page.locator('#result').isVisible(), 'an end that came late closed the answer');
  await page.clock.runFor(100);
  await typeLike(page, '', { end: 'Enter' });
  assert.ok(await page.locator('#result').isHidden(), 'a person closes the answer with Enter');
  await page.context().close();
}

async function noKeyOfACodePressesAnything(browser, device) {
  const page = await opened(browser, device);
  const shown = await answersOf(page);
  await typeLike(page, codes.cancelled, { end: 'Enter' });
  await untilAtOnce(async () => (await answersOf(page)) > shown, () => 'no answer came');
  await page.clock.runFor(500);
  await typeLike(page, 'NOBODY 1 2 3');
  assert.ok(await page.locator('#result').isVisible(), 'a space has pressed the button of the answer');
  await typeLike(page, '', { end: 'Tab' });
  await typeLike(page, '', { end: 'Enter' });
  assert.ok(await page.locator('#result').isVisible(), 'the end of a code has closed the answer');
  await until(page, async () => (await answersOf(page)) === shown + 2, () => 'the code was not read');
  await answer(page, 'unknown', 'false');
  await dismiss(page);

  await page.locator('#change-station').focus();
  await typeLike(page, newTicket(), { end: 'Enter' });
  await answer(page, 'admitted', 'false');
  assert.ok(await page.locator('#station-sheet').isHidden(), 'the end of a code has pressed a button');
  await page.context().close();
}

async function whatAPersonTypedStaysWithThePerson(browser) {
  const page = await opened(browser, laptop);
  const field = page.locator('#code');
  const shown = await answersOf(page);
  const [mine, scanned] = [newTicket(), newTicket()];
  await typeLike(page, mine.slice(0, 5), { gap: 60 });
  await page.clock.runFor(1_000);
  assert.equal(await field.inputValue(), mine.slice(0, 5), 'a person was cut off');
  await typeLike(page, scanned, { end: 'Enter' });
  await answer(page, 'admitted', 'false');
  assert.equal(await answersOf(page), shown + 1);
  assert.equal(await field.inputValue(), mine.slice(0, 5), 'the scan was mixed into what a person typed');
  await dismiss(page);
  await typeLike(page, mine.slice(5), { gap: 60 });
  await page.clock.runFor(1_000);
  assert.equal(await field.inputValue(), mine, 'a person was cut off');
  await typeLike(page, '', { end: 'Enter' });
  await answer(page, 'admitted', 'false');
  assert.equal(await field.inputValue(), '');
  await dismiss(page);
  await typeLike(page, 'NOBODY', { gap: 60, end: 'Tab' });
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'check', 'a person cannot leave the field');
  await page.context().close();
}

async function anotherLayoutIsRecognisedAndSaid(browser) {
  const page = await opened(browser, laptop);
  await isReadyForTheDark(page);
  const asked = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/door/v1/scan')) asked.push(request.postDataJSON().code);
  });
  const notice = page.locator('#result-notice');
  const scan = async (code, layout, outcome, offline = 'false') => {
    const shown = await answersOf(page);
    await typeLike(page, code, { layout, end: 'Enter' });
    await until(page, async () => (await answersOf(page)) > shown, () => 'no answer came');
    await answer(page, outcome, offline);
    assert.equal(await answersOf(page), shown + 1);
    const said = await notice.textContent();
    assert.equal(await notice.isVisible(), said !== '');
    return said;
  };
  // A phone that has the list asks only for the code that is on it.
  for (const layout of ['de', 'fr', 'es']) {
    const code = newTicket();
    await page.locator('#code').focus();
    assert.match(await scan(code, layout, 'admitted'), /keyboard layout/, layout);
    assert.deepEqual(asked.splice(0), [code], layout);
    if (layout === 'fr') await theNoticeFits(page);
    await dismiss(page);
    await page.clock.runFor(1_000);
  }
  assert.match(await scan('NOBODY-1', 'fr', 'unknown'), /check its keyboard layout/);
  assert.deepEqual(asked.splice(0), ['NOBODY)&', 'NOBODY-1']);
  await dismiss(page);
  assert.equal(await scan('NOBODY-1', 'us', 'unknown'), '');
  await dismiss(page);
  assert.equal(await scan(newTicket(), 'us', 'admitted'), '');
  await dismiss(page);

  await goOffline(page);
  assert.match(await scan(newTicket(), 'fr', 'admitted', 'true'), /keyboard layout/);
  await dismiss(page);
  await eventually(page, '#waiting', (text) => text === '1');
  await page.context().close();

  // Without a list the server is asked twice, and one answer is shown.
  const bare = await newPhone(browser);
  await bare.route('**/door/v1/codes?**', (route) => route.abort());
  await bare.goto(given.url);
  await start(bare);
  const sent = [];
  bare.on('request', (request) => {
    if (request.url().endsWith('/door/v1/scan')) sent.push(request.postDataJSON().code);
  });
  const code = newTicket();
  await typeLike(bare, code, { layout: 'de', end: 'Enter' });
  await answer(bare, 'admitted', 'false');
  assert.deepEqual(sent, [code.replace('-', 'ß'), code]);
  assert.equal(await answersOf(bare), 1);
  assert.ok(await bare.locator('#result-notice').isVisible());
  await seeGo(bare, '#result');
  await bare.context().close();
}

async function theNoticeFits(page) {
  for (const [width, height] of [[320, 568], [568, 320], [LAPTOP.width, LAPTOP.height]]) {
    await page.setViewportSize({ width, height });
    for (const id of ['#result-headline', '#result-name', '#result-notice', '#result-close']) {
      const box = await page.locator(id).boundingBox();
      const inside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
      assert.ok(inside, `${id} is cut off at ${width}×${height}: ${JSON.stringify(box)}`);
    }
  }
}
