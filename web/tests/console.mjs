// The API console, in a browser, against a real server. Started with everything it needs in DOOR_TEST (JSON):
//   url       the console
//   key       a key that may read everything
//   ticket    the id of a ticket that the key reads
//   chromium  the browser

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium } from './chromium.mjs';
import { clearUp } from './clear-up.mjs';
import { folder, given, WAIT_MS } from './given.mjs';

async function main(page) {
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(given.url);
  await page.locator('.opblock').first().waitFor();
  assert.equal(await page.title(), 'Taquilla API');

  await page.locator('.btn.authorize').first().click();
  await page.locator('.auth-container input').fill(given.key);
  await page.locator('.auth-container .btn.authorize').click();
  await page.locator('.auth-container .btn-done').click();

  await aCallWithoutAnyChangeFinds('list_tickets', given.ticket, page);
  await aCallWithoutAnyChangeFinds('list_events', 'ev', page);
  await aCallWithoutAnyChangeFinds('list_orders', 'or', page);
  assert.deepEqual(complaints, [], 'the console complained');
  if (given.picture) await page.screenshot({ path: given.picture, fullPage: true });
}

/** Presses the button as it is. What the console fills in by itself must not hide anything. */
async function aCallWithoutAnyChangeFinds(operation, id, page) {
  const block = page.locator(`[id$="-${operation}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.btn.execute').click();
  const answer = block.locator('.live-responses-table');
  await answer.waitFor();
  assert.match(await answer.locator('.response-col_status').last().innerText(), /^200/);
  assert.match(await answer.locator('.response-col_description').last().innerText(), new RegExp(`"id": "${id}"`));
}

const chromium = await startChromium(given.chromium, mkdtempSync(join(folder, 'profile-')), '');
try {
  const context = await chromium.browser.newContext({ viewport: { width: 1280, height: 1000 } });
  context.setDefaultTimeout(WAIT_MS);
  await main(await context.newPage());
} finally {
  await chromium.kill();
  await clearUp();
}
