// The list of tickets, the links and the queue of a phone: what is interrupted goes on, and what works stays.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { filmOf } from '../fake-camera.mjs';
import { codes, folder, given, origin } from '../given.mjs';
import { comeBack, goOffline, isReadyForTheDark, scanElsewhere } from '../light.mjs';
import * as phone from '../phone.mjs';
import { answer, newPhone, start, type } from '../phone.mjs';
import { eventually, see, seeGo, until } from '../phone-clock.mjs';
import { aBrowserThatKeepsNothingScansWithASignal, thePageIsKeptAndRenewed } from '../what-is-kept.mjs';

const spare = [...codes.spare];
const QUEUED = 5_000;
const FAILED = { status: 500, contentType: 'text/html', body: '<h1>Internal server error</h1>' };
const BLOCKED = { status: 403, contentType: 'text/html', body: '<h1>Blocked by your network</h1>' };

export async function play() {
  await filmOf(null, join(folder, 'stage.y4m'));
  await phone.inBrowser('stage.y4m', async (browser) => {
    await anInterruptedListGoesOnAfterAReload(browser);
    await aCursorThatTheServerRefusesBeginsTheListAnew(browser);
    await aSecondLinkLeavesTheFirstOneItsList(browser);
    await aScanInHandIsAnsweredBeforeAnotherLinkOpens(browser);
    await aDamagedLinkLeavesTheGoodOne(browser);
    await withoutAGoodLinkADamagedOneIsSaidToBeOne(browser);
    await aProxyThatBlocksOneCodeHoldsUpNoOther(browser);
    await aBrokenDatabaseStopsNobodyWithASignal(browser);
    await aBrowserThatKeepsNothingScansWithASignal(browser, spare);
    await thePageIsKeptAndRenewed(browser, spare);
    await thousandsOfQueuedScansAreSentBesideScanning(browser);
  });
}

/** A server whose list has so many tickets that it comes in pages; the second one comes when `hasSignal` says so. */
async function playPages(page, hasSignal) {
  const asked = [];
  await page.route('**/door/v1/codes?**', async (route) => {
    const query = new URL(route.request().url()).searchParams;
    asked.push(Object.fromEntries(query));
    if (query.has('updated_after')) return route.fallback();
    const at = Number(query.get('cursor') ?? 0);
    if (at > 0 && !hasSignal()) return route.abort('internetdisconnected');
    const response = await route.fetch({ url: `${origin}/door/v1/codes` });
    const { data, newest } = await response.json();
    const size = Math.ceil(data.length / 3);
    const has_more = at < 2;
    const part = data.slice(at * size, (at + 1) * size);
    return route.fulfill({ json: { data: part, newest, has_more, next_cursor: has_more ? String(at + 1) : null } });
  });
  return asked;
}

async function anInterruptedListGoesOnAfterAReload(browser) {
  const page = await newPhone(browser);
  let hasSignal = false;
  const asked = await playPages(page, () => hasSignal);
  await page.goto(given.url);
  await start(page);
  await until(page, () => asked.length >= 2, () => 'the second page is not asked for');
  assert.deepEqual(asked.slice(0, 2), [{}, { cursor: '1' }]);
  assert.equal(await page.locator('#network').getAttribute('data-list'), 'none');

  asked.length = 0;
  hasSignal = true;
  await page.reload();
  await start(page);
  await isReadyForTheDark(page);
  assert.deepEqual(asked.slice(0, 2), [{ cursor: '1' }, { cursor: '2' }], 'the list was begun anew');
  await until(page, () => asked.length >= 3, () => 'what changed meanwhile is not asked for');
  assert.notEqual(asked[2].updated_after, undefined);
  const list = await keptList(page);
  assert.equal(list.told, list.kept);
  assert.ok(list.kept >= codes.spare.length, `${list.kept} codes are kept`);
  await page.context().close();
}

/** The cursor is the test's own invention, and the server that is asked to go on with it is the real one. */
async function aCursorThatTheServerRefusesBeginsTheListAnew(browser) {
  const page = await newPhone(browser);
  const asked = await playPages(page, () => false);
  await page.goto(given.url);
  await start(page);
  await until(page, () => asked.length >= 2, () => 'the second page is not asked for');
  await page.unroute('**/door/v1/codes?**');
  const refused = page.waitForResponse((response) => response.url().includes('cursor=1') && response.status() === 400);
  await page.reload();
  await start(page);
  await isReadyForTheDark(page);
  assert.equal((await (await refused).json()).code, 'invalid_cursor');
  const list = await keptList(page);
  assert.equal(list.kept, list.told);
  await page.context().close();
}

/** How many codes are on the phone, and how many it believes to have. */
async function keptList(page) {
  return page.evaluate(async () => {
    const database = await new Promise((resolve) => {
      const request = indexedDB.open('taquilla-door');
      request.onsuccess = () => resolve(request.result);
    });
    const stores = database.transaction(['tickets', 'marks']);
    const ask = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const kept = await ask(stores.objectStore('tickets').count());
    const [{ codes: told }] = await ask(stores.objectStore('marks').getAll());
    database.close();
    return { kept, told };
  });
}

async function aSecondLinkLeavesTheFirstOneItsList(browser) {
  const page = await newPhone(browser);
  for (const url of [given.url, given.bar_url]) {
    await page.goto(url);
    await start(page);
    await isReadyForTheDark(page);
  }
  await goOffline(page);
  const code = spare.pop();
  await page.goto(given.url);
  await opens(page, 'Main gate');
  await see(page, '#network[data-state=offline][data-list=ready]');
  await type(page, code);
  await answer(page, 'admitted', 'true');
  await type(page, codes.bar);
  await answer(page, 'not_on_list', 'true');

  await page.goto(given.bar_url);
  await opens(page, 'Bar');
  await type(page, codes.bar);
  await answer(page, 'admitted', 'true');
  await eventually(page, '#waiting', (text) => text === '3');
  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '0');
  const { answer: there } = await scanElsewhere(code);
  assert.equal(there.outcome, 'already_scanned', 'the scan of the first link did not arrive');
  await page.context().close();
}

async function opens(page, label) {
  await see(page, '#start');
  await eventually(page, '#link-label', (text) => text === label);
  await start(page);
}

async function aScanInHandIsAnsweredBeforeAnotherLinkOpens(browser) {
  const page = await newPhone(browser);
  await page.goto(given.bar_url);
  await opens(page, 'Bar');
  await page.goto(given.url);
  await opens(page, 'Main gate');
  let letThrough;
  const waits = new Promise((resolve) => (letThrough = resolve));
  const asked = new Promise((resolve) => {
    void page.route('**/door/v1/scan', async (route) => {
      resolve();
      await waits;
      await route.fallback();
    });
  });
  await type(page, spare.pop());
  await asked;
  await page.goto(given.bar_url);
  letThrough();
  await answer(page, 'admitted', 'false');
  assert.equal(await page.locator('#start-screen').isHidden(), true);
  await opens(page, 'Bar');
  await page.context().close();
}

async function aDamagedLinkLeavesTheGoodOne(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  const isOffered = async (screen) => {
    await see(page, `${screen} [data-go-on]`);
    const words = await page.locator(`${screen} [data-go-on]`).textContent();
    assert.ok(words.includes('Aurora Live') && words.includes('Main gate'), words);
  };
  const goesOn = async (screen) => {
    await page.locator(`${screen} [data-go-on]`).tap();
    await opens(page, 'Main gate');
  };
  const withoutItsEnd = given.url.slice(0, -6);

  // Something that cannot be a link, and one of which the end is missing.
  for (const url of [`${origin}/door#half a link`, withoutItsEnd]) {
    await page.goto(url);
    await isOffered('#refused');
    await goesOn('#refused');
    await type(page, codes.cancelled);
    await answer(page, 'cancelled', 'false');
    await page.goto(url);
    await isOffered('#refused');
    await page.reload();
    await opens(page, 'Main gate');
  }

  // Pasted.
  await page.goto(withoutItsEnd);
  await see(page, '#other-link');
  await page.locator('#other-link').tap();
  await isOffered('#welcome');
  await page.locator('#link').fill(withoutItsEnd);
  await page.locator('#link').press('Enter');
  await isOffered('#refused');
  await goesOn('#refused');

  // A link whose PIN nobody here knows.
  await page.goto(given.pin_url);
  await isOffered('#pin-screen');
  await page.reload();
  await opens(page, 'Main gate');

  // A link that cannot be asked about.
  await isReadyForTheDark(page);
  await goOffline(page);
  await page.goto(given.pin_url);
  await isOffered('#trouble');
  await goesOn('#trouble');
  await page.context().close();
}

async function withoutAGoodLinkADamagedOneIsSaidToBeOne(browser) {
  const page = await newPhone(browser);
  await page.goto(`${origin}/door#half a link`);
  await see(page, '#link-message');
  assert.equal(await page.locator('#welcome [data-go-on]').isVisible(), false);
  await page.goto(given.url.slice(0, -6));
  await see(page, '#refused');
  assert.equal(await page.locator('#refused [data-go-on]').isVisible(), false);
  await page.context().close();
}

async function aProxyThatBlocksOneCodeHoldsUpNoOther(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await isReadyForTheDark(page);
  const [bad, ...good] = [spare.pop(), spare.pop(), spare.pop(), spare.pop(), spare.pop()];
  await goOffline(page);
  for (const code of [good[0], bad, good[1], good[2]]) {
    await type(page, code);
    await answer(page, 'admitted', 'true');
  }
  const isAboutBad = (route) => route.request().postData()?.includes(bad) ?? false;
  await page.route('**/door/v1/scan*', (route) => (isAboutBad(route) ? route.fulfill(FAILED) : route.fallback()));
  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '1');
  for (const code of good.slice(0, 3)) {
    assert.equal((await scanElsewhere(code)).answer.outcome, 'already_scanned', 'a scan is held up');
  }
  await page.keyboard.press('Escape');
  await seeGo(page, '#result');
  await page.locator('#open-waiting').tap();
  await eventually(page, '#waiting-list', (text) => text.includes('blocks'));
  await page.locator('#waiting-sheet [data-close]').tap();

  // The same at the door: the phone decides about this one code, and asks the server about the next.
  await type(page, bad);
  await answer(page, 'already_scanned', 'true');
  await page.unroute('**/door/v1/scan*');
  await eventually(page, '#waiting', (text) => text === '0');
  const alsoBad = spare.pop();
  const isAlsoBad = (route) => route.request().postData()?.includes(alsoBad) ?? false;
  await page.route('**/door/v1/scan*', (route) => (isAlsoBad(route) ? route.fulfill(BLOCKED) : route.fallback()));
  await type(page, alsoBad);
  await answer(page, 'admitted', 'true');
  await type(page, good[3]);
  await answer(page, 'admitted', 'false');
  assert.equal(await page.locator('#network').getAttribute('data-state'), 'online');
  assert.equal(await page.locator('#waiting').textContent(), '1');
  await page.unroute('**/door/v1/scan*');
  await eventually(page, '#waiting', (text) => text === '0');
  assert.equal(await page.locator('#conflicts').textContent(), '0');
  await page.context().close();
}

async function aBrokenDatabaseStopsNobodyWithASignal(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await isReadyForTheDark(page);
  await page.evaluate(() => {
    for (const { prototype } of [IDBObjectStore, IDBIndex]) {
      for (const name of ['get', 'getAll', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor']) {
        prototype[name] = () => {
          throw new DOMException('the disk is broken', 'UnknownError');
        };
      }
    }
  });
  const code = spare.pop();
  await type(page, code);
  await answer(page, 'admitted', 'false');
  await type(page, code);
  await answer(page, 'already_scanned', 'false');
  await goOffline(page);
  await type(page, spare.pop());
  await answer(page, 'failed', 'false');
  // What it does in the background says so in the console, and does no more harm.
  phone.forgetComplaints('the disk is broken');
  await page.context().close();
}

async function thousandsOfQueuedScansAreSentBesideScanning(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await isReadyForTheDark(page);
  await goOffline(page);
  await type(page, 'NOBODY-KNOWS-THIS');
  await answer(page, 'not_on_list', 'true');
  await page.evaluate(fillQueue, QUEUED - 1);
  await page.reload();
  await start(page);
  await eventually(page, '#waiting', (text) => text === String(QUEUED));

  const timed = async (code, outcome, offline) => {
    const before = performance.now();
    await type(page, code);
    await answer(page, outcome, offline);
    return Math.round(performance.now() - before);
  };
  const alone = await timed(spare.pop(), 'admitted', 'true');
  await eventually(page, '#waiting', (text) => text === String(QUEUED + 1));
  await comeBack(page);
  const asked = await timed(spare.pop(), 'admitted', 'false');
  assert.notEqual(await page.locator('#waiting').textContent(), '0', 'the queue was empty before anybody came');
  console.log(`A verdict beside ${QUEUED} queued scans took ${alone} ms offline and ${asked} ms online.`);
  // In steps, because the test's patience is for one thing that must happen.
  for (let left = QUEUED - 500; left >= 0; left -= 500) {
    await eventually(page, '#waiting', (text) => Number(text) <= left);
  }
  assert.equal(await page.locator('#conflicts').textContent(), '0');
  await page.context().close();
}

/** Runs in the page: as many scans as that, like the one that waits. */
async function fillQueue(count) {
  const database = await new Promise((resolve) => {
    const request = indexedDB.open('taquilla-door');
    request.onsuccess = () => resolve(request.result);
  });
  const transaction = database.transaction('queue', 'readwrite');
  const queue = transaction.objectStore('queue');
  const [{ number: _, ...scan }] = await new Promise((resolve) => {
    const request = queue.getAll();
    request.onsuccess = () => resolve(request.result);
  });
  for (let number = 0; number < count; number++) {
    const code = `FLOOD-${number}`;
    queue.add({ ...scan, code, key: code, scan_id: `flood-${crypto.randomUUID()}` });
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}
