// The page's own files: what is said of them is looked at, and a new build comes when nobody waits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptPage } from '../../src/kept-page.ts';
import { readinessWords } from '../../src/readiness.ts';
import { speak } from '../../src/texts/texts.ts';
import { until } from './setting.mjs';

speak('en');

/** A browser whose worker tells what `told` says, and what the page did with it. */
function playWorkers(t, told) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const heard = { registrations: 0, takeOvers: 0, reloads: 0, changed: null };
  const active = { postMessage: (_, [port]) => port.postMessage(told()) };
  const registration = { active, waiting: null, update: async () => {} };
  const remembered = new Map();
  const surroundings = {
    workers: {
      register: async () => {
        heard.registrations += 1;
        return registration;
      },
      addEventListener: (_, listener) => (heard.changed = listener),
    },
    build: 'one',
    isQuiet: () => heard.isQuiet,
    reload: () => (heard.reloads += 1),
    memory: { getItem: (key) => remembered.get(key) ?? null, setItem: (key, value) => remembered.set(key, value) },
  };
  heard.isQuiet = false;
  return { heard, registration, surroundings };
}

test('the page is kept once the worker has looked and says so', async (t) => {
  let isKept = false;
  const { heard, registration, surroundings } = playWorkers(t, () => ({ build: 'one', isKept }));
  const { active } = registration;
  registration.active = null;
  const page = new KeptPage(surroundings);
  await page.start();
  assert.equal(page.isKept.value, false, 'a worker that is not there keeps nothing');
  const before = heard.registrations;
  await page.look();
  assert.equal(heard.registrations, before + 1, 'one that the browser dropped is begun anew');
  registration.active = active;
  await page.look();
  assert.equal(page.isKept.value, false, 'a file is missing');
  isKept = true;
  t.mock.timers.tick(15_000);
  await until(() => page.isKept.value);
  isKept = false;
  t.mock.timers.tick(15_000);
  await until(() => !page.isKept.value);
});

test('a new build takes over when it is quiet, and the page is loaded anew once', async (t) => {
  let build = 'one';
  const { heard, registration, surroundings } = playWorkers(t, () => ({ build, isKept: true }));
  const page = new KeptPage(surroundings);
  await page.start();
  registration.waiting = { postMessage: () => (heard.takeOvers += 1) };
  t.mock.timers.tick(60_000);
  assert.deepEqual([heard.takeOvers, heard.reloads], [0, 0], 'somebody waits for a decision');
  heard.isQuiet = true;
  t.mock.timers.tick(2_000);
  assert.deepEqual([heard.takeOvers, heard.reloads], [1, 0]);
  registration.waiting = null;
  build = 'two';
  heard.isQuiet = false;
  heard.changed();
  await page.look();
  t.mock.timers.tick(60_000);
  assert.equal(heard.reloads, 0, 'somebody waits for a decision again');
  heard.isQuiet = true;
  t.mock.timers.tick(2_000);
  assert.equal(heard.reloads, 1);
  // A page that stays the same after all is not loaded again and again.
  t.mock.timers.tick(60_000);
  const same = new KeptPage(surroundings);
  await same.start();
  t.mock.timers.tick(60_000);
  assert.equal(heard.reloads, 1);
  // Nor is it where servers of two builds take turns.
  for (const [next, reloads] of [['three', 2], ['two', 2], ['three', 2]]) {
    build = next;
    await same.look();
    t.mock.timers.tick(2_000);
    assert.equal(heard.reloads, reloads, next);
  }
});

test('ready is said only where page, list and storage are', () => {
  const [counts, list] = [{ entered: 1, to_come: 9 }, { completedAt: Date.now(), codes: 10, loading: false }];
  const said = (state) => readinessWords({ list, storageWorks: true, isPageKept: true, ...state }, counts, 'UTC');
  assert.equal(said({}).sign, 'ready');
  assert.match(said({}).long, /^Ready for offline/);
  for (const missing of [{ isPageKept: false }, { storageWorks: false }, { list: { ...list, completedAt: null } }]) {
    const { sign, long } = said(missing);
    assert.notEqual(sign, 'ready', JSON.stringify(missing));
    assert.doesNotMatch(long, /^Ready/, JSON.stringify(missing));
  }
  assert.match(said({ storageWorks: false }).long, /^Online only/);
});
