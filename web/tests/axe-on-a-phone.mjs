// What stands in the way of those who listen to the scanner page, or see it badly. The phone's clock stands still, so axe-core gets
// its time step by step.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { until } from './phone-clock.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function seriousFindings(page) {
  // The screens are one page, which keeps it until it is loaded anew.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  await page.evaluate(() => {
    window.found = undefined;
    axe.run(document, { resultTypes: ['violations'] }).then((found) => (window.found = found.violations));
  });
  await until(page, () => page.evaluate(() => window.found !== undefined), () => 'axe-core does not finish');
  const violations = await page.evaluate(() => window.found);
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`);
}
