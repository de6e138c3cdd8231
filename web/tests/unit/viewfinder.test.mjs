// Which part of the camera's picture is read, however phone and camera are held.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesInside, cutOf, middleOf } from '../../src/viewfinder.ts';

const UPRIGHT = { x: 0, y: 0, width: 400, height: 800 };
const ON_ITS_SIDE = { x: 0, y: 0, width: 800, height: 400 };

/** Where a point of the screen is in the camera's picture, reckoned back from the cut. */
function inCamera({ from, size, finder }) {
  const scale = from.width / size.width;
  return { x: from.x + finder.x * scale, y: from.y + finder.y * scale, side: finder.width * scale };
}

function near(actual, expected) {
  for (const [name, value] of Object.entries(expected)) {
    assert.ok(Math.abs(actual[name] - value) < 0.75, `${name} is ${actual[name]}, not ${value}`);
  }
}

test('an upright picture on an upright screen', () => {
  // 1 px of the screen is 1.6 of the camera, which is 720 − 640 = 80 wider than what is seen of it.
  const cut = cutOf({ width: 720, height: 1280 }, UPRIGHT, { x: 100, y: 200, width: 200, height: 200 });
  near(inCamera(cut), { x: 40 + 160, y: 320, side: 320 });
  assert.deepEqual(cut.from, { x: 136, y: 256, width: 448, height: 448 });
  assert.deepEqual(cut.size, { width: 448, height: 448 }, 'it is not made larger');
});

test('a wide picture on an upright screen: most of it is beside the screen', () => {
  // 1 px of the screen is 0.9 of the camera: 360 of 1280 are seen, from 460 on.
  const cut = cutOf({ width: 1280, height: 720 }, UPRIGHT, { x: 100, y: 200, width: 200, height: 200 });
  near(inCamera(cut), { x: 460 + 90, y: 180, side: 180 });
});

test('an upright picture on a screen on its side: its upper and lower parts are not seen', () => {
  // 1 px of the screen is 0.9 of the camera: 360 of 1280 are seen, from 460 on.
  const cut = cutOf({ width: 720, height: 1280 }, ON_ITS_SIDE, { x: 500, y: 100, width: 200, height: 200 });
  near(inCamera(cut), { x: 450, y: 460 + 90, side: 180 });
});

test('a wide picture on a screen on its side', () => {
  // 1 px of the screen is 1.6 of the camera, which is 720 − 640 = 80 higher than what is seen of it.
  const cut = cutOf({ width: 1280, height: 720 }, ON_ITS_SIDE, { x: 500, y: 100, width: 200, height: 200 });
  near(inCamera(cut), { x: 800, y: 40 + 160, side: 320 });
});

test('the picture may be somewhere on the page', () => {
  const at = { x: 50, y: 70 };
  const finder = { x: 150, y: 270, width: 200, height: 200 };
  const moved = cutOf({ width: 720, height: 1280 }, { ...UPRIGHT, ...at }, finder);
  near(inCamera(moved), { x: 200, y: 320, side: 320 });
});

test('a large part is made smaller, and the margin ends where the picture does', () => {
  const { from, size, finder } = cutOf({ width: 2160, height: 3840 }, UPRIGHT, { x: 0, y: 0, width: 400, height: 400 });
  assert.deepEqual(from, { x: 0, y: 0, width: 2160, height: 2304 });
  assert.deepEqual(size, { width: 600, height: 640 });
  near(finder, { x: 33, y: 0, width: 533, height: 533 });
});

test('nothing is read while there is no picture, or no viewfinder in it', () => {
  const finder = { x: 100, y: 200, width: 200, height: 200 };
  const hidden = { x: 0, y: 0, width: 0, height: 0 };
  assert.equal(cutOf({ width: 0, height: 0 }, UPRIGHT, finder), null);
  assert.equal(cutOf({ width: 720, height: 1280 }, UPRIGHT, hidden), null);
  assert.equal(cutOf({ width: 720, height: 1280 }, hidden, hidden), null);
  assert.equal(cutOf({ width: 720, height: 1280 }, UPRIGHT, { ...finder, y: 2_000 }), null);
});

test('a code counts when its middle is in the viewfinder, however large it is', () => {
  const finder = { x: 40, y: 40, width: 200, height: 200 };
  const at = (text, x, y) => ({ text, middle: { x, y } });
  assert.deepEqual(codesInside([at('A', 41, 239), at('B', 39, 100), at('C', 100, 241)], finder), ['A']);
  const large = middleOf([{ x: 10, y: 10 }, { x: 290, y: 20 }, { x: 280, y: 290 }, { x: 20, y: 280 }]);
  assert.deepEqual(large, { x: 150, y: 150 });
});

test('the same code twice is one code, and an empty one is none', () => {
  const middle = { x: 5, y: 5 };
  const found = [' A', 'A', '', '  ', 'B'].map((text) => ({ text, middle }));
  assert.deepEqual(codesInside(found, { x: 0, y: 0, width: 9, height: 9 }), ['A', 'B']);
});
