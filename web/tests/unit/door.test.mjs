// A link at work: what decides a scan, with a phone or a network that does not help.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Door } from '../../src/door.ts';
import { Unfinished } from '../../src/unfinished.ts';
import {
  giveList, lastPage, linkOf, newPhone, playBrowser, playServer, row, until, uploadAnswer, waiting,
} from './setting.mjs';

const GATE = linkOf('gate');
const BLOCKED = [403, '<h1>Blocked by your network</h1>'];
const ADMITTED = [200, { outcome: 'admitted', ticket: null, first_scan: null }];

playBrowser({ onLine: true });
globalThis.window = {
  setTimeout, clearTimeout, setInterval, clearInterval, addEventListener() {}, removeEventListener() {},
};

/** A phone whose list has these codes, and its door. */
async function doorWith(t, ...codes) {
  const database = await newPhone();
  await giveList(database, GATE, codes.map((code) => row(GATE, code, 'admitted')));
  const unfinished = new Unfinished(database);
  const door = new Door(database, unfinished, GATE, (refusal) => assert.fail(refusal));
  t.after(() => door.stop());
  return { database, unfinished, door };
}

/** Counts every row that is read from the database from now on. */
function countRows(t) {
  const read = { rows: 0 };
  for (const { prototype } of [IDBObjectStore, IDBIndex]) {
    for (const name of ['get', 'getKey', 'getAll', 'getAllKeys', 'openCursor', 'openKeyCursor']) {
      const original = prototype[name];
      const counted = mock.method(prototype, name, function (...given) {
        const request = original.apply(this, given);
        request.addEventListener('success', () => {
          const { result } = request;
          read.rows += Array.isArray(result) ? result.length : Number(result != null);
        });
        return request;
      });
      t.after(() => counted.mock.restore());
    }
  }
  return read;
}

for (const online of [true, false]) {
  test(`with 5,000 scans in the queue a verdict reads a few rows (${online ? 'online' : 'offline'})`, async (t) => {
    const { database, unfinished, door } = await doorWith(t, 'A-1', 'A-2');
    const transaction = database.transaction('queue', 'readwrite');
    for (let number = 0; number < 5_000; number++) {
      void transaction.store.add(waiting(GATE, `Q-${number}`, { decided: number % 2 === 0 ? 'admitted' : 'turned_away' }));
    }
    await transaction.done;
    playServer(() => (online ? ADMITTED : null));
    await door.decide('A-1');
    const read = countRows(t);
    const verdict = await door.decide('A-2');
    assert.deepEqual([verdict.outcome, verdict.offline], ['admitted', !online]);
    assert.ok(read.rows <= 10, `${read.rows} rows were read`);
    if (online) return;
    assert.equal(unfinished.waiting.value, 5_002);
    assert.deepEqual(door.counts.value, { entered: 2_502, to_come: 0, entered_here: null });
  });
}

test('a scan that a proxy blocks is decided by the phone and kept, and the next one asks the server again', async (t) => {
  const { database, door } = await doorWith(t, 'BAD', 'A-1');
  playServer(({ body }) => (body?.code === 'BAD' ? BLOCKED : ADMITTED));
  const blocked = await door.decide('BAD');
  assert.deepEqual([blocked.outcome, blocked.offline], ['admitted', true]);
  assert.equal(door.connection.online.value, true);
  assert.deepEqual((await database.getAll('queue')).map(({ code, blocked: times }) => [code, times]), [['BAD', 1]]);
  const next = await door.decide('A-1');
  assert.deepEqual([next.outcome, next.offline], ['admitted', false]);
  const again = await door.decide('bad');
  assert.equal(again.outcome, 'already_scanned', 'it lets nobody in twice');
});

test('where the counts are blocked as well, the phone is offline', async (t) => {
  const { door } = await doorWith(t, 'A-1');
  const calls = playServer(() => BLOCKED);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  globalThis.window.setTimeout = setTimeout;
  await door.decide('A-1');
  assert.equal(door.connection.online.value, true);
  t.mock.timers.tick(1_000);
  await until(() => !door.connection.online.value);
  assert.deepEqual(calls.map(({ path }) => path), ['scan', 'counts']);
});

/** From now on the phone cannot read what it has written. */
function breakReading(t) {
  for (const { prototype } of [IDBObjectStore, IDBIndex]) {
    for (const name of ['get', 'getAll', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor']) {
      const broken = mock.method(prototype, name, () => {
        throw new DOMException('the disk is broken', 'UnknownError');
      });
      t.after(() => broken.mock.restore());
    }
  }
  for (const name of ['warn', 'error']) t.mock.method(console, name, () => {});
}

test('a phone that cannot read its database asks the server while there is a signal', async (t) => {
  const { door } = await doorWith(t, 'A-1');
  breakReading(t);
  playServer(() => ADMITTED);
  const verdict = await door.decide('A-1');
  assert.deepEqual([verdict.outcome, verdict.offline], ['admitted', false]);
  playServer(() => null);
  await assert.rejects(door.decide('A-1'), 'without a signal it must not decide');
});

test('what a phone does besides scanning may fail', async (t) => {
  const { door } = await doorWith(t, 'A-1');
  breakReading(t);
  playServer(({ path }) => (path === 'counts' ? [200, { entered: 3, to_come: 4 }] : [200, lastPage([])]));
  await door.catchUp();
  assert.deepEqual([door.connection.online.value, door.counts.value], [true, { entered: 3, to_come: 4, entered_here: null }]);
});

test('what the door knows of its list is told page by page', async (t) => {
  const database = await newPhone();
  const door = new Door(database, new Unfinished(database), GATE, assert.fail);
  t.after(() => door.stop());
  const told = [];
  door.list.listen(({ completedAt, codes, loading }) => told.push([completedAt !== null, codes, loading]));
  const page = (code, next_cursor) => ({ data: [row(GATE, code, 'admitted')], has_more: next_cursor !== null, next_cursor });
  playServer(({ path, query }) => {
    if (path !== 'codes') return [200, { entered: 0, to_come: 2 }];
    return query.cursor ? null : [200, page('A-1', 'next')];
  });
  await door.catchUp();
  assert.deepEqual(told.at(-1), [false, 1, false], 'it was interrupted');
  assert.ok(told.some(([, codes, loading]) => codes === 1 && loading), JSON.stringify(told));
  playServer(({ path }) => [200, path === 'codes' ? page('A-2', null) : { entered: 0, to_come: 2 }]);
  await door.catchUp();
  assert.deepEqual(told.at(-1), [true, 2, false]);
});

test('a long walk through the list does not hold up what waits to be sent', async (t) => {
  const { database, door } = await doorWith(t, 'A-1');
  await database.add('queue', waiting(GATE, 'A-1'));
  let letThrough;
  const slow = new Promise((resolve) => (letThrough = resolve));
  playServer(async (call) => {
    if (call.path === 'codes') await slow;
    if (call.path === 'scans') return uploadAnswer(call, () => 'admitted');
    return [200, call.path === 'codes' ? lastPage([]) : { entered: 1, to_come: 0 }];
  });
  const caughtUp = door.catchUp();
  await until(async () => (await database.count('queue')) === 0);
  letThrough();
  await caughtUp;
});

test('the entries of a station are the server’s, and those that it has not heard of on top', async (t) => {
  const { door } = await doorWith(t, 'A-1', 'A-2', 'A-3');
  const asked = playServer(({ path, query }) => {
    if (path !== 'counts') return [200, lastPage([])];
    return [200, { entered: 30, to_come: 9, entered_here: query.station === 'Gate 2' ? 20 : 5 }];
  });
  await door.catchUp();
  assert.deepEqual(asked.find(({ path }) => path === 'counts').query, { station: GATE.station });
  assert.deepEqual(door.counts.value, { entered: 30, to_come: 9, entered_here: 5 });

  playServer(() => null);
  await door.decide('A-1');
  assert.deepEqual(door.counts.value, { entered: 31, to_come: 8, entered_here: 6 });
  await door.chooseStation('Gate 2');
  assert.equal(door.counts.value.entered_here, null, 'what another station has is not told of this one');
  await door.decide('A-2');
  assert.deepEqual(door.counts.value, { entered: 32, to_come: 7, entered_here: null });
});

test('a server that does not count by station has its other counts', async (t) => {
  const { door } = await doorWith(t, 'A-1');
  playServer(({ path, query }) => {
    if (path !== 'counts') return [200, lastPage([])];
    return query.station === undefined
      ? [200, { entered: 3, to_come: 4 }]
      : [400, { code: 'unknown_parameter', detail: 'There is no parameter station.' }];
  });
  await door.catchUp();
  assert.deepEqual([door.connection.online.value, door.counts.value], [true, { entered: 3, to_come: 4, entered_here: null }]);
});

test('a scan that could not be written down is the same scan when it is tried again', async (t) => {
  const { door } = await doorWith(t, 'A-1');
  // The server takes it, and its answer is lost on the way back.
  const lost = playServer(() => null);
  const { add } = IDBObjectStore.prototype;
  const full = mock.method(IDBObjectStore.prototype, 'add', () => {
    throw new DOMException('no space left', 'QuotaExceededError');
  });
  await assert.rejects(door.decide('a-1'));
  full.mock.restore();
  assert.equal(IDBObjectStore.prototype.add, add);
  door.connection.online.value = true;
  const asked = playServer(() => ADMITTED);
  assert.equal((await door.decide('A-1')).outcome, 'admitted');
  assert.deepEqual(asked[0].body, lost[0].body, 'the server would say that somebody has entered');
  await door.decide('A-1');
  assert.notEqual(asked.at(-1).body.scan_id, asked[0].body.scan_id, 'what was decided is another scan');
});

test('what another door of the phone let in is not counted here', async (t) => {
  const { database, door } = await doorWith(t, 'A-1');
  await database.add('queue', waiting(linkOf('bar'), 'BEER-1'));
  playServer(() => null);
  await door.decide('A-1');
  assert.deepEqual(door.counts.value, { entered: 1, to_come: 8, entered_here: null });
});

test('opening a link again keeps the station that was chosen meanwhile, and its count', async (t) => {
  const { database, door } = await doorWith(t, 'A-1');
  playServer(() => [200, { entered: 30, to_come: 9, entered_here: 5 }]);
  await door.catchUp();
  const opened = door.reopen({ ...GATE.opening, counts: { entered: 31, to_come: 8, entered_here: null } });
  const chosen = door.chooseStation('Gate 2');
  await Promise.all([opened, chosen]);
  assert.equal(door.link.station, 'Gate 2');
  assert.equal((await database.get('links', GATE.token)).station, 'Gate 2');
  await door.reopen({ ...GATE.opening, counts: { entered: 32, to_come: 7, entered_here: null } });
  assert.equal(door.counts.value.entered, 32);
});

test('opening a link again keeps the count of the station', async (t) => {
  const { door } = await doorWith(t, 'A-1');
  playServer(({ path }) => [200, path === 'codes' ? lastPage([]) : { entered: 30, to_come: 9, entered_here: 5 }]);
  await door.catchUp();
  await door.reopen({ ...GATE.opening, counts: { entered: 31, to_come: 8, entered_here: null } });
  assert.deepEqual(door.counts.value, { entered: 31, to_come: 8, entered_here: 5 });
});

test('counts that are blocked on the way keep nobody from asking the server about scans', async (t) => {
  const { door } = await doorWith(t, 'A-1', 'A-2');
  playServer(({ path }) => (path === 'scan' ? ADMITTED : path === 'counts' ? BLOCKED : [200, lastPage([])]));
  await door.decide('A-1');
  await door.catchUp();
  assert.equal(door.connection.online.value, true);
  assert.equal((await door.decide('A-2')).offline, false);
});
