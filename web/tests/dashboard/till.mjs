// The till: a total that runs along, change, a sale without JavaScript, and a shift from its float to its difference.

import assert from 'node:assert/strict';
import { axeFindsNothing } from './axe.mjs';
import { open, person, signIn } from './people.mjs';

export async function workTheTill(browser, page) {
  const sold = await theTotalRunsAlong(page);
  await aShift(page);
  await withoutJavaScript(browser, sold);
}

async function toSell(page) {
  await open(page, 'Orders');
  await page.getByRole('link', { name: 'Sell', exact: true }).click();
  await page.getByRole('heading', { name: 'Sell', exact: true }).waitFor();
}

async function theTotalRunsAlong(page) {
  await toSell(page);
  const total = page.locator('[data-till-total]');
  assert.equal(await page.getByRole('button', { name: 'Show total' }).isVisible(), false);
  await page.locator('#item-1').fill('2');
  assert.equal(await total.textContent(), '€50');
  await page.getByLabel('Given in cash').fill('40');
  await page.getByText('Still missing').waitFor();
  await page.getByLabel('Given in cash').fill('60');
  const back = page.locator('[data-till-back]');
  assert.match(await back.textContent(), /Change\s+€10/);
  await axeFindsNothing(page, 'a sale with its total');
  await page.getByLabel('Card').check();
  assert.equal(await back.isVisible(), false);
  assert.equal(await page.getByLabel('Given in cash').isVisible(), false, 'nobody gives cash for a card');
  await page.getByLabel('Cash', { exact: true }).check();
  await page.getByLabel('Complimentary').check();
  assert.equal(await total.textContent(), '€0');
  await page.getByLabel('Complimentary').uncheck();
  const address = page.url();
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  await page.getByText('Change: €10').waitFor();
  await axeFindsNothing(page, 'the change');
  return address;
}

async function aShift(page) {
  await toSell(page);
  await page.getByRole('link', { name: 'Your shift' }).click();
  await page.getByText('summed by person and day').waitFor();
  await axeFindsNothing(page, 'no shift');
  await page.getByLabel('Cash in the drawer, in EUR').fill('100');
  await page.getByRole('button', { name: 'Begin a shift' }).click();
  await page.getByText('The shift is open.').waitFor();
  await toSell(page);
  await page.getByText('Your shift has been open since').waitFor();
  await page.locator('#item-1').fill('1');
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  await page.getByText('Sold. Here are the tickets.').waitFor();
  await toSell(page);
  await page.getByRole('link', { name: 'Your shift' }).click();
  await page.getByText('Expected: €125').waitFor();
  await axeFindsNothing(page, 'an open shift');
  await page.getByRole('button', { name: 'End the shift' }).click();
  await page.getByRole('alert').waitFor();
  await axeFindsNothing(page, 'a shift that nobody counted');
  await page.getByLabel('Counted, in EUR').fill('124');
  await page.getByRole('button', { name: 'End the shift' }).click();
  await page.getByText('The shift is ended.').waitFor();
  await page.getByRole('cell', { name: '-€1', exact: true }).waitFor();
  await axeFindsNothing(page, 'a shift that has ended');
  await open(page, 'Reports');
  await page.getByRole('link', { name: 'Show the shifts' }).click();
  await page.getByText('-€1').waitFor();
  await axeFindsNothing(page, 'shifts');
}

/** The same form, with a button for the total. */
async function withoutJavaScript(browser, address) {
  const page = await person(browser, { javaScriptEnabled: false });
  await signIn(page, 'ana@example.com');
  await page.goto(address);
  await page.locator('#item-1').fill('3');
  assert.equal(await page.locator('[data-till-sum]').isVisible(), false, 'a total that nobody has summed is not shown');
  await page.getByRole('button', { name: 'Show total' }).click();
  assert.equal(await page.locator('[data-till-total]').textContent(), '€75');
  assert.equal(await page.locator('#item-1').inputValue(), '3');
  await page.getByLabel('Given in cash').fill('100');
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  await page.getByText('Change: €25').waitFor();
  await page.context().close();
}
