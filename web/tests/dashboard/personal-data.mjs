// Somebody asks what is held of them, gets it as a file, and is erased.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { axeFindsNothing } from './axe.mjs';
import { everyPageFits, itFits, screen } from './looks.mjs';
import { open, person, PHONE, signIn } from './people.mjs';

const HOME = '/dashboard/p/pr_a';

export async function play(browser) {
  const ana = await person(browser);
  await signIn(ana, 'ana@example.com');
  await ana.getByRole('navigation', { name: 'Sections' }).waitFor();
  await open(ana, 'Tickets');
  await ana.getByText('Bea Gil').first().waitFor();
  await someoneUnknown(ana);
  await find(ana, 'Bea@Mail.example');
  await whatIsHeld(ana);
  const erasure = await erased(ana);
  const pages = { people: `${HOME}/people`, erasure };
  await everyPageFits(browser, await ana.context().cookies(), pages);
  await withoutJavaScriptOnAPhone(browser);
}

async function find(page, detail) {
  await open(page, 'Personal data');
  await page.getByLabel('Address or number').fill(detail);
  await page.getByRole('button', { name: 'Find' }).click();
}

async function someoneUnknown(page) {
  await find(page, '');
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('Address or number').getAttribute('aria-invalid'), 'true');
  await axeFindsNothing(page, 'nobody is named');
  await find(page, 'nobody@mail.example');
  await page.getByRole('heading', { name: 'Nothing is held of this person' }).waitFor();
  // Who is meant is in no address, which browsers and logs keep.
  assert.ok(!page.url().includes('nobody'), page.url());
  await page.getByRole('link', { name: 'Look for somebody else' }).click();
}

async function whatIsHeld(page) {
  await page.getByRole('heading', { name: 'Bea@Mail.example' }).waitFor();
  await axeFindsNothing(page, 'a person');
  await itFits(page, 'a person');
  await screen(page, 'person');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
  const file = readFileSync(await download.path(), 'utf8');
  assert.ok(file.includes('Bea Gil') && file.includes('CODE-0001'), file);
  assert.ok(!file.includes('Carla'), file);
}

/** Erases the person, and gives the path of the page that tells of it. */
async function erased(page) {
  await page.getByRole('button', { name: 'Erase now' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByText('Make sure who asks, and say so here.').first().waitFor();
  await page.getByLabel('I have made sure that it is this person who asks').check();
  await page.getByRole('button', { name: 'Erase now' }).click();
  await page.locator('[data-state=work-is-done]').waitFor();
  const { pathname } = new URL(page.url());
  await find(page, 'bea@mail.example');
  await page.getByRole('heading', { name: 'Nothing is held of this person' }).waitFor();
  await open(page, 'Tickets');
  await page.getByText('Carla Paz').first().waitFor();
  assert.ok(!(await page.locator('main').innerText()).includes('Bea'), 'the list of tickets still has the name');
  return pathname;
}

async function withoutJavaScriptOnAPhone(browser) {
  const page = await person(browser, { javaScriptEnabled: false, viewport: PHONE, colorScheme: 'dark', locale: 'es-ES' });
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('Correo electrónico').fill('ana@example.com');
  await page.getByLabel('Contraseña').fill('correct horse battery');
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.goto(`${HOME}/people`);
  await page.getByLabel('Buscar por').selectOption('document');
  await page.locator('#detail').fill('12345678z');
  await page.locator('form[action$="/people/find"] button').click();
  await page.getByRole('heading', { name: '12345678z' }).waitFor();
  await itFits(page, 'a person on a phone');
  await screen(page, 'person-phone-es');
  await page.context().close();
}
