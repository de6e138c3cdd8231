// What the person is told to be unfinished.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unfinished } from '../../src/unfinished.ts';
import { linkOf, newPhone, playServer, send, uploadAnswer, waiting } from './setting.mjs';

const GATE = linkOf('gate');

test('a scan that becomes a conflict is never shown as neither', async () => {
  const database = await newPhone();
  await database.add('queue', waiting(GATE, 'A-1'));
  const unfinished = new Unfinished(database);
  await unfinished.recount();
  const shown = [];
  unfinished.waiting.listen((count) => shown.push([count, unfinished.conflicts.value.length]));
  playServer((call) => uploadAnswer(call, () => 'already_scanned'));
  await send(database, GATE, { onProgress: () => unfinished.recount() });
  assert.deepEqual(shown, [[1, 0], [0, 1]]);
});

test('a conflict is shown until a person has seen it, and others stay', async () => {
  const database = await newPhone();
  for (const code of ['A-1', 'A-2']) await database.add('queue', waiting(GATE, code));
  playServer((call) => uploadAnswer(call, () => 'cancelled'));
  await send(database, GATE);
  const unfinished = new Unfinished(database);
  await unfinished.recount();
  assert.deepEqual(unfinished.conflicts.value.map(({ scan_id }) => scan_id), ['scan of A-1', 'scan of A-2']);
  await unfinished.dismiss(unfinished.conflicts.value.slice(0, 1));
  assert.deepEqual(unfinished.conflicts.value.map(({ scan_id }) => scan_id), ['scan of A-2']);
});
