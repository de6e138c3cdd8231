// A hardware scanner is told from a person by how fast it types.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenToHardwareScanner } from '../../src/hardware-scanner.ts';

/** As much of an element as a key press may be aimed at. */
globalThis.Element = class {
  constructor(tag, isInSheet = false) {
    Object.assign(this, { tag, isInSheet });
  }

  matches(tags) {
    return tags.split(', ').includes(this.tag);
  }

  closest() {
    return this.isInSheet ? this : null;
  }
};

/** A page that listens, and a keyboard: `press` says whether the page kept the key for itself. */
function keyboard({ gap = 5, target = new Element('body') } = {}) {
  let listener;
  globalThis.document = { addEventListener: (kind, hears) => (listener = hears) };
  const codes = [];
  listenToHardwareScanner((code) => codes.push(code));
  let timeStamp = 1_000;
  const press = (key, more = {}) => {
    timeStamp += more.gap ?? gap;
    const kept = { here: false, elsewhere: false };
    listener({
      key,
      timeStamp,
      target,
      preventDefault: () => (kept.here = true),
      stopImmediatePropagation: () => (kept.elsewhere = true),
      ...more,
    });
    return kept.here && kept.elsewhere;
  };
  return { codes, press, type: (text) => [...text].forEach((key) => press(key)) };
}

test('what is typed fast and ended with Enter is a code', () => {
  const { codes, press, type } = keyboard({ gap: 120 });
  type('A-1x');
  assert.equal(press('Enter'), true, 'this Enter presses nothing else');
  type('B-2y');
  press('Enter');
  assert.deepEqual(codes, ['A-1x', 'B-2y']);
});

test('what a person types is no code', () => {
  const { codes, press, type } = keyboard({ gap: 121 });
  type('A-12');
  assert.equal(press('Enter'), false);
  assert.deepEqual(codes, []);
});

test('what was typed before a pause is not part of the code', () => {
  const { codes, press, type } = keyboard();
  type('xyz');
  press('A', { gap: 500 });
  type('-12');
  press('Enter');
  assert.deepEqual(codes, ['A-12']);
});

test('three keys and Enter are no code', () => {
  const { codes, press, type } = keyboard();
  type('A-1');
  assert.equal(press('Enter'), false);
  assert.deepEqual(codes, []);
});

test('keys without a letter are not part of the code', () => {
  const { codes, press, type } = keyboard();
  press('Shift');
  type('A-');
  press('Shift');
  type('12');
  press('Enter');
  assert.deepEqual(codes, ['A-12']);
});

for (const held of ['ctrlKey', 'metaKey', 'altKey', 'isComposing']) {
  test(`a key pressed with ${held} is not part of the code`, () => {
    const { codes, press, type } = keyboard();
    type('A-12');
    press('v', { [held]: true });
    press('Enter');
    assert.deepEqual(codes, ['A-12']);
  });
}

test('a field of the page gets what is typed into it, however fast', () => {
  for (const tag of ['input', 'select', 'textarea']) {
    const { codes, press, type } = keyboard({ gap: 0, target: new Element(tag) });
    type('A-12');
    assert.equal(press('Enter'), false);
    assert.deepEqual(codes, []);
  }
});

test('in the field of a sheet only what no person can type is a code', () => {
  for (const [gap, expected] of [[35, ['A-12']], [36, []]]) {
    const { codes, press, type } = keyboard({ gap, target: new Element('input', true) });
    type('A-12');
    press('Enter');
    assert.deepEqual(codes, expected);
  }
});
