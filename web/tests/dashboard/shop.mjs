// Buyers on the pages of a shop, without JavaScript, with the keyboard alone, with several tabs, and going back. The pages have
// no script, so a browser that runs none is what all of them get.

import assert from 'node:assert/strict';
import { given } from '../given.mjs';
import { axeFindsNothing } from './axe.mjs';
import { everyPageFits, screen } from './looks.mjs';
import { person, PHONE } from './people.mjs';

const EVENT = '/shop/pr_a/ev';

export async function play(browser) {
  const bought = await withoutScripts(browser);
  await withTheKeyboard(browser);
  await sentAgain(browser);
  await inTwoTabs(browser);
  const payment = await paysThere(browser);
  await hidden(browser);
  await inSpanish(browser);
  await looks(browser, bought, payment);
}

/** Chooses, says who buys, and looks at it once more. */
async function choose(page, many, path = EVENT) {
  await page.goto(path);
  for (const [name, count] of Object.entries(many)) await page.getByLabel(`How many ${name}`, { exact: true }).selectOption(String(count));
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Your details' }).waitFor();
}

async function sayWho(page, name = 'Ana Ruiz') {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('E-mail address').fill('ana@example.com');
  await page.getByRole('button', { name: 'Go on' }).click();
}

async function confirm(page, button = 'Reserve and pay') {
  await page.getByRole('heading', { name: 'Check and confirm' }).waitFor();
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(/\/shop\/orders\//);
}

/** From the front page to a reserved order, on a phone that runs no script. What is wrong is said, and nothing is lost. */
async function withoutScripts(browser) {
  const page = await person(browser, { viewport: PHONE, javaScriptEnabled: false });
  await page.goto('/');
  await page.getByRole('link', { name: 'Aurora Nights' }).click();
  await page.getByRole('heading', { name: 'Aurora Nights' }).waitFor();
  await page.getByText('€3 less than one by one.').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('alert').getByRole('link', { name: /Choose how many you want/ }).waitFor();
  await page.getByLabel('How many General', { exact: true }).selectOption('2');
  await page.getByLabel('How many Pack', { exact: true }).selectOption('1');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByLabel('Phone number').fill('+34 600 000 000');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('alert').getByRole('link', { name: 'Write your name.' }).click();
  assert.equal(await page.locator(':focus').getAttribute('name'), 'name', 'the summary leads to the field');
  assert.equal(await page.getByLabel('Phone number').inputValue(), '+34 600 000 000');
  await sayWho(page);
  await page.getByText('€80').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  assert.equal(await page.getByLabel('Your name').inputValue(), 'Ana Ruiz');
  await page.getByRole('button', { name: 'Go on' }).click();
  await confirm(page);
  await page.getByRole('heading', { name: 'Reserved for you' }).waitFor();
  await page.getByText('It is held until 14:30 Europe/Madrid: 30 minutes are left.').waitFor();
  const path = new URL(page.url()).pathname;
  await page.context().close();
  return path;
}

/** Presses the tab key until this has the focus. */
async function tabTo(page, wanted) {
  for (let pressed = 0; pressed < 40; pressed += 1) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`the keyboard does not reach ${wanted}`);
}

/** A free ticket without a mouse: every step is reached by the tab key, from the top of its page. */
async function withTheKeyboard(browser) {
  const page = await person(browser);
  await page.goto(EVENT);
  await tabTo(page, page.getByRole('link', { name: 'Skip to the content' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('How many Talk', { exact: true }));
  await page.keyboard.press('1');
  await tabTo(page, page.getByRole('button', { name: 'Go on' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your details' }).waitFor();
  await tabTo(page, page.getByLabel('Your name'));
  await page.keyboard.type('Ana Ruiz');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ana@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check and confirm' }).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Get the tickets' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The tickets are yours' }).waitFor();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await axeFindsNothing(page, 'an order with tickets');
  await screen(page, 'tickets');
  await page.context().close();
}

/** Whoever goes back after buying and says that the form is to be sent again has bought once. */
async function sentAgain(browser) {
  const page = await person(browser);
  await choose(page, { Beer: 1 });
  await sayWho(page);
  const button = page.getByRole('button', { name: 'Reserve and pay' });
  const sent = await button.evaluate((button) => ({ action: button.form.action, fields: [...new FormData(button.form, button)] }));
  await confirm(page);
  const bought = page.url();
  await page.goto(EVENT);
  await page.evaluate(({ action, fields }) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action });
    for (const [name, value] of fields) form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(form);
    form.submit();
  }, sent);
  await page.waitForURL(bought);
  await page.context().close();
}

/** Two want the last ones. The second is told while writing, and buys something else without writing anew. */
async function inTwoTabs(browser) {
  const one = await person(browser);
  const two = await one.context().newPage();
  await choose(one, { Balcony: 2 });
  await choose(two, { Balcony: 2, Beer: 1 });
  await sayWho(one);
  await sayWho(two, 'Bea Gil');
  await confirm(one);
  await two.getByRole('button', { name: 'Reserve and pay' }).click();
  await two.getByRole('alert').getByRole('link', { name: /Others have reserved the last ones.*Look again at 14:30/ }).waitFor();
  await screen(two, 'held-by-others');
  assert.equal(await two.getByLabel('Your name').inputValue(), 'Bea Gil');
  await two.getByRole('link', { name: 'Choose something else' }).click();
  await two.getByText('Reserved by others').waitFor();
  assert.equal(await two.getByLabel('How many Beer', { exact: true }).inputValue(), '1', 'what can be had stays chosen');
  await one.context().close();
}

/** What only a link opens. */
async function hidden(browser) {
  const page = await person(browser);
  await page.goto(EVENT);
  assert.equal(await page.getByText('Guest list').count(), 0);
  await choose(page, { 'Guest list': 1 }, `${EVENT}?access_code=${given.code}`);
  await sayWho(page);
  await confirm(page, 'Get the tickets');
  await page.getByRole('heading', { name: 'The tickets are yours' }).waitFor();
  await page.context().close();
}

/** In another language, chosen on the page, and by the clocks of another place. */
async function inSpanish(browser) {
  const page = await person(browser, { viewport: PHONE });
  await page.goto('/shop/pr_a/ev_ny');
  await page.getByText('Fri 20 Nov, 20:00 America/New_York').waitFor();
  await page.getByRole('button', { name: 'Español' }).click();
  await page.getByText('vie 20 nov, 20:00 America/New_York').waitFor();
  await page.getByLabel('Cuántas General', { exact: true }).selectOption('1');
  await page.getByRole('button', { name: 'Seguir' }).click();
  await page.getByLabel('Tu nombre').fill('Ana Ruiz');
  await page.getByLabel('Correo').fill('ana@example.com');
  await page.getByRole('button', { name: 'Seguir' }).click();
  await page.getByRole('heading', { name: 'Revisar y confirmar' }).waitFor();
  await screen(page, 'review-phone-es');
  await page.getByRole('button', { name: 'Reservar y pagar' }).click();
  await page.getByRole('heading', { name: 'Reservado para ti' }).waitFor();
  await page.context().close();
}

/** Pays at the demo's processor: refused first, left and gone on with, then paid twice. Gives the page of a payment that is open. */
async function paysThere(browser) {
  const page = await person(browser, { viewport: PHONE });
  await choose(page, { Beer: 2 });
  await sayWho(page);
  await confirm(page);
  const order = page.url();
  const pay = page.getByRole('button', { name: 'Pay €8' });
  await pay.click();
  await page.getByRole('heading', { name: 'Made-up payment' }).waitFor();
  await page.getByText('No money moves here').waitFor();
  await screen(page, 'made-up-payment');
  await page.getByRole('button', { name: 'Be refused' }).click();
  await page.getByText('The payment did not work, and nothing was charged.').waitFor();
  await axeFindsNothing(page, 'an order whose payment was refused');
  await screen(page, 'refused');
  await pay.click();
  const open = new URL(page.url()).pathname;
  // The address to which the processor leads looks at most every two seconds, and the clock of this server stands still.
  await page.goto(order);
  await page.getByText('nothing has been paid in it yet').waitFor();
  await pay.click();
  await page.waitForURL((url) => url.pathname === open);
  await page.getByRole('button', { name: 'Pay twice' }).click();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await page.getByRole('img', { name: 'QR code' }).first().waitFor();
  await page.getByText('€8 came for this order and paid for nothing').waitFor();
  await choose(page, { Beer: 1 });
  await sayWho(page);
  await confirm(page);
  await page.getByRole('button', { name: 'Pay €4' }).click();
  await page.getByRole('heading', { name: 'Made-up payment' }).waitFor();
  const payment = new URL(page.url()).pathname;
  await page.context().close();
  return payment;
}

async function looks(browser, bought, payment) {
  await everyPageFits(browser, [], {
    front: '/',
    shop: '/shop/pr_a',
    event: EVENT,
    elsewhere: '/shop/pr_a/ev_ny',
    'no-such-choice': `${EVENT}/order?quantity_tt=99`,
    details: `${EVENT}/order?quantity_tt=2&quantity_pack=1`,
    order: bought,
    tickets: given.paid,
    unpaid: given.unpaid,
    payment,
  });
}
