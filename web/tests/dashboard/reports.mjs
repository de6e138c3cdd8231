// Reports and files: charts are drawn from tables that everybody can read, files are taken out, and all of it fits and is for
// everybody.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { everyPageFits, picture } from './looks.mjs';
import { open, person, signIn } from './people.mjs';

const HOME = '/dashboard/p/pr_a';
const PAGES = [
  '/reports', '/reports/sales?event=ev', '/reports/sales', '/reports/sales?event=ev&from=2026-11-02&to=2026-11-01',
  '/reports/orders?event=ev', '/reports/orders?event=ev&item=vip&from=2026-10-01&to=2026-10-02', '/reports/entries', '/reports/entries?event=ev', '/reports/no-shows?event=ev', '/reports/no-shows', '/reports/stock?event=ev', '/data',
];

export async function play(browser) {
  const ana = await person(browser);
  await signIn(ana, 'ana@example.com');
  await ana.getByRole('navigation', { name: 'Sections' }).waitFor();
  await aReportIsRead(ana);
  await filesAreTakenOut(ana);
  await itLooksGood(browser, ana);
  await withoutJavaScript(browser);
}

async function aReportIsRead(page) {
  await open(page, 'Reports');
  await page.getByRole('button', { name: 'Show Sales' }).click();
  await page.getByRole('heading', { name: 'Sales', exact: true }).waitFor();
  await page.getByLabel('Event', { exact: true }).selectOption({ label: 'Noche de verano' });
  await page.getByLabel('From').fill('');
  await page.getByLabel('To').fill('');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('heading', { name: 'Sales: Noche de verano' }).waitFor();
  await chartsAreDrawn(page, 3);
  // Each chart has a table with the same figures.
  const drawn = await page.locator('figure[data-chart]').evaluateAll((figures) =>
    figures.map((figure) => [...figure.querySelectorAll('[data-y]')].reduce((sum, cell) => sum + Number(cell.dataset.y), 0)),
  );
  assert.deepEqual(new Set(drawn).size, 1, `the same was sold by day, item and channel: ${drawn}`);
  const sold = await page.locator('.figure dd').first().innerText();
  assert.equal(Number(sold), drawn[0]);
  await page.getByText('The figures').click();
  await page.getByRole('rowheader', { name: 'Fri 30 Oct' }).waitFor();
  // A figure leads to the rows behind it.
  const report = page.url();
  await page.getByRole('rowheader', { name: 'Fri 30 Oct' }).locator('..').locator('td a').first().click();
  await page.getByRole('heading', { name: 'Sold, gross: Noche de verano' }).waitFor();
  await page.getByText('Fri 30 Oct').first().waitFor();
  assert.ok((await page.locator('tbody tr').count()) > 0);
  await page.goto(report);
  await page.getByLabel('To').fill('2026-10-01');
  await page.getByLabel('From').fill('2026-10-02');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('To').getAttribute('aria-invalid'), 'true');
  for (const [path, charts] of [['/reports/entries?event=ev', 2], ['/reports/no-shows?event=ev', 1], ['/reports/stock?event=ev', 1]]) {
    await page.goto(HOME + path);
    await chartsAreDrawn(page, charts);
  }
}

async function chartsAreDrawn(page, count) {
  await page.locator('.chart-drawn canvas').nth(count - 1).waitFor();
  assert.equal(await page.locator('.chart-drawn canvas').count(), count);
  const painted = await page.locator('.chart-drawn canvas').evaluateAll((canvases) =>
    canvases.map((canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte !== 0)),
  );
  assert.ok(painted.every(Boolean), `empty pictures: ${painted}`);
}

async function downloaded(page, click) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

async function filesAreTakenOut(page) {
  await page.goto(`${HOME}/reports/sales?event=ev`);
  const report = await downloaded(page, () => page.getByRole('link', { name: 'Take out as CSV' }).click());
  assert.match(report.name, /^sales-.*\.csv$/);
  assert.match(report.text, /^\u{feff}day,event_id,/u);
  await open(page, 'Export and import');
  const tickets = page.getByRole('heading', { name: 'Tickets' }).locator('..');
  await tickets.getByLabel('Event').selectOption({ label: 'Noche de verano' });
  await tickets.getByLabel('State').selectOption({ label: 'Entered' });
  const file = await downloaded(page, () => tickets.getByRole('button', { name: 'CSV Tickets' }).click());
  assert.match(file.name, /^tickets-2026-11-01\.csv$/);
  const lines = file.text.trimEnd().split('\r\n');
  assert.ok(lines.length > 5 && lines.slice(1).every((line) => line.includes(',scanned,')), file.text);
  const rows = await downloaded(page, () => tickets.getByRole('button', { name: 'JSON Lines Tickets' }).click());
  assert.match(rows.name, /\.jsonl$/);
  assert.equal(rows.text.trimEnd().split('\n').length, lines.length - 1);
}

async function itLooksGood(browser, ana) {
  const pages = Object.fromEntries(PAGES.map((path) => [path.slice(1).replaceAll(/[/?&=]/g, '-'), HOME + path]));
  await everyPageFits(browser, await ana.context().cookies(), pages, async (page, name, look) => {
    if (look === 'laptop-light' && name === 'reports-sales-event-ev') await picture(page, 'dashboard-report');
  });
}

async function withoutJavaScript(browser) {
  const page = await person(browser, { javaScriptEnabled: false });
  await signIn(page, 'ana@example.com');
  await page.goto(`${HOME}/reports/sales?event=ev`);
  await page.getByText('The figures').click();
  await page.getByRole('rowheader', { name: 'Fri 30 Oct' }).waitFor();
  await page.context().close();
}
