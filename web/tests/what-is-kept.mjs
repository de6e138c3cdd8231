// What a browser keeps for the page: nothing, not everything, or an older build.

import assert from 'node:assert/strict';
import { given, origin } from './given.mjs';
import { comeBack, goOffline, isReadyForTheDark } from './light.mjs';
import { eventually, see, until } from './phone-clock.mjs';
import { answer, dismiss, forgetComplaints, newPhone, start, type } from './phone.mjs';
import { startUpgradableServer } from './upgradable-server.mjs';

/** A private window, or a phone without space: with a signal the server decides. */
export async function aBrowserThatKeepsNothingScansWithASignal(browser, spare) {
  const page = await newPhone(browser);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('not in a private window', 'SecurityError');
    };
  });
  await page.goto(given.url);
  await start(page);
  await eventually(page, '#offline-note', (text) => text.startsWith('Online only'));
  assert.equal(await page.locator('#network').getAttribute('data-list'), 'none');
  const code = spare.pop();
  await type(page, code);
  await answer(page, 'admitted', 'false');
  // The link is nowhere but in the address.
  await page.reload();
  await start(page);
  await type(page, code);
  await answer(page, 'already_scanned', 'false');
  await goOffline(page);
  await type(page, spare.pop());
  assert.match((await answer(page, 'failed', 'false')).explanation, /with a signal only/);
  forgetComplaints('keeps nothing now');
  await page.context().close();
}

/** Ready is said when page and decoder are on the phone, and a new build comes when nobody waits for an answer. */
export async function thePageIsKeptAndRenewed(browser, spare) {
  const server = await startUpgradableServer(origin);
  server.lacks = /\.wasm$/;
  const page = await newPhone(browser);
  await page.goto(server.base + new URL(given.url).pathname + new URL(given.url).hash);
  await start(page);
  await eventually(page, '#list-now', (text) => text.includes('not on this phone yet'));
  assert.notEqual(await page.locator('#network').getAttribute('data-list'), 'ready');
  server.lacks = null;
  await isReadyForTheDark(page);
  await goOffline(page);
  await page.reload();
  await start(page);
  await type(page, spare.pop());
  await answer(page, 'admitted', 'true');
  await page.route('**/door/v1/scans', (route) => route.abort('internetdisconnected'));
  await comeBack(page);

  const build = () => page.locator('html').getAttribute('data-build');
  const before = await build();
  server.build = '0123456789abcdef';
  await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration()).update()));
  const isWaiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
  await until(page, isWaiting, () => 'the new build is not fetched');
  await page.clock.runFor(10_000);
  assert.equal(await build(), before, 'the page was loaded anew under the hands of somebody who scans');
  // The answer is seen, and the scanner left.
  await dismiss(page);
  await page.goBack();
  await see(page, '#start');
  await until(page, async () => (await build()) === server.build, () => 'the new build is not taken');
  await start(page);
  await eventually(page, '#waiting', (text) => text === '1');
  await page.unroute('**/door/v1/scans');
  await eventually(page, '#waiting', (text) => text === '0');
  await page.locator('#network').click();
  await eventually(page, '#build', (text) => text.includes(server.build));
  await isReadyForTheDark(page);
  await page.context().close();
  await server.stop();
  // The decoder that was not there was missed.
  forgetComplaints('picture-worker');
}
