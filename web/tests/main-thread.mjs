// How long the camera keeps the page from answering a touch, on a phone that is four times slower than this machine.
// The figures depend on the machine, so they are printed and not judged, in long runs only:
//   TAQUILLA_LONG=1 tests/with-services cargo nextest run --locked -E 'test(the_camera_holds_up_nobody) & test(sqlite)' --success-output final

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { given, WAIT_MS } from './given.mjs';

const SLOWER = 4;
const WATCHED_MS = 5_000;
// From this length on a person notices that the page does not answer, by the browsers' own convention.
const LONG_TASK_MS = 50;

/** Prints the longest task of the page's main thread, and how long it was blocked, while the camera sees no code. */
export async function measureMainThread(browser) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(given.url);
  await page.locator('#start').click();
  await page.waitForFunction(() => document.querySelector('#camera').currentTime > 0);
  const throttle = await context.newCDPSession(page);
  await throttle.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  // What belongs to the start of the page is over by then.
  await page.waitForTimeout(1_000);

  const events = await trace(browser, async () => {
    await page.evaluate(() => performance.mark('door-test'));
    await page.waitForTimeout(WATCHED_MS);
  });
  await context.close();

  const { pid, tid } = events.find(({ name }) => name === 'door-test');
  const tasks = events.filter((event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid);
  assert.notEqual(tasks.length, 0, 'the trace has no tasks');
  // By the clock, and by the processor, which is the same on a machine that has nothing else to do.
  for (const [what, lengthOf] of Object.entries({ clock: ({ dur = 0 }) => dur, processor: ({ tdur = 0 }) => tdur })) {
    const lengths = tasks.map((task) => lengthOf(task) / 1000);
    const blocked = lengths.filter((ms) => ms >= LONG_TASK_MS).reduce((sum, ms) => sum + ms, 0);
    console.log(
      `Main thread, ${SLOWER} times slower, camera on for ${WATCHED_MS} ms, by the ${what}: longest task ` +
        `${Math.max(...lengths).toFixed(0)} ms; ${blocked.toFixed(0)} ms in tasks of ${LONG_TASK_MS} ms and more.`,
    );
  }
}

async function trace(browser, steps) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const includedCategories = ['disabled-by-default-devtools.timeline', 'blink.user_timing'];
  await session.send('Tracing.start', { traceConfig: { includedCategories } });
  await steps();
  const complete = once(session, 'Tracing.tracingComplete');
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return events;
}
