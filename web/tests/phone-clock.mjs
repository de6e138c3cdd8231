// The phone's clock stands still, and moves on only while the test waits for something. How long an answer stays on the
// screen, when a code is out of view and when the page tries again do not depend on how busy this machine is.

import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { given, WAIT_MS } from './given.mjs';

const STEP_MS = 100;
const POLL_MS = 20;
const ONE_DAY_MS = 24 * 60 * 60 * 1000;
/** In these scripts every picture is read, however often it was: they are about the camera and its reader. */
const READ_EACH_TIME = ['codes-in-view', 'a-slow-phone', 'other-phones'];

export async function stopClock(page) {
  // A running clock can only be stopped at a later time than its own, so it starts a day behind.
  await page.clock.install({ time: Date.now() - ONE_DAY_MS });
  await page.clock.pauseAt(Date.now());
  await waitForTheCamera(page);
  await letTimePass(page);
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
  await page.addInitScript((readEachTime) => {
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
      #picture = new Uint32Array();
      #answer = null;

      constructor(...given) {
        super(...given);
        this.addEventListener('message', ({ data }) => {
          window.picturesRead += 1;
          this.#answer = data;
          set(this, busy.get(this) - 1);
        });
        this.addEventListener('error', () => set(this, 0));
      }

      /** Films stand still for long, and to read the same picture again is most of what a phone would do here. */
      postMessage(message, ...given) {
        set(this, (busy.get(this) ?? 0) + 1);
        if (!readEachTime && message.picture && this.#isTheLast(message.picture)) {
          const data = this.#answer;
          queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
        } else super.postMessage(message, ...given);
      }

      #isTheLast({ data }) {
        const [last, picture] = [this.#picture, new Uint32Array(data.buffer)];
        this.#picture = picture;
        const isTheSame = last.length === picture.length && picture.every((point, at) => point === last[at]);
        if (!isTheSame) this.#picture = picture.slice();
        return isTheSame && this.#answer?.codes !== undefined;
      }

      terminate() {
        super.terminate();
        set(this, 0);
      }
    };
  }, READ_EACH_TIME.includes(given.script));
}

/**
 * Lets time pass step by step. Playwright's own way would send three messages for each step, and keep a script of each that every
 * page opened later runs again. What has passed is kept in the window's name instead, which outlives the page in it.
 */
async function letTimePass(page) {
  await page.addInitScript(() => {
    if (Number(window.name) > 0) globalThis.__pwClock.controller.log('runFor', 0, Number(window.name));
  });
  let passed = 0;
  /** Tells whether an element is wanted and there, or neither; if not, some time passes. */
  page.isSoOrStep = async (wanted, milliseconds = STEP_MS) => {
    const until = passed + milliseconds;
    const isSo = await page.evaluate(isSoOrRun, { wanted, passed, until }).catch(unlessItIsBeingLeft);
    if (!isSo) passed = until;
    return isSo;
  };
  page.clock.runFor = async (milliseconds) => {
    for (let left = milliseconds; left > 0; left -= STEP_MS) await page.isSoOrStep(null, Math.min(STEP_MS, left));
  };
}

/** In the page: one step, unless it was made already. A window that went elsewhere lost its name, and is told what it missed. */
async function isSoOrRun({ wanted, passed, until }) {
  if (wanted !== null) {
    const [element, another] = document.querySelectorAll(wanted.selector);
    if (another) throw new Error(`${wanted.selector} is there more than once`);
    const { width, height } = element?.getBoundingClientRect() ?? { width: 0, height: 0 };
    const isVisible = width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
    if (isVisible === wanted.visible) return true;
  }
  await window.cameraIsIdle?.();
  const { controller } = globalThis.__pwClock;
  if (Number(window.name) < passed) {
    controller.log('runFor', 0, passed - Number(window.name));
    window.name = String(passed);
  }
  const step = until - Number(window.name);
  window.name = String(until);
  if (step > 0) await controller.runFor(step);
  return false;
}

/** A page that is being left has nobody to wait for. */
function unlessItIsBeingLeft(error) {
  if (!/context was destroyed|navigat/i.test(error.message)) throw error;
  return false;
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
  await untilItIs(page, { selector, visible: true }, `${selector} is not there`);
}

export async function seeGo(page, selector) {
  await untilItIs(page, { selector, visible: false }, `${selector} is still there`);
}

async function untilItIs(page, wanted, complaint) {
  const deadline = Date.now() + WAIT_MS;
  while (!(await page.isSoOrStep(wanted))) if (Date.now() > deadline) assert.fail(complaint);
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
