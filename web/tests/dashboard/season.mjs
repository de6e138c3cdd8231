// An event that comes as a file: the file is checked, put right and imported, the overview shows the night and what waits,
// then the event is cancelled and all its orders are refunded.

import assert from 'node:assert/strict';
import { axeFindsNothing } from './axe.mjs';
import { everyPageFits, picture } from './looks.mjs';
import { open, person, signIn } from './people.mjs';

const ORDERS = 60;
const HOME = '/dashboard/p/pr_a';

export async function play(browser) {
  const ana = await person(browser);
  await signIn(ana, 'ana@example.com');
  await ana.getByRole('link', { name: 'Make your first event' }).waitFor();
  await axeFindsNothing(ana, 'an empty overview');
  const faulty = await aFileWithAMistake(ana);
  const imported = await aFileIsImported(ana);
  await theNightIsOnTheOverview(ana);
  const refund = await allOrdersAreRefunded(ana);
  const pages = {
    overview: HOME, data: `${HOME}/data`, imports: `${HOME}/imports`, faulty, imported, refund,
    'refund-all': `${HOME}/events/ev/refund`, 'refund-failed': `${refund}?show=failed`, 'open-payments': `${HOME}/payments/open`,
  };
  await everyPageFits(browser, await ana.context().cookies(), pages);
  await withoutJavaScript(browser);
}

/** A file with an event of tonight, its orders and their tickets, one of which waits for its payment for long. */
function lines() {
  const event = { kind: 'event', id: 'ev', name: 'Noche de otoño', status: 'published', currency: 'EUR', timezone: 'Europe/Madrid', starts_at: '2026-11-01T20:00:00Z' };
  const type = { kind: 'ticket_type', id: 'tt', event_id: 'ev', name: 'General', price: 25, currency: 'EUR', limit: 100 };
  const items = [{ ticket_type_id: 'tt', quantity: 1, unit_price: 25 }];
  const orders = Array.from({ length: ORDERS }, (_, number) => [
    { kind: 'order', id: `or_${number}`, event_id: 'ev', status: 'approved', currency: 'EUR', items, paid_at: '2026-10-30T10:00:00Z', created_at: '2026-10-30T10:00:00Z' },
    { kind: 'ticket', id: `CODE-${number}`, event_id: 'ev', ticket_type_id: 'tt', order_id: `or_${number}`, issued_at: '2026-10-30T10:00:00Z' },
  ]).flat();
  const pending = { kind: 'order', id: 'or_slow', event_id: 'ev', status: 'pending', currency: 'EUR', items, created_at: '2026-10-01T10:00:00Z' };
  return [event, type, ...orders, pending];
}

async function send(page, name, lines) {
  await page.goto(`${HOME}/imports`);
  const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await page.locator('#file').setInputFiles({ name, mimeType: 'application/x-ndjson', buffer });
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

async function aFileWithAMistake(page) {
  await open(page, 'Export and import');
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.getByRole('heading', { name: 'Imports' }).waitFor();
  const wrong = lines();
  wrong[3] = { ...wrong[3], ticket_type_id: 'no-such' };
  await send(page, 'autumn.jsonl', wrong);
  await page.getByText('Nothing was imported. This has to be put right first:').waitFor();
  const said = await page.locator('.notice.bad').innerText();
  assert.match(said, /4/);
  assert.match(said, /ticket_type_id/);
  await axeFindsNothing(page, 'a file with a mistake');
  return new URL(page.url()).pathname;
}

async function aFileIsImported(page) {
  await send(page, 'autumn-2.jsonl', lines());
  await page.getByRole('button', { name: 'Import now' }).waitFor();
  const brings = await page.locator('dl[aria-labelledby=counts]').innerText();
  assert.match(brings.replaceAll(/\s+/g, ' '), new RegExp(`Orders ${ORDERS + 1} Tickets ${ORDERS}`));
  await axeFindsNothing(page, 'a file that was checked');
  await picture(page, 'dashboard-import');
  await page.getByRole('button', { name: 'Import now' }).click();
  await page.locator('[data-state=work-is-done]').waitFor();
  await axeFindsNothing(page, 'a file that was imported');
  return new URL(page.url()).pathname;
}

async function theNightIsOnTheOverview(page) {
  await open(page, 'Overview');
  const night = page.getByRole('article').filter({ hasText: 'Noche de otoño' });
  await night.getByText(`0 / ${ORDERS}`).waitFor();
  await night.getByText('40 left').waitFor();
  await night.getByText('€1,500').waitFor();
  await page.locator('.chart-drawn canvas').waitFor();
  await axeFindsNothing(page, 'the overview of a night');
  await picture(page, 'dashboard-overview');
  // What waits leads to the rows: there are as many as it says.
  const waiting = page.getByRole('link', { name: 'order waits for its payment' });
  assert.match(await waiting.innerText(), /^1/);
  await waiting.click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 1);
  await page.goto(HOME);
  await night.getByText(`0 / ${ORDERS}`).click();
  await page.locator('#entered').waitFor();
}

async function allOrdersAreRefunded(page) {
  await page.goto(`${HOME}/events/ev`);
  await page.getByRole('link', { name: 'Cancel the event' }).click();
  await page.getByRole('button', { name: 'Cancel the event' }).click();
  await page.getByText('The event is cancelled.').waitFor();
  await page.getByRole('link', { name: 'Refund all orders' }).click();
  await axeFindsNothing(page, 'before all orders are refunded');
  await page.getByRole('button', { name: 'Refund all orders now' }).click();
  await page.locator('[data-state=work-is-done]').waitFor();
  // The one that nobody paid is rejected with them, and comes last.
  await page.getByText(`${ORDERS + 1} / ${ORDERS + 1}`).waitFor();
  await axeFindsNothing(page, 'all orders are refunded');
  await picture(page, 'dashboard-refund-all');
  const path = new URL(page.url()).pathname;
  await page.locator('tbody a').nth(1).click();
  await page.getByText('refunded', { exact: false }).first().waitFor();
  await open(page, 'Tickets');
  assert.ok((await page.getByText('refunded').count()) > 0);
  return path;
}

async function withoutJavaScript(browser) {
  const page = await person(browser, { javaScriptEnabled: false });
  await signIn(page, 'ana@example.com');
  await send(page, 'again.jsonl', lines());
  while (!(await page.getByText('The same file was imported on').count())) await page.reload();
  await page.getByRole('button', { name: 'Do not import' }).click();
  await page.getByText('The file was given up.').waitFor();
  await page.context().close();
}
