// Codes get their answers in order, and each is decided only when its answer can be seen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Answering } from '../../src/answering.ts';
import { RecentEntries } from '../../src/recent-entries.ts';
import { verdictOf } from '../../src/verdict.ts';

const GREEN = verdictOf({ outcome: 'admitted' });
const RED = verdictOf({ outcome: 'already_scanned' });

/** A screen whose answers are seen when the test says so, and a door that decides when the test says so. */
function setting(decide = async () => GREEN) {
  const happened = [];
  const screen = {
    hasRoom: true,
    seen: () => {},
    answer: Promise.resolve(),
    room: () => screen.answer,
    show(code, { outcome }) {
      happened.push(`${code} is ${outcome}`);
      screen.hasRoom = false;
      screen.answer = new Promise((resolve) => {
        screen.seen = () => {
          screen.hasRoom = true;
          resolve();
        };
      });
    },
  };
  const answering = new Answering(screen, (code) => {
    happened.push(`${code} is decided`);
    return decide(code);
  });
  return { answering, screen, happened };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a code waits undecided until the answer before it was seen', async () => {
  const { answering, screen, happened } = setting();
  answering.take('A');
  answering.take('B');
  answering.take('C');
  await settled();
  assert.deepEqual(happened, ['A is decided', 'A is admitted']);
  screen.seen();
  await settled();
  assert.deepEqual(happened.slice(2), ['B is decided', 'B is admitted']);
  screen.seen();
  await settled();
  assert.deepEqual(happened.slice(4), ['C is decided', 'C is admitted']);
});

test('it is free when nothing waits and the last answer was seen', async () => {
  const { answering, screen } = setting();
  assert.equal(answering.isFree, true);
  answering.take('A');
  assert.equal(answering.isFree, false, 'one is being decided');
  await settled();
  assert.equal(answering.isFree, false, 'its answer was not seen yet');
  screen.seen();
  assert.equal(answering.isFree, true);
});

test('what waits when the work ends is not decided, and what is being decided is not shown', async () => {
  let decided;
  const { answering, happened } = setting(() => new Promise((resolve) => (decided = () => resolve(GREEN))));
  answering.take('A');
  answering.take('B');
  await settled();
  answering.stop();
  decided();
  await settled();
  assert.deepEqual(happened, ['A is decided']);
  assert.equal(answering.isFree, true);
  answering.take('C');
  await settled();
  decided();
  await settled();
  assert.deepEqual(happened.slice(1), ['C is decided', 'C is admitted']);
});

test('one that fails does not hold up the next', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { answering, happened } = setting(async (code) => {
    if (code === 'A') throw new Error('played by the test');
    return code === 'B' ? null : RED;
  });
  for (const code of ['A', 'B', 'C']) answering.take(code);
  await settled();
  assert.deepEqual(happened, ['A is decided', 'B is decided', 'C is decided', 'C is already_scanned']);
});

test('who was let in here within the last minute is told in seconds, however the code is spelled', () => {
  const recent = new RecentEntries();
  const secondsAgo = (code, verdict, now) => recent.tell(code, verdict, now).letInHereSecondsAgo;
  assert.equal(secondsAgo('abc', RED, 0), null, 'let in elsewhere');
  assert.equal(secondsAgo('abc', GREEN, 1_000), null);
  assert.equal(secondsAgo('ABC', RED, 1_100), 1);
  assert.equal(secondsAgo('abc', RED, 5_200), 4);
  assert.equal(secondsAgo('other', RED, 5_200), null);
  assert.equal(secondsAgo('abc', verdictOf({ outcome: 'cancelled' }), 5_200), null);
  assert.equal(secondsAgo('abc', RED, 60_900), 60);
  assert.equal(secondsAgo('abc', RED, 61_000), null);
});

test('whoever finishes waits for the codes in hand, and takes no more', async () => {
  let decided;
  const { answering, screen, happened } = setting(() => new Promise((resolve) => (decided = () => resolve(GREEN))));
  answering.take('A');
  await settled();
  assert.equal(answering.isBusy, true);
  let hasFinished = false;
  const finished = answering.finish().then(() => (hasFinished = true));
  answering.take('B');
  decided();
  await settled();
  assert.deepEqual([happened, hasFinished], [['A is decided', 'A is admitted'], false], 'its answer was not seen yet');
  screen.seen();
  await finished;
  assert.equal(answering.isBusy, false);
  answering.begin();
  answering.take('C');
  await settled();
  assert.equal(happened.at(-1), 'C is decided');
});
