// People in front of the dashboard, each with a browser window of their own, and what they do again and again.

import { createHmac } from 'node:crypto';
import { given, WAIT_MS } from '../given.mjs';

export const PASSWORD = 'correct horse battery';
export const LAPTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** What pages complained of in the console. There must be nothing. */
export const complaints = [];
let last;
export const lastPage = () => last;

/** A window of a person who has not been here before. */
export async function person(browser, options = {}) {
  const context = await browser.newContext({ viewport: LAPTOP, locale: 'en-GB', baseURL: given.base, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  last = page;
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    // A page that refuses says so by its status, which the browser writes down as an error.
    const refused = /the server responded with a status of 4\d\d/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !refused) complaints.push(`${page.url()}: ${message.text()}`);
  });
  return page;
}

/** Follows the link of the first start to the first administrator's overview. */
export async function begin(page) {
  await page.goto(given.link);
  await page.getByLabel('Your name').fill('Ana Ruiz');
  await page.getByLabel('E-mail address').fill('ana@example.com');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Name of the organisation').fill('Sala Aurora');
  await page.getByLabel('Time zone').fill('madrid');
  await page.getByLabel('Currency').fill('EUR');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('heading', { name: 'Sala Aurora' }).waitFor();
}

export async function signIn(page, email, password = PASSWORD) {
  await page.goto('/dashboard/sign-in');
  await fillSignIn(page, email, password);
}

/** On the page that asks for it. */
export async function fillSignIn(page, email, password = PASSWORD) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a section by its name. */
export async function open(page, section) {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** The code that an authenticator app shows, so many steps of 30 s from the server's time. */
export function codeOf(secret, steps = 0) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(given.now_s / 30) + steps));
  const hash = createHmac('sha1', key).update(counter).digest();
  const at = hash[19] & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
