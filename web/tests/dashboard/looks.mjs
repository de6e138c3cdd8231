// How pages look: on a laptop, a phone and a small phone, light and dark, in English and Spanish. No page is wider than its
// window, and axe-core finds nothing serious. Each width and each theme is read by axe-core once.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { given } from '../given.mjs';
import { axeFindsNothing } from './axe.mjs';
import { LAPTOP, person, PHONE } from './people.mjs';

const SMALL = { width: 320, height: 568 };
// By language. Each page is opened once in each, on a phone and on a laptop, and then turned into the others, as a window is.
const LOOKS = {
  'en-GB': {
    'phone-dark': { viewport: PHONE, colorScheme: 'dark', touch: true },
    'small-light': { viewport: SMALL, colorScheme: 'light', touch: true },
    'laptop-light': { viewport: LAPTOP, colorScheme: 'light', touch: false },
  },
  'es-ES': {
    'laptop-dark-es': { viewport: LAPTOP, colorScheme: 'dark', touch: false },
    'phone-light-es': { viewport: PHONE, colorScheme: 'light', touch: true },
  },
};
const READ_BY_AXE = ['laptop-light', 'phone-dark'];

/**
 * Looks at pages, by name and path, as the person with these cookies. What they look like does not depend on where the data
 * is, so it is done on one engine. `seen` gets each page with its name and look.
 */
export async function everyPageFits(browser, cookies, pages, seen = async () => {}) {
  if (!given.looks) return;
  for (const [locale, looks] of Object.entries(LOOKS)) {
    const page = await person(browser, { locale });
    await page.context().addCookies(cookies);
    const wear = await wardrobe(page);
    const [opened] = Object.values(looks);
    for (const [name, path] of Object.entries(pages)) {
      await wear(opened);
      await page.goto(path);
      if (await page.locator('[data-chart]').count()) await page.locator('.chart-drawn canvas').first().waitFor();
      for (const [look, options] of Object.entries(looks)) {
        if (options !== opened) await wear(options);
        await itFits(page, `${name} ${look}`);
        if (READ_BY_AXE.includes(look)) await axeFindsNothing(page, `${name} ${look}`);
        await screen(page, `${name}-${look}`);
        await seen(page, name, look);
      }
    }
    await page.context().close();
  }
}

/** What turns a page into that of another screen, theme and pointer. */
async function wardrobe(page) {
  const session = await page.context().newCDPSession(page);
  return async ({ viewport, colorScheme, touch }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: touch });
    await page.waitForFunction(
      ([width, dark, coarse]) =>
        innerWidth === width &&
        matchMedia('(prefers-color-scheme: dark)').matches === dark &&
        matchMedia('(pointer: coarse)').matches === coarse,
      [viewport.width, colorScheme === 'dark', touch],
    );
  };
}

export async function itFits(page, name) {
  const { wide, view } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, view: document.documentElement.clientWidth }));
  assert.ok(wide <= view, `${name} is ${wide} px wide in a window of ${view}`);
}

/** Keeps a page for somebody who wants to see all of them. */
export async function screen(page, name, fullPage = true) {
  if (given.screens) await page.screenshot({ path: join(given.screens, `${given.script}-${name}.png`), fullPage });
}

/** Keeps a page for the documents. */
export async function picture(page, name, fullPage = true) {
  if (given.pictures) await page.screenshot({ path: join(given.pictures, `${name}.png`), fullPage });
}
