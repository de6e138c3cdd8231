// One showing of one code is one decision.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Showings } from '../../src/showings.ts';

const PICTURE_MS = 100;

/** A camera that reads a picture every `everyMs`; each `see` returns the codes that were taken, with their times. */
function camera(everyMs = PICTURE_MS) {
  const showings = new Showings();
  let now = 0;
  const see = (codes, forMs, isFree = true) => {
    const taken = [];
    for (const until = now + forMs; now < until; now += everyMs) {
      const code = showings.look(codes, isFree, now);
      if (code !== null) taken.push(code);
    }
    return taken;
  };
  return { showings, see, scan: (code) => showings.scan(code, now), pass: (ms) => (now += ms) };
}

test('a code that stays in view is taken once', () => {
  const { see } = camera();
  assert.deepEqual(see(['A'], 10_000), ['A']);
});

test('one picture is not enough: another code may be in view, and blurred in this one', () => {
  const { see } = camera();
  assert.deepEqual(see(['A'], PICTURE_MS), []);
  assert.deepEqual(see(['A'], PICTURE_MS), ['A']);
});

test('a blurred picture between the two does no harm', () => {
  const { see } = camera();
  assert.deepEqual(see(['A'], PICTURE_MS), []);
  assert.deepEqual(see([], 2 * PICTURE_MS), []);
  assert.deepEqual(see(['A'], PICTURE_MS), ['A']);
});

test('of several codes none is taken, for as long as they are in view', () => {
  const { see, showings } = camera();
  assert.deepEqual(see(['A', 'B'], 10_000), []);
  assert.equal(showings.areSeveral, true);
  assert.deepEqual(see(['A', 'B', 'C'], 10_000), []);
});

test('of several codes that are never read in one picture none is taken either', () => {
  const { see } = camera();
  for (let times = 0; times < 20; times++) {
    assert.deepEqual(see(['A'], PICTURE_MS), []);
    assert.deepEqual(see(['B'], PICTURE_MS), []);
  }
});

test('once the others are away for a moment, the one that stays is taken', () => {
  const { see, showings } = camera();
  see(['A', 'B'], 1_000);
  assert.deepEqual(see(['A'], 900), []);
  assert.equal(showings.areSeveral, true, 'it is said as long as it holds');
  assert.deepEqual(see(['A'], 200), ['A']);
  assert.equal(showings.areSeveral, false);
});

test('a second code that is read now and then keeps the first from being taken', () => {
  const { see } = camera();
  for (let times = 0; times < 20; times++) {
    assert.deepEqual(see(['A', 'B'], PICTURE_MS), []);
    assert.deepEqual(see(['A'], 7 * PICTURE_MS), []);
  }
});

test('the next code is taken soon after the one before it is gone', () => {
  const { see } = camera();
  assert.deepEqual(see(['A'], 1_000), ['A']);
  assert.deepEqual(see(['B'], 600), ['B']);
});

test('a code that was taken is not taken again because another one was beside it', () => {
  const { see } = camera();
  see(['A'], 1_000);
  see(['A', 'B'], 1_000);
  assert.deepEqual(see(['A'], 5_000), []);
});

test('a code that was missed for a moment is still the same showing', () => {
  const { see } = camera();
  see(['A'], 1_000);
  see([], 500);
  assert.deepEqual(see(['A'], 1_000), []);
});

test('a code that was away and comes back is taken again, also after a second', () => {
  const { see } = camera();
  assert.deepEqual(see(['A'], 200), ['A']);
  see([], 700);
  assert.deepEqual(see(['A'], 200), ['A']);
});

test('on a slow phone a few pictures without the code are needed, not only time', () => {
  const { see } = camera(600);
  assert.deepEqual(see(['A'], 1_200), ['A']);
  see([], 600);
  assert.deepEqual(see(['A'], 1_200), [], 'one picture missed it');
  see([], 1_200);
  assert.deepEqual(see(['A'], 1_200), ['A']);
});

test('a code that comes while none can be taken is taken afterwards', () => {
  const { see } = camera();
  assert.deepEqual(see(['A'], 1_000, false), []);
  assert.deepEqual(see(['A'], PICTURE_MS), ['A']);
});

test('a code about which nothing was decided is taken again while it is in view', () => {
  const { see, showings } = camera();
  see(['A'], 1_000);
  showings.forget('A');
  assert.deepEqual(see(['A'], 200), ['A']);
});

test('a hand scanner that reads on and on shows a code once', () => {
  const { scan, pass } = camera();
  assert.equal(scan('A'), true);
  for (let times = 0; times < 20; times++) {
    pass(500);
    assert.equal(scan('A'), false);
  }
});

test('a hand scanner that reads a code again later shows it anew', () => {
  const { scan, pass } = camera();
  assert.equal(scan('A'), true);
  pass(700);
  assert.equal(scan('A'), true);
});

test('another code of a hand scanner is never dropped', () => {
  const { scan, see } = camera();
  see(['A', 'B'], 1_000);
  assert.deepEqual(['C', 'D', 'A', 'C'].map(scan), [true, true, true, false]);
});

test('a code in front of camera and hand scanner is shown once', () => {
  const { scan, see } = camera();
  assert.deepEqual(see(['A'], 500), ['A']);
  assert.equal(scan('A'), false);
  assert.equal(scan('B'), true);
  assert.deepEqual(see(['B'], 2_000), []);
});
