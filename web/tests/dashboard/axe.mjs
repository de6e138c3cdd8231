// What stands in the way of those who listen to a page, or see it badly.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function axeFindsNothing(page, name) {
  // A page keeps it until another is opened.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations));
  const serious = found.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  const said = serious.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`);
  assert.equal(said.join('\n'), '', name);
}
