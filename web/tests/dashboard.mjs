// The dashboard, in a browser, against a real server. Started with everything it needs in DOOR_TEST (JSON):
//   script    which of the scripts in dashboard/ to play
//   base      the server's address
//   link      the path of the link of the first start
//   now_s     the server's time, which stands still
//   looks     whether pages are looked at in every size, theme and language
//   pictures  folder for the pictures in the documents, or null
//   screens   folder for a picture of every page, from TAQUILLA_SCREENS, or null
//   chromium  the browser

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChromium } from './chromium.mjs';
import { clearUp } from './clear-up.mjs';
import { complaints, lastPage } from './dashboard/people.mjs';
import { folder, given } from './given.mjs';

const chromium = await startChromium(given.chromium, mkdtempSync(join(folder, 'profile-')), '');
try {
  for (const pictures of [given.pictures, given.screens]) if (pictures) mkdirSync(pictures, { recursive: true });
  const { play } = await import(`./dashboard/${given.script}.mjs`);
  await play(chromium.browser);
  assert.deepEqual(complaints, [], 'a page complained');
} catch (error) {
  console.error(error);
  for (const complaint of complaints) console.error(`The page: ${complaint}`);
  const path = join(tmpdir(), `dashboard-test-failed-${process.pid}.png`);
  await lastPage()?.screenshot({ path, timeout: 5_000, fullPage: true }).then(
    () => console.error(`${lastPage().url()} at that moment: ${path}`),
    () => console.error('The page at that moment could not be kept.'),
  );
  process.exitCode = 1;
} finally {
  await chromium.kill();
  await clearUp();
}
// A server that a failed script left behind would keep this process.
process.exit();
