// A season's first event: made, filled with what it sells, published, put in order, hidden and opened by link, deleted and
// brought back, changed by two people at once, copied and cancelled. Then every page on a phone and a laptop, light and
// dark, in Spanish, with the keyboard alone and without JavaScript.

import assert from 'node:assert/strict';
import { axeFindsNothing } from './axe.mjs';
import { everyPageFits, picture, screen } from './looks.mjs';
import { begin, open, person, signIn } from './people.mjs';

export async function play(browser) {
  const ana = await person(browser);
  await begin(ana);
  const event = await anEventIsMade(ana);
  await itSellsThings(ana);
  await theOrderIsChanged(ana);
  await aHiddenItemIsOpenedByItsLink(ana, event);
  await anItemIsDeletedAndBroughtBack(ana, event);
  await theSecondPersonIsTold(browser, ana, event);
  await withTheKeyboardAlone(browser, event);
  await withoutJavaScript(browser, event);
  await itLooksGood(browser, ana, event);
  await itIsCopiedAndCancelled(ana, event);
}

async function anEventIsMade(page) {
  await open(page, 'Events');
  await page.getByText('No events yet').waitFor();
  await axeFindsNothing(page, 'no events');
  await page.getByRole('link', { name: 'New event' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Verbena de San Juan');
  await page.getByLabel('Time zone').fill('Europe/Madird');
  await page.getByRole('button', { name: 'Make the event' }).click();
  await page.getByRole('alert').waitFor();
  await axeFindsNothing(page, 'an event with a mistake');
  assert.equal(await page.getByLabel('Time zone').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Time zone').fill('Europe/Madrid');
  // In this night the clocks are set back, so the time comes twice.
  await page.getByLabel('Begins').fill('2027-10-31T02:30');
  await page.getByRole('button', { name: 'Make the event' }).click();
  await page.getByRole('group', { name: 'Which of the two?' }).waitFor();
  await axeFindsNothing(page, 'a time that comes twice');
  await page.getByLabel('The second, after the clocks were set back').check();
  await page.getByLabel('Begins').fill('2026-12-05T21:00');
  await page.getByLabel('Ends').fill('2026-12-06T03:00');
  await page.getByLabel('Place').fill('Sala Aurora, Calle de la Luna 7');
  await page.getByLabel('Description').fill('Three bands, one night.\nDoors open at eight.');
  await page.getByRole('button', { name: 'Make the event' }).click();
  await page.getByText('The event is made, as a draft').waitFor();
  await page.getByText('Sat 5 Dec, 21:00').waitFor();
  return new URL(page.url()).pathname;
}

/** Makes a ticket type from the event's page, and returns there. */
async function add(page, name, price, more = async () => {}) {
  await page.getByRole('link', { name: 'New ticket type' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Price in EUR').fill(price);
  await more();
  await page.getByRole('button', { name: 'Make the ticket type' }).click();
  await page.getByText('It is made.').waitFor();
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'Verbena de San Juan' }).click();
  await page.getByRole('rowheader', { name }).waitFor();
}

async function itSellsThings(page) {
  await add(page, 'General', '25', async () => {
    await page.getByLabel('Limit', { exact: true }).fill('400');
    await page.getByLabel('Sale ends').fill('2026-12-05T20:00');
  });
  await add(page, 'Drink', '6', () => page.getByLabel('Something from the bar').check());
  await page.getByRole('link', { name: 'New bundle' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Night out');
  await page.getByLabel('Price in EUR').fill('34');
  await page.getByRole('button', { name: 'Make the bundle' }).click();
  await page.getByRole('alert').getByText('at least one thing').waitFor();
  await axeFindsNothing(page, 'a bundle of nothing');
  await page.getByRole('group', { name: 'Includes' }).getByLabel('General').fill('1');
  await page.getByRole('group', { name: 'Includes' }).getByLabel('Drink').fill('2');
  await page.getByRole('button', { name: 'Make the bundle' }).click();
  await page.getByText('It is made.').waitFor();
  await page.getByText('1 × General, 2 × Drink').waitFor();
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'Verbena de San Juan' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('The event is on sale.').waitFor();
  await axeFindsNothing(page, 'an event');
}

const order = (page) => page.locator('#items ~ .table-box').first().locator('tbody th a').allInnerTexts();

async function theOrderIsChanged(page) {
  assert.deepEqual(await order(page), ['General', 'Drink', 'Night out']);
  await page.getByRole('button', { name: 'Move Night out up' }).click();
  await page.getByText('The order was changed.').waitFor();
  assert.deepEqual(await order(page), ['General', 'Night out', 'Drink']);
}

async function setStatus(page, event, name, label) {
  await page.goto(event);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('radio', { name: label }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It was changed.').waitFor();
}

async function aHiddenItemIsOpenedByItsLink(page, event) {
  await setStatus(page, event, 'Night out', 'hidden');
  const link = await page.locator('#access-link').textContent();
  await axeFindsNothing(page, 'a hidden item');
  const names = (url) => page.evaluate(async (url) => {
    const shop = new DOMParser().parseFromString(await (await fetch(url)).text(), 'text/html');
    return [...shop.querySelectorAll('.offer-name')].map((name) => name.textContent);
  }, url);
  assert.deepEqual(await names(link), ['General', 'Night out', 'Drink']);
  assert.deepEqual(await names(link.split('?')[0]), ['General', 'Drink']);
}

async function anItemIsDeletedAndBroughtBack(page, event) {
  await page.goto(event);
  await page.getByRole('link', { name: 'Drink', exact: true }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('It was deleted.').waitFor();
  assert.deepEqual(await order(page), ['General', 'Night out']);
  await axeFindsNothing(page, 'a deleted item');
  await page.getByRole('button', { name: 'Bring back Drink' }).click();
  await page.getByText('It is back.').waitFor();
  await page.goto(event);
  assert.deepEqual(await order(page), ['General', 'Night out', 'Drink']);
}

async function theSecondPersonIsTold(browser, ana, event) {
  const bea = await person(browser);
  await bea.context().addCookies(await ana.context().cookies());
  await ana.goto(`${event}/change`);
  await bea.goto(`${event}/change`);
  await bea.getByLabel('Place').fill('Teatro Luna');
  await bea.getByRole('button', { name: 'Save' }).click();
  await bea.getByText('The event was changed.').waitFor();
  await ana.getByLabel('Place').fill('Sala Aurora, Calle de la Luna 8');
  await ana.getByRole('button', { name: 'Save' }).click();
  await ana.getByRole('alert').getByText('Somebody else changed this').waitFor();
  await ana.locator('#venue-meanwhile').getByText('Teatro Luna').waitFor();
  await axeFindsNothing(ana, 'somebody else was quicker');
  await screen(ana, 'meanwhile-laptop-light');
  await ana.getByRole('button', { name: 'Save mine all the same' }).click();
  await ana.getByText('The event was changed.').waitFor();
  await ana.getByText('Calle de la Luna 8').waitFor();
  await bea.context().close();
}

async function withTheKeyboardAlone(browser, event) {
  const page = await person(browser);
  await signIn(page, 'ana@example.com');
  await page.goto(event);
  const tabTo = async (wanted) => {
    for (let times = 0; times < 80; times++) {
      await page.keyboard.press('Tab');
      // The arrow on a button is for the eyes.
      const here = await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim().replace(/^[↑↓]/, ''));
      if (here !== wanted) continue;
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      assert.notEqual(outline, 'none', `nobody sees that ${wanted} has the focus`);
      return;
    }
    assert.fail(`the keyboard does not reach ${wanted}`);
  };
  await tabTo('Move Drink up');
  await page.keyboard.press('Enter');
  await page.getByText('The order was changed.').waitFor();
  assert.deepEqual(await order(page), ['General', 'Drink', 'Night out']);
  await tabTo('New ticket type');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New ticket type' }).waitFor();
  await tabTo('name');
  await page.keyboard.type('Balcony');
  await tabTo('price');
  await page.keyboard.type('40');
  await page.keyboard.press('Enter');
  await page.getByText('It is made.').waitFor();
  await page.context().close();
}

async function withoutJavaScript(browser, event) {
  const page = await person(browser, { javaScriptEnabled: false });
  await signIn(page, 'ana@example.com');
  await page.goto(event);
  await page.getByRole('button', { name: 'Move Balcony up' }).click();
  await page.getByText('The order was changed.').waitFor();
  assert.deepEqual(await order(page), ['General', 'Drink', 'Balcony', 'Night out']);
  await page.getByRole('link', { name: 'Balcony', exact: true }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('It was deleted.').waitFor();
  await page.context().close();
}

async function itLooksGood(browser, ana, event) {
  await ana.goto(event);
  const item = await ana.getByRole('link', { name: 'Night out', exact: true }).getAttribute('href');
  const pages = {
    list: event.replace(/\/[^/]+$/, ''), new: event.replace(/[^/]+$/, 'new'), event, change: `${event}/change`,
    finish: `${event}/finish`, cancel: `${event}/cancel`, duplicate: `${event}/duplicate`, 'item-new': `${event}/items/new`,
    'bundle-new': `${event}/items/new?kind=bundle`, item, 'item-change': `${item}/change`,
  };
  await everyPageFits(browser, await ana.context().cookies(), pages, async (page, name, look) => {
    if (look === 'laptop-light' && name === 'event') await picture(page, 'dashboard-event');
    if (look === 'phone-dark' && name === 'item-change') await picture(page, 'dashboard-item-phone');
  });
}

async function itIsCopiedAndCancelled(page, event) {
  await page.goto(event);
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Verbena de San Pedro');
  await page.getByLabel('Begins').fill('2027-06-29T21:00');
  await page.getByRole('button', { name: 'Make the draft' }).click();
  await page.getByText('This is the new draft.').waitFor();
  await page.getByText('Wed 30 Jun 2027, 03:00').waitFor();
  assert.deepEqual(await order(page), ['General', 'Drink', 'Night out']);
  await page.goto(event);
  await page.getByRole('link', { name: 'Cancel the event' }).click();
  await page.getByText('Door links go on working').waitFor();
  await page.getByRole('button', { name: 'Cancel the event' }).click();
  await page.getByText('The event is cancelled. Nothing more is sold.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Refund all orders' }).getAttribute('href'), `${event}/refund`);
  await axeFindsNothing(page, 'a cancelled event');
  await screen(page, 'cancelled-laptop-light');
}
