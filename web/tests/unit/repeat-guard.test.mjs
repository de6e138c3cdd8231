// One showing of a code is one scan.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RepeatGuard } from '../../src/repeat-guard.ts';

test('a code that stays in view is picked once', () => {
  const guard = new RepeatGuard();
  assert.equal(guard.pick(['A'], false, 0), 'A');
  for (let now = 100; now < 10_000; now += 100) assert.equal(guard.pick(['A'], false, now), null);
});

test('a code that was missed in a few pictures is still in view', () => {
  const guard = new RepeatGuard();
  guard.pick(['A'], false, 0);
  assert.equal(guard.pick([], false, 700), null);
  assert.equal(guard.pick(['A'], false, 1_500), null);
});

test('a code that was out of view is picked again', () => {
  const guard = new RepeatGuard();
  guard.pick(['A'], false, 0);
  assert.equal(guard.pick(['A'], false, 1_501), 'A');
});

test('a code that comes while another is in hand is picked afterwards', () => {
  const guard = new RepeatGuard();
  assert.equal(guard.pick(['A'], true, 0), null);
  assert.equal(guard.pick(['A'], false, 100), 'A');
});

test('of several new codes each is picked, one at a time', () => {
  const guard = new RepeatGuard();
  assert.equal(guard.pick(['A', 'B'], false, 0), 'A');
  assert.equal(guard.pick(['A', 'B'], false, 100), 'B');
  assert.equal(guard.pick(['A', 'B'], false, 200), null);
});

test('a code that was dealt with is picked again at once', () => {
  const guard = new RepeatGuard();
  guard.pick(['A', 'B'], false, 0);
  guard.pick(['A', 'B'], false, 100);
  guard.release('A');
  assert.equal(guard.pick(['A', 'B'], false, 200), 'A');
  assert.equal(guard.pick(['A', 'B'], false, 300), null);
});
