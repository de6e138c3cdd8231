// The dashboard for everybody: on a phone and a laptop, light and dark, in Spanish, with the keyboard alone, without
// JavaScript, and for those who listen to it (axe-core).

import assert from 'node:assert/strict';
import { everyPageFits, picture } from './looks.mjs';
import { begin, open, PASSWORD, person, signIn } from './people.mjs';

const PAGES = [
  '', '/keys', '/keys/new', '/webhooks', '/webhooks/new', '/payments', '/payments/connect', '/payments/open', '/team', '/team/invite',
  '/team/roles', '/team/roles/new', '/history', '/settings',
];
const OTHERS = ['/', '/dashboard/sign-in', '/dashboard/account', '/dashboard/account/second-factor', '/dashboard/service', '/dashboard/confirm', '/dashboard/nowhere'];

export async function play(browser) {
  const ana = await person(browser);
  await begin(ana);
  const home = new URL(ana.url()).pathname;
  await somethingToLookAt(ana);
  await itLooksGood(browser, ana, home);
  await withTheKeyboardAlone(browser);
  await inSpanish(browser);
  await withoutJavaScript(browser);
  await menusCloseAgain(ana);
}

/** Rows for every table, with long words in them. */
async function somethingToLookAt(page) {
  await open(page, 'API keys');
  for (const name of ['Accounting', 'Thenewsletterprogramwhosenamehasnospacesatallanddoesnotend']) {
    await page.getByRole('link', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByLabel('TICKETS_READ').check();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('link', { name: 'I have kept the key' }).click();
  }
  await open(page, 'Webhooks');
  await page.getByRole('link', { name: 'New endpoint' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(`https://example.com/${'a-very-long-address/'.repeat(8)}`);
  await page.getByLabel('A ticket entered').check();
  await page.getByRole('button', { name: 'Make the endpoint' }).click();
  await page.getByRole('link', { name: 'I have kept the secret' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Nothing is sent until you resume').waitFor();
  await open(page, 'Team');
  await page.getByRole('link', { name: 'Invite somebody' }).click();
  await page.getByLabel('E-mail address').fill('a.person.with.a.very.long.address@a-company-with-a-long-name.example');
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  await page.locator('#link').waitFor();
}

async function itLooksGood(browser, ana, home) {
  const first = (path) => ana.goto(home + path).then(() => ana.locator('tbody a').first().getAttribute('href'));
  const [endpoint, key] = [await first('/webhooks'), await first('/keys')];
  const paths = [...PAGES.map((path) => home + path), ...OTHERS, endpoint, `${endpoint}/change`, `${endpoint}/delete`, key];
  const name = (path) => path.replace(home, '').replace(/\/(key|wh)_[^/]+/, '/$1').slice(1).replaceAll('/', '-') || 'overview';
  const pages = Object.fromEntries(paths.map((path) => [path === '/' ? 'front' : name(path), path]));
  await everyPageFits(browser, await ana.context().cookies(), pages, async (page, name, look) => {
    if (look === 'phone-dark' && name === 'team') await picture(page, 'dashboard-team-phone', false);
    if (look === 'laptop-dark-es' && name === 'dashboard-sign-in') await picture(page, 'dashboard-sign-in-dark', false);
  });
}

async function withTheKeyboardAlone(browser) {
  const page = await person(browser);
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim());
  const tabTo = async (wanted) => {
    for (let times = 0; times < 60; times++) {
      await page.keyboard.press('Tab');
      const here = await focused();
      if (here === wanted) {
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(outline, 'none', `nobody sees that ${wanted} has the focus`);
        return;
      }
    }
    assert.fail(`the keyboard does not reach ${wanted}`);
  };
  await page.goto('/dashboard');
  await tabTo('email');
  await page.keyboard.type('ana@example.com');
  await tabTo('password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sala Aurora' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'content');
  await page.reload();
  await tabTo('API keys');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await tabTo('New key');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New key' }).waitFor();
  await tabTo('name');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The key “By keyboard” is ready' }).waitFor();
  await page.context().close();
}

async function inSpanish(browser) {
  const page = await person(browser, { locale: 'es-ES' });
  await page.goto('/');
  assert.equal(await page.locator('html').getAttribute('lang'), 'es');
  await page.goto('/dashboard/sign-in');
  await page.locator('#email').fill('ana@example.com');
  await page.locator('#password').fill('equivocada');
  await page.locator('form button').first().click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.locator('#email').inputValue(), 'ana@example.com', 'what was written is gone');
  await page.locator('#password').fill(PASSWORD);
  await page.locator('form button').first().click();
  await page.getByRole('heading', { name: 'Sala Aurora' }).waitFor();
  await page.getByRole('link', { name: 'Claves de API' }).first().waitFor();
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('link', { name: 'API keys' }).first().waitFor();
  await page.context().close();
}

async function withoutJavaScript(browser) {
  const page = await person(browser, { javaScriptEnabled: false });
  await signIn(page, 'ana@example.com');
  await page.getByRole('heading', { name: 'Sala Aurora' }).waitFor();
  await open(page, 'API keys');
  await page.getByRole('link', { name: 'New key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Without a script');
  await page.getByLabel('EVENTS_READ').check();
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('heading', { name: 'The key “Without a script” is ready' }).waitFor();
  assert.equal(await page.locator('[data-copy]').first().isVisible(), false, 'a button that does nothing');
  await page.getByText('Ana Ruiz').first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.context().close();
}

async function menusCloseAgain(page) {
  await page.goto('/dashboard');
  const menu = page.locator('.bar-account');
  const isOpen = () => menu.evaluate((element) => element.open);
  await menu.locator('summary').click();
  assert.equal(await isOpen(), true);
  await page.keyboard.press('Escape');
  assert.equal(await isOpen(), false);
  await menu.locator('summary').click();
  await page.locator('h1').click();
  assert.equal(await isOpen(), false);
}
