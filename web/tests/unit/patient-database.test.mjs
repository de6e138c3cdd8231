// A browser that refuses its database, or never answers: the door goes on with a signal, and every wait has an end.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { openDatabase } from '../../src/database.ts';
import { Door } from '../../src/door.ts';
import { PatientDatabase } from '../../src/patient-database.ts';
import { Unfinished } from '../../src/unfinished.ts';
import { giveList, lastPage, linkOf, newPhone, playBrowser, playServer, row, send, until, uploadAnswer, waiting } from './setting.mjs';

const GATE = linkOf('gate');
const ADMITTED = [200, { outcome: 'admitted', ticket: null, first_scan: null }];
const REFUSED = () => Promise.reject(new DOMException('not in a private window', 'InvalidStateError'));
const FORBIDDEN = () => {
  throw new DOMException('not for this page', 'SecurityError');
};
const SILENT = () => new Promise(() => {});

playBrowser({ onLine: true });
globalThis.window = {
  setTimeout, clearTimeout, setInterval, clearInterval, addEventListener() {}, removeEventListener() {},
};

/** From now on a wait ends when `end` is called. */
function playTime(t) {
  let limits = [];
  const timeout = mock.method(AbortSignal, 'timeout', () => {
    const controller = new AbortController();
    limits.push(controller);
    return controller.signal;
  });
  t.after(() => timeout.mock.restore());
  t.mock.method(console, 'warn', () => {});
  t.mock.method(console, 'error', () => {});
  return {
    end() {
      const ended = limits;
      limits = [];
      for (const limit of ended) limit.abort();
    },
  };
}

function doorOf(t, { database }) {
  const door = new Door(database, new Unfinished(database), GATE, (refusal) => assert.fail(refusal));
  t.after(() => door.stop());
  return door;
}

/** Ends every wait until the work is done; how it ended. */
async function withEnds(time, work) {
  let ended = null;
  work.then((value) => (ended = { value }), (error) => (ended = { error }));
  await until(() => {
    time.end();
    return ended !== null;
  });
  if (ended.error !== undefined) throw ended.error;
  return ended.value;
}

for (const [name, open] of [['refused', REFUSED], ['forbidden', FORBIDDEN], ['silent', SILENT]]) {
  test(`a database that is ${name} stops nobody with a signal`, async (t) => {
    const time = playTime(t);
    const storage = new PatientDatabase();
    await withEnds(time, storage.open(open, assert.fail));
    assert.equal(storage.works.value, false);
    const door = doorOf(t, storage);
    playServer(({ path }) => (path === 'scan' ? ADMITTED : path === 'codes' ? [200, lastPage([])] : [200, { entered: 3, to_come: 4 }]));
    const verdict = await door.decide('A-1');
    assert.deepEqual([verdict.outcome, verdict.offline], ['admitted', false]);
    await door.catchUp();
    assert.deepEqual([door.connection.online.value, door.counts.value.entered], [true, 3]);
    playServer(() => null);
    await assert.rejects(door.decide('A-2'), 'without a signal it must not decide');
  });
}

test('a database that works is used as ever', async (t) => {
  playTime(t);
  await newPhone();
  const storage = new PatientDatabase();
  await storage.open(openDatabase, assert.fail);
  const { database } = storage;
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted')]);
  const door = doorOf(t, storage);
  playServer(() => null);
  assert.deepEqual([(await door.decide('A-1')).outcome, (await door.decide('A-1')).outcome], ['admitted', 'already_scanned']);
  await database.add('queue', waiting(GATE, 'A-2'));
  playServer((call) => uploadAnswer(call, () => 'admitted'));
  await send(database, GATE);
  assert.equal(await database.count('queue'), 0);
  assert.equal(storage.works.value, true);
});

test('a read that never returns is waited for once, and the server decides', async (t) => {
  const time = playTime(t);
  await newPhone();
  const storage = new PatientDatabase();
  await storage.open(openDatabase, assert.fail);
  await giveList(storage.database, GATE, [row(GATE, 'A-1', 'admitted')]);
  const door = doorOf(t, storage);
  playServer(() => ADMITTED);
  // The request is made, and nobody ever hears of it.
  const unheard = { addEventListener: { value() {} }, removeEventListener: { value() {} } };
  for (const [kind, methods] of [[IDBObjectStore, ['get', 'getAll', 'count', 'put', 'add']], [IDBIndex, ['getAll', 'count']]]) {
    for (const method of methods) t.mock.method(kind.prototype, method, () => Object.create(IDBRequest.prototype, unheard));
  }
  const verdict = await withEnds(time, door.decide('A-1'));
  assert.deepEqual([verdict.outcome, verdict.offline], ['admitted', false]);
  assert.equal(storage.works.value, false, 'the page does not say that it works online only');
  // Nobody ends a wait from here on: there is none.
  assert.equal((await door.decide('A-2')).outcome, 'admitted');
  playServer(() => null);
  await assert.rejects(door.decide('A-3'));
});

test('what was given up is not written after all', async (t) => {
  const time = playTime(t);
  await newPhone();
  const storage = new PatientDatabase();
  await storage.open(openDatabase, assert.fail);
  const transaction = storage.database.transaction('queue', 'readwrite');
  const written = Promise.allSettled([transaction.objectStore('queue').add(waiting(GATE, 'A-1')), transaction.done]);
  time.end();
  assert.deepEqual((await written).map(({ status }) => status), ['rejected', 'rejected']);
  await assert.rejects(storage.database.count('queue'), 'it is left alone for a while');
  const phone = await openDatabase(assert.fail);
  assert.equal(await phone.count('queue'), 0);
});

test('a database that answers again is used again', async (t) => {
  const time = playTime(t);
  let answer;
  const storage = new PatientDatabase();
  const database = { get: () => new Promise((resolve) => (answer = resolve)) };
  await storage.open(async () => database, assert.fail);
  const asked = storage.database.get('links', 'one');
  time.end();
  await assert.rejects(asked);
  await assert.rejects(storage.database.get('links', 'one'), 'it is left alone for a while');
  answer('late');
  await until(() => {
    const again = storage.database.get('links', 'one');
    again.catch(() => {});
    answer('in time');
    return again.then((value) => value === 'in time', () => false);
  });
  assert.equal(storage.works.value, true);
});

test('while another tab keeps the database from opening, the page waits for it', async (t) => {
  const time = playTime(t);
  let letGo;
  const storage = new PatientDatabase();
  let told = 0;
  const opening = storage.open((onBlocked) => {
    onBlocked();
    return new Promise((resolve) => (letGo = resolve));
  }, () => (told += 1));
  time.end();
  await new Promise(setImmediate);
  assert.deepEqual([told, storage.works.value], [1, true]);
  letGo({ get: async () => 'kept' });
  await opening;
  assert.equal(await storage.database.get('links', 'one'), 'kept');
});
