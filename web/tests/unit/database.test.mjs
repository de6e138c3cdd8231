// What an update of the page does to what a phone has kept.

import assert from 'node:assert/strict';
import { IDBFactory } from 'fake-indexeddb';
import { test } from 'node:test';
import { openDB } from 'idb';
import { openDatabase } from '../../src/database.ts';
import { linksOnThisPhone } from '../../src/links.ts';
import { linkOf, playServer, row, send, uploadAnswer, waiting } from './setting.mjs';

const GATE = linkOf('gate');

/** A phone on which the first version of the page was used. */
async function phoneOfVersion1() {
  globalThis.indexedDB = new IDBFactory();
  const database = await openDB('taquilla-door', 1, {
    upgrade(first) {
      first.createObjectStore('current');
      first.createObjectStore('links', { keyPath: 'token' });
      first.createObjectStore('tickets', { keyPath: ['link', 'code'] });
      first.createObjectStore('marks', { keyPath: 'link' });
      first.createObjectStore('admissions', { keyPath: ['link', 'code'] });
      first.createObjectStore('queue', { keyPath: 'number', autoIncrement: true }).createIndex('key', 'key');
      first.createObjectStore('conflicts', { keyPath: 'scan_id' });
    },
  });
  const { opened_at: _, ...link } = GATE;
  await database.put('links', link);
  await database.put('current', GATE.token, 'token');
  for (const code of ['A-1', 'A-2', 'A-3']) {
    await database.put('tickets', { ...row(GATE, code, 'admitted'), link: 'dl_gate', first_scan: null });
    const { blocked: __, ...scan } = waiting(GATE, code);
    await database.add('queue', scan);
  }
  const mark = { link: 'dl_gate', salt: 'salt of gate', list: 'one', updated_after: null, completed_at: 5 };
  await database.put('marks', mark);
  database.close();
}

test('an update keeps the link, its list and every scan that waits', async () => {
  await phoneOfVersion1();
  const database = await openDatabase();
  const [link] = await linksOnThisPhone(database);
  assert.deepEqual([link.token, link.openedAt, link.completedAt, link.codes, link.waiting], [GATE.token, 0, 5, 3, 3]);
  assert.equal((await database.get('marks', 'dl_gate')).walk, null);
  const calls = playServer((call) => uploadAnswer(call, () => 'admitted'));
  await send(database, GATE);
  assert.deepEqual(calls.flatMap(({ body }) => body.scans.map(({ code }) => code)), ['A-1', 'A-2', 'A-3']);
  assert.equal(await database.count('queue'), 0);
});
