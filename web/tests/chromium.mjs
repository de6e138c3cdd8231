// Starts Chromium as a process of our own, so that a test may also kill it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { WAIT_MS } from './given.mjs';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  // They would take 15 px of every page, which those of phones do not.
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/** A browser with its own profile folder, whose camera shows `film`. */
export async function startChromium(program, profile, film) {
  const filmed = film ? [`--use-file-for-fake-video-capture=${film}`] : [];
  const more = [`--user-data-dir=${profile}`, ...filmed, 'about:blank'];
  const child = spawn(program, [...ARGUMENTS, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const address = await new Promise((found, failed) => {
    const said = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      const listening = /^DevTools listening on (ws:\S+)/.exec(line);
      if (listening) found(listening[1]);
      else said.push(line);
    });
    const fail = (reason) => failed(new Error(`Chromium ${reason}:\n${said.slice(-20).join('\n')}`));
    ended.then(() => fail('ended before it listened'));
    AbortSignal.timeout(WAIT_MS).addEventListener('abort', () => fail('does not listen'));
  });
  const browser = await chromium.connectOverCDP(address, { timeout: WAIT_MS });
  return {
    browser,
    /** As when the battery dies: nothing is written, nobody is told. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
      await browser.close().catch(() => {});
    },
  };
}
