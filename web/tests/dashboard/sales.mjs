// Selling at the box office by keyboard alone, finding the order while typing, a ticket's story, passing it on, a refund.

import assert from 'node:assert/strict';
import { axeFindsNothing } from './axe.mjs';
import { everyPageFits, picture } from './looks.mjs';
import { fillSignIn, open, person, signIn } from './people.mjs';
import { workTheTill } from './till.mjs';

export async function play(browser) {
  const ana = await person(browser);
  await signIn(ana, 'ana@example.com');
  await ana.getByRole('heading', { level: 1 }).waitFor();
  await soldByKeyboard(ana);
  await aFormComesBackAfterSigningIn(ana);
  await foundWhileTyping(ana);
  await theStoryOfATicket(ana);
  await passedOn(ana);
  await refunded(ana);
  await workTheTill(browser, ana);
  await itLooksGood(browser, ana);
}

async function soldByKeyboard(page) {
  await open(page, 'Orders');
  await axeFindsNothing(page, 'orders');
  await page.getByRole('link', { name: 'Sell', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sell' }).waitFor();
  await axeFindsNothing(page, 'selling');
  // Nothing was written: the form says so. Then two keys sell.
  await page.getByLabel('General').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'item-1', 'one can type at once');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Write how many').waitFor();
  await axeFindsNothing(page, 'a sale with what is wrong');
  await page.locator('#item-1').focus();
  await page.keyboard.type('2');
  await page.locator('summary', { hasText: 'Name and contact' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('#name').focus();
  await page.keyboard.type('Núria Ibáñez');
  await page.keyboard.press('Enter');
  await page.getByText('Sold. Here are the tickets.').waitFor();
  assert.equal(await page.locator('.stub svg').count(), 2);
  await axeFindsNothing(page, 'the tickets that were sold');
  await picture(page, 'dashboard-sold');
}

/** The session ends while somebody types: they sign in, and go on with what they had typed. */
async function aFormComesBackAfterSigningIn(page) {
  await open(page, 'Orders');
  await page.getByRole('link', { name: 'Sell', exact: true }).click();
  await page.locator('#item-1').fill('3');
  await page.getByLabel('To be paid later').check();
  await page.locator('summary', { hasText: 'Name and contact' }).click();
  await page.locator('#name').fill('Olga Nieto');
  const cookies = await page.context().cookies();
  await page.request.post(new URL('/dashboard/sign-out', page.url()).href, { maxRedirects: 0 });
  await page.context().addCookies(cookies);
  await page.getByRole('button', { name: 'Sell', exact: true }).click();
  await page.getByText('Your session had ended before the form was sent').waitFor();
  await page.getByText('What you typed is kept in this tab').waitFor();
  await axeFindsNothing(page, 'signing in again');
  await fillSignIn(page, 'ana@example.com');
  await page.getByText('This form was not sent').waitFor();
  await axeFindsNothing(page, 'a form that came back');
  assert.equal(await page.locator('#item-1').inputValue(), '3');
  assert.equal(await page.locator('#name').inputValue(), 'Olga Nieto');
  assert.equal(await page.getByLabel('To be paid later').isChecked(), true);
  // It comes back once.
  await page.reload();
  assert.equal(await page.locator('#item-1').inputValue(), '');
  assert.equal(await page.getByText('This form was not sent').isVisible(), false);
}

async function foundWhileTyping(page) {
  await open(page, 'Orders');
  await page.getByLabel('Search orders').focus();
  const asked = page.waitForResponse((response) => response.url().includes('q=ibanez'));
  await page.keyboard.type('ibanez n', { delay: 30 });
  await asked;
  // The index follows a moment later, so whoever types is patient: another letter asks again.
  const row = page.getByRole('row', { name: /Núria Ibáñez/ });
  for (let tries = 0; (await row.count()) !== 1 || (await page.locator('tbody tr').count()) !== 1; tries += 1) {
    assert.ok(tries < 100, 'the order is not found');
    const text = ['ibanez nur', 'ibanez nu'][tries % 2];
    const answered = page.waitForResponse((response) => new URL(response.url()).searchParams.get('q') === text);
    await page.getByLabel('Search orders').fill(text);
    await answered;
    await page.waitForTimeout(50);
  }
  assert.equal(await page.locator('tbody tr').count(), 1, 'the others are gone without a click');
  assert.equal(await page.locator('#found').textContent(), 'One found');
  await axeFindsNothing(page, 'orders that were found');
  await picture(page, 'dashboard-found');
  await page.getByLabel('Search orders').fill('nobody at all');
  await page.getByText('Nothing found').last().waitFor();
}

async function theStoryOfATicket(page) {
  await open(page, 'Tickets');
  await axeFindsNothing(page, 'tickets');
  await page.getByRole('link', { name: 'Ana López' }).click();
  await page.getByText('refused: had entered before').waitFor();
  await page.getByText('North').first().waitFor();
  assert.ok(!page.url().includes('CODE'), page.url());
  assert.equal(await page.locator('.ticket-head svg').count(), 1);
  await axeFindsNothing(page, 'a ticket');
  await picture(page, 'dashboard-ticket');
}

async function passedOn(page) {
  await open(page, 'Tickets');
  await page.getByRole('link', { name: 'Bea Gil' }).click();
  await page.getByRole('link', { name: 'Pass the ticket on' }).click();
  await axeFindsNothing(page, 'passing on');
  await page.getByRole('button', { name: 'Pass the ticket on' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Name').fill('Carl Sol');
  await page.getByRole('button', { name: 'Pass the ticket on' }).click();
  await page.getByText('This is the new one').waitFor();
  await page.getByRole('heading', { name: /Carl Sol/ }).waitFor();
  await page.getByRole('list', { name: 'Who held it' }).getByRole('link', { name: 'Bea Gil' }).waitFor();
  await page.getByRole('link', { name: 'Cancel the ticket' }).click();
  await axeFindsNothing(page, 'cancelling');
  await page.getByRole('button', { name: 'Cancel the ticket' }).click();
  await page.getByText('The ticket is cancelled.').waitFor();
}

async function refunded(page) {
  await open(page, 'Orders');
  await page.getByRole('link', { name: 'Núria Ibáñez' }).click();
  await axeFindsNothing(page, 'an order');
  await picture(page, 'dashboard-order');
  await page.getByRole('link', { name: 'Refund', exact: true }).click();
  await page.getByText('Its 2 tickets stop working').waitFor();
  await axeFindsNothing(page, 'a refund');
  await page.getByRole('button', { name: 'Refund the order' }).click();
  await page.getByText('The order is refunded').waitFor();
  await page.getByText('Order refunded').or(page.getByText('ana@example.com')).first().waitFor();
}

async function itLooksGood(browser, ana) {
  const [base] = new URL(ana.url()).pathname.match(/^\/dashboard\/p\/[^/]+/);
  await ana.goto(`${base}/orders`);
  const order = await ana.locator('tbody a').first().getAttribute('href');
  await ana.goto(`${base}/tickets`);
  const ticket = await ana.getByRole('link', { name: 'Ana López' }).getAttribute('href');
  const pages = {
    orders: `${base}/orders`, sell: `${base}/orders/new`, order, stubs: `${order}/tickets`, tickets: `${base}/tickets`, ticket,
    'pass-on': `${ticket}/pass-on`, nothing: `${base}/tickets?q=zzzz`,
    shift: `${base}/shift`, shifts: `${base}/reports/shifts`, refund: `${order}/refund`,
  };
  await everyPageFits(browser, await ana.context().cookies(), pages);
}
