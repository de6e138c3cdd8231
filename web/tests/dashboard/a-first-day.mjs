// The first day with the dashboard: from the link of the first start to a key used with curl, a webhook that fails and is
// sent again, and a colleague with a second factor who may do less.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { given } from '../given.mjs';
import { axeFindsNothing } from './axe.mjs';
import { begin, codeOf, LAPTOP, open, PASSWORD, person, signIn } from './people.mjs';

export async function play(browser) {
  const ana = await person(browser);
  await ana.goto(given.link);
  await axeFindsNothing(ana, 'the first start');
  await begin(ana);
  await aKeyWorksAtOnceAndStopsAtOnce(ana);
  await aWebhookIsTestedAndSentAgain(ana);
  await aColleagueMayDoLess(browser, ana);
  await aSessionIsEndedFromElsewhere(browser, ana);
  await theHistoryKnowsAll(ana);
}

async function picture(page, name) {
  if (given.pictures) await page.screenshot({ path: join(given.pictures, `${name}.png`), fullPage: true });
}

async function aKeyWorksAtOnceAndStopsAtOnce(page) {
  await open(page, 'API keys');
  await page.getByText('No keys yet').waitFor();
  await page.getByRole('link', { name: 'New key' }).click();
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('alert').waitFor();
  await axeFindsNothing(page, 'a form with what is wrong');
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid'), 'true');
  await page.getByRole('textbox', { name: 'Name' }).fill('Accounting');
  await page.getByLabel('EVENTS_READ').check();
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('heading', { name: 'The key “Accounting” is ready' }).waitFor();
  await axeFindsNothing(page, 'the new key');
  await picture(page, 'dashboard-key');
  const line = await page.locator('#curl').textContent();
  const curl = (...more) => execFileSync('sh', ['-c', [line, ...more].join(' ')], { encoding: 'utf8' });
  assert.equal(JSON.parse(curl('-s')).producer.name, 'Sala Aurora');
  // The button copies the key itself.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('[data-copy=key]').click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const key = await page.locator('#key').textContent();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
  await page.getByRole('link', { name: 'I have kept the key' }).click();
  assert.ok(!(await page.content()).includes(key), 'the key is shown again');
  await page.getByRole('cell', { name: `…${key.slice(-4)}` }).waitFor();
  await page.getByRole('link', { name: 'Revoke Accounting' }).click();
  await page.getByText('stops working at once').waitFor();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('The key was revoked').waitFor();
  assert.equal(curl('-s', '-o', '/dev/null', '-w', "'%{http_code}'"), '401');
}

async function aWebhookIsTestedAndSentAgain(page) {
  let status = 500;
  const got = [];
  const receiver = createServer((request, response) => {
    got.push(request.headers['webhook-id']);
    request.resume();
    response.writeHead(status).end(status === 500 ? 'the database is away' : 'thank you');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await open(page, 'Webhooks');
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('link', { name: 'New endpoint' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${receiver.address().port}/hooks`);
  await page.getByLabel('A ticket entered').check();
  await page.getByLabel('An order was paid').check();
  await page.getByRole('button', { name: 'Make the endpoint' }).click();
  assert.match(await page.locator('#secret').textContent(), /^whsec_/);
  await axeFindsNothing(page, 'the secret of an endpoint');
  await page.getByRole('link', { name: 'I have kept the secret' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Below is what came of it').waitFor();
  await page.getByRole('cell', { name: '500', exact: true }).waitFor();
  await page.getByRole('cell', { name: 'the database is away' }).waitFor();
  status = 200;
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The messages are sent again').waitFor();
  // The page follows what comes of it by itself.
  await page.getByText('thank you').waitFor();
  await page.locator('#delivery').getByText('delivered').waitFor();
  await axeFindsNothing(page, 'a message');
  assert.equal(new Set(got).size, 1, 'the same message came twice');
  await picture(page, 'dashboard-webhook');
  receiver.close();
  receiver.closeAllConnections();
}

async function aColleagueMayDoLess(browser, ana) {
  await open(ana, 'Team');
  await ana.getByRole('link', { name: 'Invite somebody' }).click();
  await ana.getByLabel('E-mail address').fill('bea@example.com');
  await ana.getByLabel('Role').selectOption({ label: 'Viewer' });
  await ana.getByRole('button', { name: 'Make the invitation' }).click();
  const link = await ana.locator('#link').textContent();
  await axeFindsNothing(ana, 'a link to hand over');

  const bea = await person(browser);
  await bea.goto(link);
  await bea.getByRole('heading', { name: 'Join the team of Sala Aurora' }).waitFor();
  await axeFindsNothing(bea, 'an invitation');
  await bea.getByLabel('Your name').fill('Bea Gil');
  await bea.getByLabel('New password').fill(PASSWORD);
  await bea.getByRole('button', { name: 'Join' }).click();
  await bea.getByText('Welcome to the team').waitFor();
  await bea.getByRole('link', { name: 'Set up a second factor' }).click();
  const secret = await bea.locator('#totp-secret').textContent();
  await bea.getByLabel('The code that the app shows now').fill(codeOf(secret));
  await bea.getByRole('button', { name: 'Set up a second factor' }).click();
  await bea.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  assert.equal(await bea.locator('.codes li').count(), 10);
  await axeFindsNothing(bea, 'recovery codes');
  await bea.getByRole('link', { name: 'I have kept the codes' }).click();
  await bea.getByText('Bea Gil').first().click();
  await bea.getByRole('button', { name: 'Sign out' }).click();
  await signIn(bea, 'bea@example.com');
  await bea.getByRole('heading', { name: 'Second factor' }).waitFor();
  await axeFindsNothing(bea, 'the second factor');
  await bea.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
  await bea.getByRole('button', { name: 'Sign in' }).click();
  await bea.getByRole('heading', { name: 'Sala Aurora' }).waitFor();

  // What she may not do is not offered, and refused where she tries all the same.
  const sections = await bea.getByRole('navigation', { name: 'Sections' }).innerText();
  assert.ok(sections.includes('Webhooks') && !sections.includes('API keys') && !sections.includes('Team'), sections);
  const overview = new URL(bea.url()).pathname;
  await bea.goto(`${overview}/keys`);
  await bea.getByRole('heading', { name: 'You may not do this' }).waitFor();
  await bea.getByText('See API keys').waitFor();
  await axeFindsNothing(bea, 'a refusal');
  const status = await bea.evaluate(
    (path) => fetch(path, { method: 'POST', body: new URLSearchParams({ name: 'x', permission: 'EVENTS_READ', expires: '30' }) }).then(({ status }) => status),
    `${overview}/keys`,
  );
  assert.equal(status, 403);
  await bea.context().close();
}

async function aSessionIsEndedFromElsewhere(browser, ana) {
  const userAgent = 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0';
  const phone = await person(browser, { userAgent, timezoneId: 'Asia/Tokyo' });
  await signIn(phone, 'ana@example.com');
  await phone.getByRole('heading', { name: 'Sala Aurora' }).waitFor();
  // Sessions are told by the clocks of whoever reads.
  await phone.goto('/dashboard/account');
  await phone.getByText('Times are those of Asia/Tokyo.').waitFor();
  const began = phone.getByRole('row', { name: 'This one' }).locator('time').first();
  assert.equal((await began.textContent()).slice(-5), await began.evaluate((time) => new Date(time.dateTime).toTimeString().slice(0, 5)));
  await phone.goto('/dashboard');
  await ana.goto('/dashboard/account');
  await ana.getByRole('row', { name: 'Firefox on Android' }).getByRole('button', { name: 'End' }).click();
  await ana.getByText('The session has ended').waitFor();
  await phone.getByRole('link', { name: 'API keys' }).first().click();
  await phone.getByRole('heading', { name: 'Sign in' }).waitFor();
  await phone.context().close();
}

async function theHistoryKnowsAll(ana) {
  await ana.goto('/dashboard');
  await open(ana, 'History');
  for (const entry of ['API key made', 'API key revoked', 'Endpoint made', 'Test sent to an endpoint', 'Joined the team', 'Tried without permission']) {
    await ana.getByRole('rowheader', { name: entry }).first().waitFor();
  }
  await ana.getByLabel('What', { exact: true }).selectOption({ label: 'Tried without permission' });
  await ana.getByRole('button', { name: 'Search' }).click();
  await ana.getByRole('cell', { name: 'bea@example.com' }).first().waitFor();
  assert.equal(await ana.locator('tbody tr').count(), 2);
  await ana.setViewportSize(LAPTOP);
  await ana.goto('/dashboard');
  await picture(ana, 'dashboard-overview');
}
