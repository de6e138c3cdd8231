// The door page, in a browser, against a real server. Started with everything it needs in DOOR_TEST (JSON):
//   script                  which of the scripts in scripts/ to play
//   url, pin_url, bar_url   door links           pin         of pin_url
//   desk_url, asking_url    door links that may do everything besides scanning but ask first, and one that asks first
//   night_url               a door link for two events
//   kiosk_url, kiosk_pin_url  door links for guests who scan by themselves; the second with `pin`
//   elsewhere               {base, token} of another link of the same event
//   codes                   {camera, typed, lower, wedge, native, cancelled, refunded, transferred, bar, other_event,
//                           offline: [3 of them], killed: [1], group: [4 of one order], party: [3 of another], desk: [5],
//                           spare: [40 that nobody else uses],
//                           night: {late, later: with notes, of the second event; elsewhere: of a third; kiosk: [2]}}
//   revoke                  the command that revokes the link of `url`
//   whole                   whether also to play what the page does by itself, whatever the server keeps its data in
//   pictures                folder for the pictures in the documents, or null
//   screens                 folder for a picture of every screen, from TAQUILLA_SCREENS, or null
//   long                    whether this is a long run, by TAQUILLA_LONG
//   chromium                the browser
//
// What the page promises to this test:
//   #link (paste a link), #link-message, #pin, #pin-message, #station, #start, #code
//   #result[data-outcome][data-offline][data-answer=how many so far], hidden while there is none;
//   in it #result-name, #result-type, #result-explanation, #result-notice
//   #network[data-state=online|offline][data-list=none|loading|ready], #start-list[data-list]
//   #viewfinder[data-several], #several: whether several codes are in view, and what is said then; #camera-problem
//   #waiting, #conflicts, #entered, #to-come: numbers, kept up to date while hidden
//   #open-waiting, #waiting-list li, #waiting-sheet [data-close]; #other-link
//   [data-go-on], on every screen that says why a link does not open: back to one that works
//   #open-conflicts, #conflict-list li, #dismiss-all; #refused

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearUp } from './clear-up.mjs';
import { given } from './given.mjs';
import * as phone from './phone.mjs';

try {
  if (given.pictures) mkdirSync(given.pictures, { recursive: true });
  const { play } = await import(`./scripts/${given.script}.mjs`);
  await play();
  assert.deepEqual(phone.complaints, [], 'the page complained');
} catch (error) {
  console.error(error);
  for (const complaint of phone.complaints) console.error(`The page: ${complaint}`);
  const path = join(tmpdir(), `door-test-failed-${process.pid}.png`);
  await phone.lastPage()?.screenshot({ path, timeout: 5_000 }).then(
    () => console.error(`The screen at that moment: ${path}`),
    () => console.error('The screen at that moment could not be kept.'),
  );
  process.exitCode = 1;
} finally {
  await phone.stopAll();
  await clearUp();
}
