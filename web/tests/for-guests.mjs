// What guests and their tickets bring to a door: notes, several events of one night, and guests who scan by themselves.

import assert from 'node:assert/strict';
import { seriousFindings } from './axe-on-a-phone.mjs';
import { codes, given } from './given.mjs';
import { comeBack, goOffline, isReadyForTheDark } from './light.mjs';
import { eventually, see, seeGo, until } from './phone-clock.mjs';
import { answer, dismiss, newPhone, picture, scanByHand, start, type } from './phone.mjs';

/** A link for two events admits the tickets of both, says which event it is, and shows what staff noted, without signal too. */
export async function aDoorOfTwoEventsShowsNotes(browser) {
  const { late, later, elsewhere } = codes.night;
  const page = await newPhone(browser);
  await page.goto(given.night_url);
  await eventually(page, '#event-name', (text) => text === 'Aurora Live · Late Show');
  await start(page);
  await isReadyForTheDark(page);
  const notes = () => page.locator('#result-notes li').allTextContents();
  await type(page, late);
  await answer(page, 'admitted', 'false');
  assert.equal(await page.locator('#result-event').textContent(), 'Late Show');
  assert.deepEqual(await notes(), ['VIP', 'needs a wristband']);
  assert.deepEqual(await seriousFindings(page), [], 'an answer with notes');
  await picture(page, 'door-notes');
  await type(page, elsewhere);
  await answer(page, 'wrong_event', 'false');
  assert.equal(await page.locator('#result-notes').isVisible(), false);
  await dismiss(page);
  await goOffline(page);
  await type(page, later);
  await answer(page, 'admitted', 'true');
  assert.equal(await page.locator('#result-event').textContent(), 'Late Show');
  assert.deepEqual(await notes(), ['under 18', 'needs a wristband']);
  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '0');
  await page.context().close();
}

/** Guests scan by themselves: large answers without names, nothing to play with, and only staff leave it. */
export async function guestsScanByThemselves(browser) {
  const [first, second] = codes.night.kiosk;
  for (const [url, viewport, language] of [
    [given.kiosk_url, { width: 1280, height: 800 }, 'en'],
    [given.kiosk_pin_url, { width: 390, height: 844 }, 'es'],
  ]) {
    const page = await newPhone(browser, { viewport, locale: language });
    await page.goto(url);
    if (url === given.kiosk_pin_url) {
      await see(page, '#pin');
      await page.locator('#pin').fill(given.pin);
      await page.locator('#pin-open').click();
    }
    await see(page, '#start');
    await page.locator('#start').click();
    await see(page, '#kiosk-leave');
    for (const part of ['#network', '#change-station', '#open-history', '#code', '#open-guests']) {
      assert.equal(await page.locator(part).isVisible(), false, `${part} is for staff`);
    }
    await eventually(page, '#hint', (text) => text.includes(language === 'en' ? 'your ticket' : 'tu entrada'));
    assert.deepEqual(await seriousFindings(page), [], 'self-scanning');
    await picture(page, `door-kiosk-${language}`);
    const code = language === 'en' ? first : second;
    await scanByHand(page, code);
    assert.equal((await answer(page, 'admitted', 'false')).name, '', 'no name is shown');
    assert.match(await page.locator('#result-headline').textContent(), language === 'en' ? /Welcome/ : /bienvenida/);
    await picture(page, `door-kiosk-welcome-${language}`);
    await page.clock.runFor(3_000);
    await seeGo(page, '#result');
    await scanByHand(page, code);
    const refused = await answer(page, 'already_scanned', 'false');
    assert.match(refused.explanation, language === 'en' ? /^Please ask our staff\.$/ : /^Pregunta al personal/);
    assert.deepEqual(await seriousFindings(page), [], 'a refusal to a guest');
    await page.clock.runFor(6_000);
    await seeGo(page, '#result');

    // Sound, and no way out for guests: back and a reload lead back to it.
    await page.locator('#kiosk-sound').click();
    assert.equal(await page.locator('#kiosk-sound').getAttribute('aria-pressed'), 'false');
    await page.goBack().catch(() => null);
    assert.equal(await page.locator('#kiosk-leave').isVisible(), true, 'back leads nowhere');
    await page.reload();
    await see(page, '#kiosk-leave');
    assert.equal(await page.locator('#kiosk-sound').getAttribute('aria-pressed'), 'false', 'it is remembered');
    await page.locator('#kiosk-leave').click();
    await see(page, '#kiosk-sheet');
    assert.deepEqual(await seriousFindings(page), [], 'the way out');
    if (url === given.kiosk_pin_url) await leaveByPin(page);
    else await leaveByHolding(page);
    await see(page, '#start');
    await page.reload();
    await see(page, '#start');
    await page.context().close();
  }
}

async function leaveByPin(page) {
  await page.locator('#kiosk-pin').fill('0000');
  await page.locator('#kiosk-pin').press('Enter');
  await eventually(page, '#kiosk-message', (text) => text.includes('PIN'));
  await page.locator('#kiosk-pin').fill(given.pin);
  await page.locator('#kiosk-pin').press('Enter');
}

async function leaveByHolding(page) {
  const button = page.locator('#kiosk-hold');
  await button.focus();
  await page.keyboard.down('Enter');
  await page.clock.runFor(2_000);
  await page.keyboard.up('Enter');
  await page.clock.runFor(2_000);
  assert.equal(await page.locator('#kiosk-sheet').isVisible(), true, 'it is held for three seconds');
  await page.keyboard.down('Enter');
  await until(page, async () => !(await page.locator('#kiosk-sheet').isVisible()), () => 'still there');
  await page.keyboard.up('Enter');
}
