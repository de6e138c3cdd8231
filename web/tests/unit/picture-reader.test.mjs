// A reader that has died must not be waited for all night.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureReader } from '../../src/picture-reader.ts';

const CODES = [{ text: 'A', middle: { x: 1, y: 2 } }];
const picture = () => ({ data: new Uint8ClampedArray(4), width: 1, height: 1 });

/** Workers that answer as `answer` says; what it gives undefined for is never answered. */
function workers(answer) {
  const started = [];
  const start = () => {
    const worker = {
      heard: [],
      ended: false,
      postMessage(message, handedOver) {
        worker.heard.push({ message, handedOver });
        const said = answer(message, started.length);
        if (said !== undefined) queueMicrotask(() => worker.onmessage({ data: said }));
      },
      terminate: () => (worker.ended = true),
    };
    started.push(worker);
    return worker;
  };
  return { started, reader: new PictureReader(start, '/reader.wasm') };
}

test('one worker is loaded once and reads one picture after the other', async () => {
  const { started, reader } = workers((message) => ({ codes: 'picture' in message ? CODES : [] }));
  await reader.load();
  const shown = picture();
  assert.deepEqual(await reader.read(shown), CODES);
  assert.deepEqual(await reader.read(picture()), CODES);
  assert.equal(started.length, 1);
  const [load, read] = started[0].heard;
  assert.deepEqual(load.message, { wasmUrl: '/reader.wasm' });
  assert.deepEqual(read.handedOver, [shown.data.buffer], 'the picture is handed over, not copied');
});

test('a worker that does not answer is ended, and the next picture gets another one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { started, reader } = workers((message, nth) => {
    return 'picture' in message && nth === 1 ? undefined : { codes: 'picture' in message ? CODES : [] };
  });
  await reader.load();
  const silent = assert.rejects(reader.read(picture()), /does not answer/);
  await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.tick(4_999);
  assert.equal(started[0].ended, false);
  t.mock.timers.tick(1);
  await silent;
  assert.equal(started[0].ended, true);
  assert.deepEqual(await reader.read(picture()), CODES);
  assert.equal(started.length, 2);
  t.mock.timers.tick(60_000);
  assert.equal(started[1].ended, false, 'a timer of an answered picture is still running');
});

test('a worker that fails is replaced, whichever way it tells', async () => {
  const { started, reader } = workers((message, nth) => {
    if ('wasmUrl' in message) return { codes: [] };
    if (nth === 1) return { error: 'out of memory' };
    if (nth === 2) queueMicrotask(() => started[1].onerror({ message: 'crashed', preventDefault() {} }));
    return nth === 2 ? undefined : { codes: CODES };
  });
  await assert.rejects(reader.read(picture()), /out of memory/);
  await assert.rejects(reader.read(picture()), /crashed/);
  assert.deepEqual(await reader.read(picture()), CODES);
  assert.deepEqual(started.map(({ ended }) => ended), [true, true, false]);
});

test('what cannot be loaded now is loaded with the next picture', async () => {
  const { reader } = workers((message, nth) => {
    if ('wasmUrl' in message) return nth === 1 ? { error: 'no signal' } : { codes: [] };
    return { codes: CODES };
  });
  await assert.rejects(reader.load(), /no signal/);
  assert.deepEqual(await reader.read(picture()), CODES);
});

test('two who ask at the same time each get the answer to their own picture', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told = [];
  const { started, reader } = workers((message) => ('picture' in message ? void told.push(message) : { codes: [] }));
  await reader.load();
  const answers = [reader.read(picture()), reader.read(picture())];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  for (const text of ['A', 'B']) {
    await settle();
    assert.equal(told.length, text === 'A' ? 1 : 2, 'one picture at a time');
    started[0].onmessage({ data: { codes: [{ text, middle: { x: 0, y: 0 } }] } });
  }
  const [first, second] = await Promise.all(answers);
  assert.deepEqual([first[0].text, second[0].text], ['A', 'B']);
  t.mock.timers.tick(60_000);
  assert.equal(started[0].ended, false, 'a reader that works was ended');
});
