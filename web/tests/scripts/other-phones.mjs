// iPhones, and browsers of some years ago. Chromium plays them: it shows and lacks what they show and lack.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { filmOf } from '../fake-camera.mjs';
import { codes, folder, given, origin } from '../given.mjs';
import { goOffline, comeBack, isReadyForTheDark } from '../light.mjs';
import { eventually, see } from '../phone-clock.mjs';
import { answer, dismiss, inBrowser, newPhone, seePicturesRead, start, type } from '../phone.mjs';

export async function play() {
  await filmOf(null, join(folder, 'stage.y4m'));
  await filmOf(codes.camera, join(folder, 'code.y4m'));
  await inBrowser('code.y4m', anOlderBrowserScansAllTheSame);
  await inBrowser('stage.y4m', async (browser) => {
    await elsewhereTheLinkIsNotInTheAddress(browser);
    await theHomeScreenOfAnIphoneKeepsTheLink(browser);
    await theFirstTouchGivesTheVoice(browser);
  });
}

/** Without what browsers learnt in the last years, other than what the page says it needs. */
async function anOlderBrowserScansAllTheSame(browser) {
  const page = await newPhone(browser);
  await page.addInitScript(() => {
    delete AbortSignal.timeout;
    for (const missing of ['AudioContext', 'webkitAudioContext', 'BarcodeDetector', 'OffscreenCanvas', 'createImageBitmap']) {
      delete window[missing];
    }
    for (const missing of ['wakeLock', 'vibrate', 'storage', 'locks', 'languages']) {
      Object.defineProperty(Navigator.prototype, missing, { value: undefined, configurable: true });
      delete Navigator.prototype[missing];
    }
    delete Crypto.prototype.randomUUID;
    delete HTMLVideoElement.prototype.requestVideoFrameCallback;
    delete MediaStreamTrack.prototype.getCapabilities;
  });
  await page.goto(given.url);
  await start(page);
  await answer(page, 'admitted', 'false');
  const [code, other] = codes.spare;
  await type(page, code);
  await answer(page, 'admitted', 'false');
  await isReadyForTheDark(page);
  await goOffline(page);
  await type(page, other);
  await answer(page, 'admitted', 'true');
  await comeBack(page);
  await eventually(page, '#waiting', (text) => text === '0');
  await page.context().close();
}

async function elsewhereTheLinkIsNotInTheAddress(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await see(page, '#start');
  assert.equal(page.url(), `${origin}/door`, 'the token is still in the address bar');
  assert.equal(await page.locator('link[rel=manifest]').count(), 1, 'the page cannot be installed');
  await page.context().close();
}

async function theHomeScreenOfAnIphoneKeepsTheLink(browser) {
  const safari = await iphone(browser, { standalone: false });
  await safari.goto(given.url);
  await start(safari);
  await seePicturesRead(safari, 2);
  // The home screen takes the address, and a manifest would put another one in its place.
  const address = safari.url();
  assert.equal(await safari.locator('link[rel=manifest]').count(), 0);
  const icon = await safari.locator('link[rel=apple-touch-icon]').getAttribute('href');
  const picture = await safari.request.get(new URL(icon, origin).href);
  assert.deepEqual([picture.status(), picture.headers()['content-type']], [200, 'image/png']);

  // Its storage is another one: nothing of what the browser has kept is there.
  const app = await iphone(browser, { standalone: true });
  await app.goto(address);
  await start(app);
  await type(app, codes.spare[2]);
  await answer(app, 'admitted', 'false');

  // Another door was opened in the app since: it starts there, although its address names the first one.
  await dismiss(app);
  await app.locator('#network').tap();
  await app.locator('#another-link').tap();
  await app.locator('#link').fill(given.bar_url);
  await app.locator('#link').press('Enter');
  await eventually(app, '#link-label', (text) => text === 'Bar');
  await app.goto('about:blank');
  await app.goto(address);
  await eventually(app, '#link-label', (text) => text === 'Bar');
  await safari.context().close();
  await app.context().close();
}

async function iphone(browser, abilities) {
  const page = await newPhone(browser);
  await page.addInitScript(({ standalone }) => {
    Object.defineProperty(Navigator.prototype, 'standalone', { value: standalone });
  }, abilities);
  return page;
}

async function theFirstTouchGivesTheVoice(browser) {
  const page = await newPhone(browser);
  await page.addInitScript(() => {
    window.voices = [];
    const Audio = window.AudioContext;
    window.AudioContext = class extends Audio {
      constructor(...given) {
        super(...given);
        window.voices.push(this);
      }
    };
  });
  await page.goto(given.url);
  await see(page, '#start');
  assert.equal(await page.evaluate(() => window.voices.length), 0);
  await page.locator('#event-name').tap();
  await eventually(page, '#start', async () => page.evaluate(() => window.voices[0]?.state === 'running'));
  await page.context().close();
}
