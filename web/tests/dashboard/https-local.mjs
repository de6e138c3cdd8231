// A try in the house: the page over http says what the browser will warn of, and a phone that goes past it has its camera.
//   https   where https is
//   door    the path of a door link

import assert from 'node:assert/strict';
import { given } from '../given.mjs';
import { everyPageFits, itFits } from './looks.mjs';
import { complaints, person, PHONE } from './people.mjs';

export async function play(browser) {
  await everyPageFits(browser, [], { page: '/' });

  const reader = await person(browser, { viewport: PHONE, locale: 'es-ES', hasTouch: true });
  await reader.goto('/');
  await reader.getByRole('heading', { name: 'Tu móvil te va a avisar' }).waitFor();
  await itFits(reader, 'the page in Spanish');

  const phone = await person(browser, { viewport: PHONE, hasTouch: true, ignoreHTTPSErrors: true });
  await phone.goto(given.door);
  const onward = phone.getByRole('link', { name: 'Go on to the warning' });
  // What follows the # is the secret of the link. It never reaches the server, and it is not lost.
  assert.equal(await onward.getAttribute('href'), given.https + given.door);
  await onward.click();
  await phone.locator('#start').waitFor();
  assert.equal(new URL(phone.url()).origin, given.https);
  await phone.locator('#start').click();
  await phone.locator('#network').waitFor();
  await phone.waitForFunction(() => [...document.querySelectorAll('video')].some((video) => video.videoWidth > 0));
  assert.ok(await phone.locator('#camera-problem').isHidden(), 'the camera has a problem');
  // Browsers keep no page for use without signal behind a certificate that they warned of. The page says so, and works on.
  const others = complaints.filter((complaint) => !complaint.includes('SSL certificate error'));
  complaints.splice(0, complaints.length, ...others);

  const careful = await person(browser);
  await assert.rejects(careful.goto(given.https), /ERR_CERT_AUTHORITY_INVALID/);
}
