// With and without a connection, and what happens elsewhere meanwhile.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { given } from './given.mjs';
import { see, until } from './phone-clock.mjs';

/** The files of the page and the list of tickets are on the phone. */
export async function isReadyForTheDark(page) {
  await see(page, '#network[data-list=ready]');
  await isKeptOnThePhone(page);
}

export async function isKeptOnThePhone(page) {
  const isKept = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated');
  await until(page, isKept, () => 'the page is not kept on the phone');
}

export async function cutConnection(page) {
  // Both, because a service worker's own calls are not stopped by the first, nor pages in its care by the second alone.
  await page.context().route('**/door/v1/**', (route) => route.abort('internetdisconnected'));
  await page.context().setOffline(true);
}

export async function goOffline(page) {
  await cutConnection(page);
  await see(page, '#network[data-state=offline]');
  const reached = await page.evaluate(() => fetch('/door/v1/counts').then(() => true, () => false));
  assert.equal(reached, false, 'the page can still reach the server');
}

export async function restoreConnection(page) {
  await page.context().unroute('**/door/v1/**');
  await page.context().setOffline(false);
}

export async function comeBack(page) {
  await restoreConnection(page);
  await see(page, '#network[data-state=online]');
}

/** Somebody scans the code at another station of the same event. */
export async function scanElsewhere(code) {
  const { base, token } = given.elsewhere;
  const post = async (path, body) => {
    const response = await fetch(`${base}/door/v1/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, `${path} elsewhere: ${response.status}`);
    return response.json();
  };
  const { link } = await post('open', {});
  const station = link.stations[0] ?? link.label;
  return { station, answer: await post('scan', { code, scan_id: randomUUID(), station }) };
}
