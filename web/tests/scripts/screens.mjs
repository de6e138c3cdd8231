// Every screen of the page, in both languages and on small, usual and large screens: nothing is cut off, what is to be
// pressed is in view, and axe-core finds nothing serious.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { seriousFindings } from '../axe-on-a-phone.mjs';
import { filmOf } from '../fake-camera.mjs';
import { codes, folder, given, origin } from '../given.mjs';
import { goOffline, isReadyForTheDark } from '../light.mjs';
import { eventually, see, seeGo } from '../phone-clock.mjs';
import { answer, dismiss, inBrowser, newPhone, seePicturesRead, start, type } from '../phone.mjs';

const SCREENS = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const LANGUAGES = { en: 'en-GB', es: 'es-ES' };
// axe-core reads every screen in each size once and in each language: it finds by size or by words, not by both together.
const READ_BY_AXE = ['en-320', 'es-390', 'en-1280'];
const LONG_NAME = 'maria-del-carmen.fernandez-de-la-reguera.y.garcia-valdecasas+entradas@correo.universidad.example.com';
const LONG_TYPE = 'Donaudampfschifffahrtsgesellschaftskapitänsabonnement mit Tribünenplatz, Reihe 7';
const LONG_EVENT = 'Festivalinternacionaldelascancionesinterminables – Gran gala de clausura con invitados y fuegos artificiales';

export async function play() {
  await filmOf(null, join(folder, 'stage.y4m'));
  await inBrowser('stage.y4m', async (browser) => {
    for (const [language, locale] of Object.entries(LANGUAGES)) {
      for (const viewport of SCREENS) await everyScreen(browser, language, { locale, viewport });
    }
    await theLanguageCanBeChosen(browser);
    await aNewLanguageHidesNoAnswer(browser);
    await anAnswerWaitsUntilSomebodyLooks(browser);
    await backLeavesOneThingAtATime(browser);
  });
}

async function everyScreen(browser, language, options) {
  const page = await newPhone(browser, options);
  const name = (screen) => `${screen}-${language}-${options.viewport.width}`;
  const look = async (screen, ...buttons) => {
    await isInOrder(page, name(screen), buttons);
    if (READ_BY_AXE.some((look) => name(screen).endsWith(look))) assert.deepEqual(await seriousFindings(page), [], name(screen));
    if (given.screens) await page.screenshot({ path: join(given.screens, `${name(screen)}.png`), scale: 'css' });
  };
  await playLongNames(page);

  await page.goto(`${origin}/door`);
  await see(page, '#link');
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  await page.locator('#link').fill('not a link');
  await page.locator('#link').press('Enter');
  await see(page, '#link-message');
  await look('welcome', '#link-form .primary');

  await page.goto(given.pin_url);
  await see(page, '#pin');
  await look('pin', '#pin-open');

  await page.goto(given.url);
  await see(page, '#start-list[data-list=ready]');
  await look('start', '#start');
  await start(page);
  await seePicturesRead(page, 2);
  await look('scanning', '#check', '#code', '#open-history', '#network');

  for (const outcome of ['admitted', 'already_scanned', 'wrong_event', 'unknown']) {
    await type(page, `PLAYED-${outcome}`);
    await answer(page, outcome, 'false');
    await look(outcome, '#result-headline', '#result-close');
  }
  await dismiss(page);

  await page.locator('#open-history').click();
  await see(page, '#history-sheet');
  assert.equal(await page.locator('#history-list li').count(), 4);
  await look('history', '#history-sheet [data-close]');
  await page.locator('#history-sheet [data-close]').click();
  await page.locator('#change-station').click();
  await look('station', '#station-form .primary');
  await page.keyboard.press('Escape');
  await page.locator('#network').click();
  await see(page, '#doors-list .door');
  await look('door', '#door-sheet [data-close]');
  await page.locator('#door-sheet [data-close]').click();

  await page.goto(`${origin}/door#half a link`);
  await see(page, '#refused [data-go-on]');
  await look('damaged', '#refused [data-go-on]', '#other-link');
  await page.locator('#other-link').click();
  await see(page, '#welcome [data-go-on]');
  await look('another-link', '#link-form .primary', '#welcome [data-go-on]');
  await page.goto(given.pin_url);
  await see(page, '#pin-screen [data-go-on]');
  await look('pin-or-go-on', '#pin-open', '#pin-screen [data-go-on]');
  await page.locator('#pin-screen [data-go-on]').click();
  await start(page);

  await isReadyForTheDark(page);
  await goOffline(page);
  await type(page, 'NOBODY-KNOWS-THIS');
  await answer(page, 'not_on_list', 'true');
  await look('offline', '#result-headline', '#result-close', '#result-offline');
  await dismiss(page);
  await see(page, '#open-waiting');
  await look('without-a-signal', '#check', '#code', '#open-waiting');
  await page.locator('#open-waiting').click();
  await see(page, '#waiting-list li');
  await look('waiting', '#waiting-sheet [data-close]');
  await page.context().close();
}

/** The server's answers, with the longest names that people have and organisers give. */
async function playLongNames(page) {
  await page.route('**/door/v1/open', async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const opening = await response.json();
    opening.event.name = LONG_EVENT;
    await route.fulfill({ response, json: opening });
  });
  await page.route('**/door/v1/scan', async (route) => {
    const { code, scan_id } = route.request().postDataJSON();
    const outcome = code.slice('PLAYED-'.length);
    const ticket = {
      name: LONG_NAME,
      ticket_type: { id: 'tt', name: LONG_TYPE, category: 'ticket' },
      event: { id: 'ev', name: LONG_EVENT },
      group: { entered: 11, of: 12 },
    };
    const first_scan = { scanned_at: '2026-11-01T20:14:00Z', station: 'Puerta principal, acceso norte, carril 7' };
    await route.fulfill({
      json: {
        scan_id,
        outcome,
        ticket: outcome === 'unknown' ? null : ticket,
        first_scan: outcome === 'already_scanned' ? first_scan : null,
      },
    });
  });
}

async function isInOrder(page, name, buttons) {
  // Not by what the page says: on a phone its window becomes as wide as what does not fit.
  const { width, height } = page.viewportSize();
  const wide = await page.evaluate(() =>
    Math.max(document.documentElement.scrollWidth, document.querySelector('dialog[open]')?.scrollWidth ?? 0),
  );
  assert.ok(wide <= width, `${name} is ${wide} wide on a screen of ${width}`);
  for (const button of buttons) {
    const box = await page.locator(button).boundingBox();
    assert.ok(box !== null, `${name}: ${button} is not there`);
    const inside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    assert.ok(inside, `${name}: ${button} is cut off: ${JSON.stringify(box)} on ${width} × ${height}`);
  }
}

async function theLanguageCanBeChosen(browser) {
  const page = await newPhone(browser, { locale: 'en-GB' });
  await page.goto(given.url);
  await see(page, '#start');
  await page.locator('[data-open-door]:visible').click();
  const reloaded = page.waitForEvent('load');
  await page.locator('#language').selectOption('es');
  await page.locator('#door-sheet [data-close]').click();
  await reloaded;
  await see(page, '#start');
  assert.equal(await page.locator('#start').textContent(), 'Empezar');
  await page.context().close();
}

/** Whoever changes the language while a ticket is being decided sees its answer first. */
async function aNewLanguageHidesNoAnswer(browser) {
  const page = await newPhone(browser, { locale: 'en-GB' });
  let answerIt;
  const held = new Promise((resolve) => (answerIt = resolve));
  await page.route('**/door/v1/scan', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(given.url);
  await start(page);
  await type(page, codes.spare[30]);
  await page.locator('#network').click();
  await page.locator('#language').selectOption('es');
  answerIt();
  await answer(page, 'admitted', 'false');
  await page.context().close();
}

/** A phone that is put away while a ticket is decided still has its answer when somebody looks. */
async function anAnswerWaitsUntilSomebodyLooks(browser) {
  const page = await newPhone(browser);
  const look = (isLooking) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, !isLooking);
  await page.goto(given.url);
  await start(page);
  await look(false);
  await type(page, codes.spare[31]);
  await answer(page, 'admitted', 'false');
  await page.clock.runFor(10_000);
  assert.equal(await page.locator('#result').isVisible(), true, 'nobody has seen the answer');
  await look(true);
  await page.clock.runFor(1_000);
  assert.equal(await page.locator('#result').isVisible(), true);
  await seeGo(page, '#result');
  await page.context().close();
}

async function backLeavesOneThingAtATime(browser) {
  const page = await newPhone(browser);
  await page.goto(`${origin}/door`);
  await page.goto(given.url);
  await start(page);
  await page.locator('#open-history').click();
  await see(page, '#history-sheet');
  await page.goBack();
  await seeGo(page, '#history-sheet');
  await see(page, '#scanning');

  // A ticket that is being decided is not left alone: its answer would not be seen.
  let answerIt;
  const held = new Promise((resolve) => (answerIt = resolve));
  await page.route('**/door/v1/scan', async (route) => {
    await held;
    await route.continue();
  });
  await type(page, codes.typed);
  await page.goBack();
  assert.equal(await page.locator('#scanning').isVisible(), true, 'a ticket is decided and nobody sees it');
  answerIt();
  await answer(page, 'admitted', 'false');
  await page.clock.runFor(300);
  await page.goBack();
  assert.equal(await page.locator('#result').isHidden(), true, 'back does not close an answer');
  await see(page, '#scanning');
  await page.goBack();
  await see(page, '#start');
  await page.context().close();
}
