// What goes wrong between a phone and the server, and must not be felt at the door.

import assert from 'node:assert/strict';
import { codes, given } from './given.mjs';
import { comeBack, goOffline, isReadyForTheDark, restoreConnection, scanElsewhere } from './light.mjs';
import { eventually, see, seeItCatchUp, until } from './phone-clock.mjs';
import { answer, newPhone, start, stationOf, type } from './phone.mjs';

const UNKNOWN_CODE = 'NOBODY-KNOWS-THIS-EITHER';

/** A gateway in front of the server may answer in its place, with words that look like the server's. */
export async function aStrangersAnswerSettlesNothing(browser) {
  const page = await openAt(browser, given.url);
  await isReadyForTheDark(page);
  await goOffline(page);
  await type(page, UNKNOWN_CODE);
  await answer(page, 'not_on_list', 'true');

  await page.route('**/door/v1/scans', (route) => refuse(route, 404, 'not_found'));
  const heard = [];
  page.on('response', (response) => heard.push(new URL(response.url()).pathname));
  await comeBack(page);
  // The counts come after the queue: by then the page has made of the answer whatever it makes of it.
  const isOver = () => heard.lastIndexOf('/door/v1/counts') > heard.indexOf('/door/v1/scans') && heard.includes('/door/v1/scans');
  await until(page, isOver, () => `only ${heard} were asked for`);
  assert.equal(await page.locator('#network').getAttribute('data-state'), 'online');
  assert.equal(await page.locator('#waiting').textContent(), '1', 'a scan was taken out of the queue');

  await page.unroute('**/door/v1/scans');
  await goOffline(page);
  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '0');
  assert.equal(await page.locator('#conflicts').textContent(), '0');
  await page.context().close();
}

/** Whoever entered through the gate stays known until a link of the gate can tell: the bar's cannot. */
export async function anAdmissionWaitsForALinkThatCoversIt(browser) {
  const [, , code] = codes.offline;
  const page = await openAt(browser, given.url);
  const station = await stationOf(page);
  await isReadyForTheDark(page);
  await goOffline(page);
  await type(page, code);
  await answer(page, 'admitted', 'true');

  const ofTheGate = `Bearer ${new URL(given.url).hash.slice(1)}`;
  await page.route('**/door/v1/**', (route) => {
    const isOfTheGate = route.request().headers().authorization === ofTheGate;
    return isOfTheGate ? refuse(route, 401, 'invalid_door_link') : route.fallback();
  });
  await restoreConnection(page);
  await see(page, '#other-link');
  await page.locator('#other-link').click();
  let uploads = 0;
  page.on('request', (request) => (uploads += request.url().endsWith('/door/v1/scans') ? 1 : 0));
  await page.locator('#link').fill(given.bar_url);
  await page.locator('#link').press('Enter');
  await start(page);
  await until(page, () => uploads >= 2, () => `the bar’s link was asked ${uploads} times`);
  // The second time, a third upload would have come before.
  for (let times = 0; times < 2; times++) await seeItCatchUp(page);
  assert.equal(uploads, 2, 'the bar’s link was asked again and again');
  assert.equal(await page.locator('#waiting').textContent(), '1', 'an admission was forgotten');
  await page.locator('#open-waiting').tap();
  await eventually(page, '#waiting-list', (text) => text.includes('does not admit'));
  await page.locator('#waiting-sheet [data-close]').tap();

  await page.unroute('**/door/v1/**');
  await page.goto(given.url);
  await start(page);
  await eventually(page, '#waiting', (text) => text === '0');
  assert.equal(await page.locator('#conflicts').textContent(), '0');
  const { answer: there } = await scanElsewhere(code);
  assert.deepEqual([there.outcome, there.first_scan.station], ['already_scanned', station]);
  await page.context().close();
}

/** The list was on its way while the ticket was scanned, and says that it is still good. */
export async function aListOlderThanAScanAdmitsNobodyTwice(browser) {
  const page = await newPhone(browser);
  let letThrough;
  const scanned = new Promise((resolve) => (letThrough = resolve));
  const fetched = new Promise((resolve) => {
    const delay = async (route) => {
      const response = await route.fetch();
      resolve();
      await scanned;
      await route.fulfill({ response });
    };
    void page.route('**/door/v1/codes?**', delay, { times: 1 });
  });
  await page.goto(given.url);
  await start(page);
  await fetched;
  await type(page, codes.lower.toLowerCase());
  await answer(page, 'admitted', 'false');
  letThrough();
  await isReadyForTheDark(page);
  await goOffline(page);
  for (const code of [codes.lower.toLowerCase(), codes.lower.toUpperCase()]) {
    await type(page, code);
    const again = await answer(page, 'already_scanned', 'true');
    assert.ok(again.explanation.includes(await stationOf(page)), 'the station of the first scan is missing');
  }
  await page.context().close();
}

/** The server takes scans, and fails with everything that a phone does besides. */
export async function aListThatFailsLeavesTheDoorOpen(browser) {
  const page = await newPhone(browser);
  await page.route('**/door/v1/codes?**', (route) => refuse(route, 503, 'unavailable'));
  const failed = page.waitForResponse('**/door/v1/codes?**');
  await page.goto(given.bar_url);
  await start(page);
  await failed;
  await type(page, codes.typed);
  await answer(page, 'not_here', 'false');
  await type(page, codes.bar);
  await answer(page, 'admitted', 'false');
  assert.equal(await page.locator('#network').getAttribute('data-state'), 'online');
  await page.context().close();
}

export async function anEndedLinkAdmitsNobodyInTheDark(browser) {
  const page = await newPhone(browser);
  await page.route('**/door/v1/open', async (route) => {
    const response = await route.fetch();
    const opening = await response.json();
    opening.link.expires_at = '2020-01-01T00:00:00Z';
    await route.fulfill({ response, json: opening });
  });
  await page.goto(given.url);
  await start(page);
  await isReadyForTheDark(page);
  await goOffline(page);
  await type(page, codes.typed);
  assert.match((await answer(page, 'link_ended', 'true')).explanation, /ended at .*\d\d:\d\d/);
  await eventually(page, '#waiting', (text) => text === '1');
  await page.context().close();
}

async function openAt(browser, url) {
  const page = await newPhone(browser);
  await page.goto(url);
  await start(page);
  return page;
}

function refuse(route, status, code) {
  return route.fulfill({ status, json: { code, detail: 'Played by the test.' } });
}
