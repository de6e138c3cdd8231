// A browser that reads codes itself, played: Debian's Chromium has no such reader. What it sees is what the test says, to
// the phone's own clock, which no film keeps to.

import { untilAtOnce } from './phone-clock.mjs';

/** Before the page is loaded: from then on the camera sees what `show` says, and `answers` tells what was answered. */
export async function playReader(page) {
  await page.addInitScript(() => {
    window.inView = [];
    window.picturesRead = 0;
    window.BarcodeDetector = class {
      static getSupportedFormats = async () => ['qr_code', 'aztec'];

      async detect({ width, height }) {
        window.picturesRead += 1;
        const middle = [{ x: width / 2, y: height / 2 }];
        return window.inView.map((code) => ({ rawValue: code, cornerPoints: middle }));
      }
    };
  });
  await noteAnswers(page);
}

export async function noteAnswers(page) {
  await page.addInitScript(() => {
    window.answers = [];
    const note = () => {
      const { dataset } = document.querySelector('#result');
      const explanation = document.querySelector('#result-explanation').textContent;
      window.answers.push({ outcome: dataset.outcome, at: performance.now(), explanation });
    };
    document.addEventListener('DOMContentLoaded', () => {
      new MutationObserver(note).observe(document.querySelector('#result'), { attributeFilter: ['data-answer'] });
    });
  });
}

/** From now on these codes are in view; for as long as a camera needs to be sure of one. */
export async function show(page, ...codes) {
  await page.evaluate((seen) => (window.inView = seen), codes);
  await page.clock.runFor(3 * 100);
}

/** Waits, while the phone's time stands still, for so many answers in all. */
export async function answersAtOnce(page, count) {
  const enough = async () => (await answers(page)).length >= count;
  await untilAtOnce(enough, async () => `${count} answers were expected, not ${JSON.stringify(await answers(page))}`);
  return answers(page);
}

/** Every answer so far, with the time of the phone at which it came. */
export function answers(page) {
  return page.evaluate(() => window.answers);
}
