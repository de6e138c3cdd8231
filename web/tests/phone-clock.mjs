// The phone's clock stands still, and moves on only while the test waits for something. How long an answer stays on the
// screen, when a code is out of view and when the page tries again do not depend on how busy this machine is.

import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { WAIT_MS } from './given.mjs';

const STEP_MS = 100;
const POLL_MS = 20;
const ONE_DAY_MS = 24 * 60 * 60 * 1000;

export async function stopClock(page) {
  // A running clock can only be stopped at a later time than its own, so it starts a day behind.
  await page.clock.install({ time: Date.now() - ONE_DAY_MS });
  await page.clock.pauseAt(Date.now());
  await waitForTheCamera(page);
  // The phone's time may pass faster than the server answers, so the phone waits for an answer as long as it takes.
  await page.addInitScript(() => {
    Object.defineProperty(AbortSignal, 'timeout', { value: () => new AbortController().signal });
  });
}

/**
 * A camera and the reader of its pictures work beside the page, in this machine's time. The phone's stands still until a
 * camera that is being opened shows its first picture, and until the reader is done with its own.
 */
async function waitForTheCamera(page) {
  await page.addInitScript(() => {
    window.picturesRead = 0;
    const busy = new Map();
    let whenIdle = [];
    const set = (worker, questions) => {
      if (questions > 0) busy.set(worker, questions);
      else busy.delete(worker);
      if (busy.size > 0) return;
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    };
    const idle = () => new Promise((resolve) => (busy.size === 0 ? resolve() : whenIdle.push(resolve)));
    window.cameraIsIdle = async () => {
      await idle();
      const video = document.querySelector('#camera');
      if (!video?.srcObject?.active || video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) return;
      await new Promise((resolve) => {
        for (const event of ['loadeddata', 'emptied', 'error']) video.addEventListener(event, resolve, { once: true });
      });
    };
    const { mediaDevices } = navigator;
    const open = mediaDevices?.getUserMedia.bind(mediaDevices);
    if (mediaDevices) {
      mediaDevices.getUserMedia = async (...given) => {
        set(open, (busy.get(open) ?? 0) + 1);
        return open(...given).finally(() => set(open, busy.get(open) - 1));
      };
    }
    window.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        this.addEventListener('message', () => {
          window.picturesRead += 1;
          set(this, busy.get(this) - 1);
        });
        this.addEventListener('error', () => set(this, 0));
      }

      postMessage(...given) {
        super.postMessage(...given);
        set(this, (busy.get(this) ?? 0) + 1);
      }

      terminate() {
        super.terminate();
        set(this, 0);
      }
    };
  });
  const runFor = page.clock.runFor.bind(page.clock);
  page.clock.runFor = async (milliseconds) => {
    for (let left = milliseconds; left > 0; left -= STEP_MS) {
      // A page that is being left has nobody to wait for.
      await page.evaluate(() => window.cameraIsIdle?.()).catch(() => {});
      await runFor(Math.min(STEP_MS, left));
    }
  };
}

/** Lets the phone's time pass until something holds; `complaint` says what is wrong when it never does. */
export async function until(page, holds, complaint) {
  const deadline = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(await complaint());
    await page.clock.runFor(STEP_MS);
  }
}

/** Waits for something that must come of what was done, while the phone's time stands still. */
export async function untilAtOnce(holds, complaint) {
  const deadline = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(await complaint());
    await setTimeout(POLL_MS);
  }
}

export async function see(page, selector) {
  await until(page, () => page.locator(selector).isVisible(), () => `${selector} is not there`);
}

export async function seeGo(page, selector) {
  await until(page, () => page.locator(selector).isHidden(), () => `${selector} is still there`);
}

export async function eventually(page, selector, holds) {
  const text = () => page.locator(selector).textContent();
  await until(page, async () => holds(await text()), async () => `${selector} stayed at "${await text()}", not ${holds}`);
}

/** Lets time pass until the phone has caught up once more: it has fetched its list, and its counts after it sent the queue. */
export async function seeItCatchUp(page) {
  const missing = new Set(['/door/v1/codes?', '/door/v1/counts']);
  const hear = (response) => {
    for (const path of missing) if (response.url().includes(path)) missing.delete(path);
  };
  page.on('response', hear);
  await until(page, () => missing.size === 0, () => `the phone does not ask for ${[...missing]}`);
  page.off('response', hear);
}
