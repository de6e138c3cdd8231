// A camera on a slow phone: it is read beside the page, with and without a signal, and found again when it is lost.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { filmOf } from '../fake-camera.mjs';
import { codes, folder, given } from '../given.mjs';
import { cutConnection, isKeptOnThePhone } from '../light.mjs';
import { measureMainThread } from '../main-thread.mjs';
import { answer, inBrowser, newPhone, seePicturesRead, start } from '../phone.mjs';
import { see, seeGo, until } from '../phone-clock.mjs';

// Longer than another app may hold the camera without being noticed.
const DARK_MS = 3_100;

export async function play() {
  await filmOf(null, join(folder, 'stage.y4m'));
  await filmOf(codes.spare[0], join(folder, 'code.y4m'));
  await inBrowser('code.y4m', theCameraIsReadWithoutASignal);
  await inBrowser('stage.y4m', async (browser) => {
    await aReaderThatDiesIsReplaced(browser);
    await aReaderThatStaysSilentIsSaid(browser);
    await aCameraThatEndsIsOpenedAgain(browser);
    await aCameraThatStaysDarkIsOpenedAgainAndThenSaid(browser);
    await theChosenCameraIsKept(browser);
    if (given.long) await measureMainThread(browser);
  });
}

/** The worker and its reader are among the files that the phone keeps. */
async function theCameraIsReadWithoutASignal(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await see(page, '#start-list[data-list=ready]');
  await isKeptOnThePhone(page);
  await cutConnection(page);
  await page.reload();
  await start(page);
  await answer(page, 'admitted', 'true');
  await page.context().close();
}

async function aReaderThatDiesIsReplaced(browser) {
  const page = await newPhone(browser);
  await playWorkers(page, (number) => number === 1);
  await page.goto(given.url);
  await start(page);
  await until(page, () => page.evaluate(() => window.workers >= 2), () => 'the reader was not replaced');
  await seePicturesRead(page, 5);
  assert.ok(await page.locator('#camera-problem').isHidden());
  await page.context().close();
}

async function aReaderThatStaysSilentIsSaid(browser) {
  const page = await newPhone(browser);
  await playWorkers(page, () => true);
  await page.goto(given.url);
  await start(page);
  await see(page, '#camera-problem');
  await page.evaluate(() => (window.isSilent = () => false));
  await page.locator('#camera-retry').click();
  await seeGo(page, '#camera-problem');
  await seePicturesRead(page, 5);
  await page.context().close();
}

/** Workers that load and then do not answer any picture, where `isSilent` says so of the first, the second and so on. */
async function playWorkers(page, isSilent) {
  await page.addInitScript(`window.isSilent = ${isSilent}`);
  await page.addInitScript(() => {
    window.workers = 0;
    window.Worker = class extends Worker {
      number = (window.workers += 1);

      postMessage(message, handedOver) {
        if (!('picture' in message) || !window.isSilent(this.number)) super.postMessage(message, handedOver);
      }
    };
  });
}

const streamOf = (page) => page.evaluate(() => document.querySelector('#camera').srcObject?.id ?? null);

async function aCameraThatEndsIsOpenedAgain(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await seePicturesRead(page, 2);
  const before = await streamOf(page);
  await page.evaluate(() => {
    const [track] = document.querySelector('#camera').srcObject.getVideoTracks();
    track.stop();
    track.dispatchEvent(new Event('ended'));
  });
  await until(page, async () => ![before, null].includes(await streamOf(page)), () => 'the camera was not opened again');
  await seePicturesRead(page, 2);
  assert.ok(await page.locator('#camera-problem').isHidden());
  await page.context().close();
}

async function aCameraThatStaysDarkIsOpenedAgainAndThenSaid(browser) {
  const page = await newPhone(browser);
  await page.goto(given.url);
  await start(page);
  await seePicturesRead(page, 2);
  const before = await streamOf(page);
  await darken(page, 'mute');
  await page.clock.runFor(1_000);
  await darken(page, 'unmute');
  await page.clock.runFor(DARK_MS);
  assert.equal(await streamOf(page), before, 'a moment of darkness does no harm');

  await darken(page, 'mute');
  await page.clock.runFor(DARK_MS);
  await until(page, async () => ![before, null].includes(await streamOf(page)), () => 'the camera was not opened again');
  await seePicturesRead(page, 2);
  await darken(page, 'mute');
  await page.clock.runFor(DARK_MS);
  await see(page, '#camera-problem');
  await page.locator('#camera-retry').click();
  await seeGo(page, '#camera-problem');
  await seePicturesRead(page, 2);
  await page.context().close();
}

async function darken(page, event) {
  await page.evaluate((name) => {
    document.querySelector('#camera').srcObject.getVideoTracks()[0].dispatchEvent(new Event(name));
  }, event);
}

async function theChosenCameraIsKept(browser) {
  const page = await newPhone(browser);
  await playTwoCameras(page);
  const inUse = () => page.evaluate(() => window.cameraInUse);
  const isInUse = (camera) => until(page, async () => (await inUse()) === camera, async () => `${await inUse()} is in use`);
  await page.goto(given.url);
  await start(page);
  await see(page, '#switch-camera');
  assert.equal(await inUse(), 'back');
  await page.locator('#switch-camera').click();
  await isInUse('front');

  await page.reload();
  await start(page);
  await isInUse('front');
  await seePicturesRead(page, 2);
  await darken(page, 'ended');
  await until(page, () => page.evaluate(() => window.camerasOpened === 2), () => 'the camera was not opened again');
  assert.equal(await inUse(), 'front');

  await page.evaluate(() => localStorage.setItem('played-missing', 'front'));
  await page.reload();
  await start(page);
  await isInUse('back');
  assert.ok(await page.locator('#camera-problem').isHidden());
  await page.context().close();
}

/** The test's browser has one camera: it plays one at the back and one at the front, of which one may be missing. */
async function playTwoCameras(page) {
  await page.addInitScript(() => {
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    window.camerasOpened = 0;
    mediaDevices.enumerateDevices = async () => ['back', 'front'].map((deviceId) => ({ kind: 'videoinput', deviceId }));
    mediaDevices.getUserMedia = async ({ video: { deviceId, ...wanted } }) => {
      const camera = deviceId?.exact ?? 'back';
      if (camera === localStorage.getItem('played-missing')) throw new DOMException('played', 'NotFoundError');
      const stream = await open({ video: wanted });
      stream.getVideoTracks()[0].getSettings = () => ({ deviceId: camera });
      window.cameraInUse = camera;
      window.camerasOpened += 1;
      return stream;
    };
  });
}
