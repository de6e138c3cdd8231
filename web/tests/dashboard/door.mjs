// A night at the door: a link is made and handed out, people enter at one server, and pages that are open on the other
// follow. What is given besides: other is the address of the second server, tickets are codes that may enter.

import assert from 'node:assert/strict';
import { given } from '../given.mjs';
import { axeFindsNothing } from './axe.mjs';
import { everyPageFits, itFits, picture, screen } from './looks.mjs';
import { open, person, PHONE, signIn } from './people.mjs';

const SCREEN = { width: 1920, height: 1080 };
let scans = 0;

export async function play(browser) {
  const ana = await person(browser);
  await signIn(ana, 'ana@example.com');
  await open(ana, 'Door');
  await ana.getByRole('heading', { name: 'Tonight' }).waitFor();
  await axeFindsNothing(ana, 'the events with a door');
  const link = await aLinkIsMade(ana);
  await itOpensTheScanner(browser, link);
  const token = new URL(link).hash.slice(1);
  await theLivePageFollows(ana, token);
  await aBigScreenFollows(browser, ana, token);
  await withoutAStreamItAsksAgain(browser, ana, token);
  await whoMayNotSeeNamesSeesNone(browser, token);
  await withoutJavaScriptItIsAPage(browser, ana);
  await itLooksGood(browser, ana);
  await theLinkIsRevoked(ana, token);
}

/** Shows a code at the other server's door. */
async function scan(token, code, station = 'Gate 1') {
  scans += 1;
  const answer = await fetch(`${given.other}/door/v1/scan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code, scan_id: `browser-${scans}`, station }),
  });
  return answer.status === 200 ? (await answer.json()).outcome : answer.status;
}

async function upload(token, code, station) {
  scans += 1;
  const answer = await fetch(`${given.other}/door/v1/scans`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scans: [{ code, scan_id: `browser-${scans}`, station }] }),
  });
  return (await answer.json()).results[0].outcome;
}

function entered(page, count) {
  return page.locator('#entered', { hasText: new RegExp(`^${count}$`) }).waitFor();
}

async function aLinkIsMade(page) {
  await page.getByRole('link', { name: 'Open the door' }).first().click();
  await page.getByText('Nobody has entered yet.').first().waitFor();
  await axeFindsNothing(page, 'a door where nobody has entered');
  await page.getByRole('link', { name: 'Door links' }).click();
  await page.getByText('No door links yet').waitFor();
  await axeFindsNothing(page, 'no door links');
  await page.getByRole('link', { name: 'New door link' }).click();
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('alert').waitFor();
  await axeFindsNothing(page, 'the form of a door link with a mistake');
  await page.getByLabel('Name', { exact: true }).fill('Main gate');
  await page.getByLabel('Bar and shop').check();
  await page.getByLabel('Stations').fill('Gate 1\nGate 2');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('heading', { name: 'The link “Main gate” is ready' }).waitFor();
  await axeFindsNothing(page, 'a new door link');
  await picture(page, 'dashboard-door-link');
  const link = await page.locator('#link').textContent();
  assert.equal(await page.locator('.qr svg').count(), 1);
  await page.getByRole('link', { name: 'I have handed it out' }).click();
  await page.getByRole('rowheader', { name: 'Main gate' }).waitFor();
  assert.ok(!(await page.content()).includes(new URL(link).hash.slice(1)), 'the link is shown again');
  await axeFindsNothing(page, 'the door links');
  return link;
}

/** Whoever follows the link on a phone is at the door of this event. */
async function itOpensTheScanner(browser, link) {
  const context = await browser.newContext({ viewport: PHONE, locale: 'en-GB' });
  const phone = await context.newPage();
  await phone.goto(link);
  await phone.getByText('Aurora Nights').first().waitFor();
  await context.close();
}

async function theLivePageFollows(page, token) {
  await open(page, 'Door');
  await page.getByRole('link', { name: 'Open the door' }).first().click();
  await page.locator('[data-state=live]').waitFor();
  await entered(page, 0);
  const began = Date.now();
  assert.equal(await scan(token, given.tickets[0]), 'admitted');
  await entered(page, 1);
  console.log(`an entry at the other server was on the page after ${Date.now() - began} ms, the scan included`);
  await page.locator('.chart-drawn canvas').waitFor();
  // What is open and has the focus stays so.
  await page.getByText('As a table').click();
  await page.locator('summary', { hasText: 'As a table' }).focus();
  for (const code of given.tickets.slice(1, 9)) assert.equal(await scan(token, code, 'Gate 2'), 'admitted');
  assert.equal(await scan(token, given.drink, 'Gate 2'), 'admitted');
  await entered(page, 9);
  assert.equal(await page.locator('details.disclosure').getAttribute('open'), '');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'As a table');
  await page.getByText('As a table').click();
  assert.equal(await scan(token, given.tickets[0], 'Gate 2'), 'already_scanned');
  assert.equal(await scan(token, 'NO-SUCH-CODE'), 'unknown');
  assert.equal(await upload(token, given.tickets[1], 'Side door'), 'already_scanned');
  await page.locator('#conflict-count', { hasText: /^1$/ }).waitFor();
  await page.locator('#refused-count', { hasText: /^3$/ }).waitFor();
  await page.getByRole('cell', { name: 'Side door Main gate' }).first().waitFor();
  await page.getByRole('rowheader', { name: 'No ticket of ours' }).waitFor();
  assert.ok(!(await page.content()).includes(given.tickets[0]), 'a code is on the page');
  await axeFindsNothing(page, 'a door, live');
  await picture(page, 'dashboard-door');
}

async function aBigScreenFollows(browser, ana, token) {
  const page = await person(browser, { viewport: SCREEN });
  await page.context().addCookies(await ana.context().cookies());
  await page.goto(`${new URL(ana.url()).pathname}/screen`);
  await page.locator('[data-state=live]').waitFor();
  await entered(page, 9);
  assert.equal(await scan(token, given.tickets[9]), 'admitted');
  await entered(page, 10);
  await page.locator('.chart-drawn canvas').waitFor();
  await axeFindsNothing(page, 'a big screen');
  const { high, view } = await page.evaluate(() => ({ high: document.documentElement.scrollHeight, view: innerHeight }));
  assert.ok(high <= view, `a big screen is ${high} px high and shows ${view}`);
  await screen(page, 'screen-1920', false);
  await picture(page, 'dashboard-door-screen', false);
  await page.setViewportSize(PHONE);
  await screen(page, 'screen-390');
  await itFits(page, 'a big screen on a phone');
  await page.context().close();
}

async function withoutAStreamItAsksAgain(browser, ana, token) {
  const page = await person(browser);
  await page.context().addCookies(await ana.context().cookies());
  await page.route('**/stream', (route) => route.fulfill({ status: 429, body: '' }));
  await page.goto(new URL(ana.url()).pathname);
  await page.getByText('Refreshed every 5 seconds').waitFor();
  assert.equal(await scan(token, given.tickets[10]), 'admitted');
  await entered(page, 11);
  // Whoever signs out sees no more.
  await page.context().clearCookies();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.context().close();
}

async function whoMayNotSeeNamesSeesNone(browser, token) {
  const vera = await person(browser);
  await signIn(vera, 'vera@example.com');
  await open(vera, 'Door');
  await vera.getByRole('link', { name: 'Open the door' }).first().click();
  await vera.locator('[data-state=live]').waitFor();
  assert.equal(await scan(token, given.tickets[11]), 'admitted');
  await entered(vera, 12);
  const html = await vera.content();
  assert.ok(html.includes('•••') && !html.includes('Guest'), 'names are shown to who may not see them');
  assert.equal(await vera.getByRole('link', { name: 'Door links' }).count(), 0);
  await vera.context().close();
}

async function withoutJavaScriptItIsAPage(browser, ana) {
  const page = await person(browser, { javaScriptEnabled: false });
  await page.context().addCookies(await ana.context().cookies());
  await page.goto(new URL(ana.url()).pathname);
  await entered(page, 12);
  await page.getByRole('link', { name: 'Refresh' }).click();
  await entered(page, 12);
  await page.context().close();
}

async function itLooksGood(browser, ana) {
  const door = new URL(ana.url()).pathname;
  const pages = { list: door.replace(/\/[^/]+$/, ''), live: door, links: `${door}/links`, new: `${door}/links/new` };
  await everyPageFits(browser, await ana.context().cookies(), pages);
}

async function theLinkIsRevoked(page, token) {
  await page.getByRole('link', { name: 'Door links' }).click();
  await page.getByRole('link', { name: 'Revoke Main gate' }).click();
  await axeFindsNothing(page, 'revoking a door link');
  await page.getByRole('button', { name: 'Revoke the link' }).click();
  await page.getByText('The link was revoked').waitFor();
  assert.equal(await scan(token, given.tickets[12]), 401);
}
