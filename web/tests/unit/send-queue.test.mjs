// How the scans of a phone that was offline reach the server, and what stays when they do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideOffline } from '../../src/decide-offline.ts';
import { SCANS_MAX } from '../../src/generated/contract.ts';
import { Refused } from '../../src/http.ts';
import { sendQueue } from '../../src/send-queue.ts';
import {
  EARLIER, giveList, linkOf, newPhone, NOW, playBrowser, playServer, row, uploadAnswer, waiting,
} from './setting.mjs';

const GATE = linkOf('gate');
const OLD_GATE = linkOf('old-gate');
const nothing = async () => {};

/** A phone on which these scans wait. */
async function phoneWith(...scans) {
  const database = await newPhone();
  for (const scan of scans) await database.add('queue', scan);
  return database;
}

async function codesIn(database) {
  return (await database.getAll('queue')).map(({ code }) => code);
}

function codesOf({ body }) {
  return body.scans.map(({ code }) => code);
}

/** The server's answer to one scan. */
function result(scan_id, outcome, more = {}) {
  return { scan_id, outcome, ticket: null, first_scan: null, ...more };
}

test('what waits is sent in its order, as many at once as the server takes', async () => {
  const codes = Array.from({ length: 2 * SCANS_MAX + 1 }, (_, number) => `A-${number}`);
  const database = await phoneWith(...codes.map((code) => waiting(GATE, code)));
  const calls = playServer((call) => uploadAnswer(call, () => 'admitted'));
  const seen = [];
  await sendQueue(database, GATE, async () => seen.push(await database.count('queue')));
  assert.deepEqual(calls.map(({ path, token }) => [path, token]), Array(3).fill(['scans', GATE.token]));
  assert.deepEqual(calls.map((call) => codesOf(call).length), [SCANS_MAX, SCANS_MAX, 1]);
  assert.deepEqual(calls.flatMap(codesOf), codes);
  assert.deepEqual(seen, [SCANS_MAX + 1, 1, 0], 'progress is told after every answer');
  assert.deepEqual(await database.getAll('conflicts'), []);
});

test('the server hears what was shown, where, when, and whether somebody was turned away', async () => {
  const database = await phoneWith(
    waiting(GATE, 'a-1', { station: 'Gate 1' }),
    waiting(GATE, 'A-2', { station: '', decided: 'turned_away' }),
  );
  const [call] = await sentFrom(database, () => 'admitted');
  assert.deepEqual(call.body.scans, [
    { code: 'a-1', scan_id: 'scan of a-1', scanned_at: EARLIER, station: 'Gate 1' },
    { code: 'A-2', scan_id: 'scan of A-2', scanned_at: EARLIER, turned_away: true },
  ]);
});

async function sentFrom(database, outcomeOf) {
  const calls = playServer((call) => uploadAnswer(call, outcomeOf));
  await sendQueue(database, GATE, nothing);
  return calls;
}

test('where the server decides otherwise, a person is told', async () => {
  const turnedAway = { decided: 'turned_away' };
  const database = await phoneWith(
    waiting(GATE, 'AGREED-IN'),
    waiting(GATE, 'AGREED-OUT', turnedAway),
    waiting(GATE, 'OTHER-IN', { scanned_at: NOW }),
    waiting(GATE, 'OTHER-OUT', turnedAway),
  );
  const ticket = { name: 'Ana Ruiz', ticket_type: { name: 'VIP' }, event: { name: 'Event' } };
  const first_scan = { scanned_at: EARLIER, station: 'Gate 7' };
  playServer(() => [200, { results: [
    result('scan of AGREED-IN', 'admitted'),
    result('scan of AGREED-OUT', 'turned_away'),
    result('scan of OTHER-IN', 'already_scanned', { ticket, first_scan }),
    result('scan of OTHER-OUT', 'admitted'),
  ] }]);
  await sendQueue(database, GATE, nothing);
  assert.deepEqual(await codesIn(database), []);
  const common = { timezone: 'UTC', station: 'gate 1', error: null };
  assert.deepEqual(await database.getAll('conflicts'), [
    {
      ...common, scan_id: 'scan of OTHER-IN', code_ending: 'R-IN', scanned_at: NOW, decided: 'admitted',
      ticket_type: 'VIP', name: 'Ana Ruiz', outcome: 'already_scanned', first_scan,
    },
    {
      ...common, scan_id: 'scan of OTHER-OUT', code_ending: '-OUT', scanned_at: EARLIER, decided: 'turned_away',
      ticket_type: 'General', name: '', outcome: 'admitted', first_scan: null,
    },
  ]);
});

test('what the server says about a sent scan is known without a signal', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1', { decided: 'turned_away' }));
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted')]);
  await sentFrom(database, () => 'cancelled');
  const scan = { code: 'A-1', scan_id: 'again', station: 'Gate 1', scanned_at: NOW };
  assert.equal((await decideOffline(database, GATE, scan)).outcome, 'cancelled');
});

test('a scan that the server cannot read does not hold up the others, and a person is told', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'), waiting(GATE, 'BAD'), waiting(GATE, 'A-2'));
  playServer(() => [200, { results: [
    result('scan of A-1', 'admitted'),
    { scan_id: 'scan of BAD', error: { code: 'invalid_body', detail: 'there is nothing in it' } },
    result('scan of A-2', 'admitted'),
  ] }]);
  await sendQueue(database, GATE, nothing);
  assert.deepEqual(await codesIn(database), []);
  const conflicts = await database.getAll('conflicts');
  const told = conflicts.map(({ scan_id, outcome, error }) => [scan_id, outcome, error]);
  assert.deepEqual(told, [['scan of BAD', null, 'there is nothing in it']]);
});

test('where a whole upload is refused, its scans go one by one', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'), waiting(GATE, 'BAD'), waiting(GATE, 'A-2'));
  const calls = playServer((call) =>
    codesOf(call).includes('BAD')
      ? [400, { code: 'invalid_body', detail: 'cannot be read' }]
      : uploadAnswer(call, () => 'admitted'),
  );
  await sendQueue(database, GATE, nothing);
  assert.deepEqual(calls.map(codesOf), [['A-1', 'BAD', 'A-2'], ['A-1'], ['BAD'], ['A-2']]);
  assert.deepEqual(await codesIn(database), []);
  assert.deepEqual((await database.getAll('conflicts')).map(({ error }) => error), ['cannot be read']);
});

test('a scan about which the server says nothing stays', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'), waiting(GATE, 'A-2'), waiting(GATE, 'A-3'));
  playServer(() => [200, { results: [
    { scan_id: 'scan of A-1', error: { code: 'internal', detail: 'the server failed' } },
    result('scan of A-3', 'admitted'),
  ] }]);
  await sendQueue(database, GATE, nothing);
  assert.deepEqual(await codesIn(database), ['A-1', 'A-2']);
  assert.deepEqual(await database.getAll('conflicts'), []);
});

test('without an answer every scan stays, and goes again under its own id', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'));
  for (const answer of [null, [503, { code: 'unavailable' }], [200, 'a login page'], [404, { code: 'not_found' }]]) {
    playServer(() => answer);
    await sendQueue(database, GATE, nothing);
    assert.deepEqual(await codesIn(database), ['A-1'], JSON.stringify(answer));
  }
  const [call] = await sentFrom(database, () => 'admitted');
  assert.equal(call.body.scans[0].scan_id, 'scan of A-1');
  assert.deepEqual(await codesIn(database), []);
});

test('scans of a link that the server cannot serve now do not hold up those of another', async () => {
  const database = await phoneWith(waiting(OLD_GATE, 'A-1'), waiting(GATE, 'A-2'));
  await database.put('links', OLD_GATE);
  playServer((call) => (call.token === OLD_GATE.token ? null : uploadAnswer(call, () => 'admitted')));
  await sendQueue(database, GATE, nothing);
  assert.deepEqual(await codesIn(database), ['A-1']);
  assert.notEqual(await database.get('links', OLD_GATE.token), undefined, 'its link is still needed');
});

test('each scan goes with its own link, which is forgotten afterwards', async () => {
  const database = await phoneWith(waiting(OLD_GATE, 'A-1'), waiting(GATE, 'A-2'));
  await database.put('links', OLD_GATE);
  const calls = await sentFrom(database, () => 'admitted');
  assert.deepEqual(calls.map((call) => [call.token, codesOf(call)]), [['tqd_old-gate', ['A-1']], ['tqd_gate', ['A-2']]]);
  assert.equal(await database.get('links', OLD_GATE.token), undefined);
});

test('scans of a link that no longer works go with one of the same event, and with no other', async () => {
  const elsewhere = linkOf('elsewhere', { event: 'ev_other' });
  const database = await phoneWith(waiting(OLD_GATE, 'A-1'), waiting(elsewhere, 'A-2'));
  await database.put('links', OLD_GATE);
  await database.put('links', elsewhere);
  const calls = playServer((call) =>
    call.token === GATE.token
      ? uploadAnswer(call, () => 'admitted')
      : [401, { code: 'invalid_door_link', detail: 'revoked' }],
  );
  await sendQueue(database, GATE, nothing);
  assert.deepEqual(calls.map((call) => [call.token, codesOf(call)]), [
    ['tqd_old-gate', ['A-1']],
    ['tqd_gate', ['A-1']],
    ['tqd_elsewhere', ['A-2']],
  ]);
  assert.deepEqual(await codesIn(database), ['A-2']);
  assert.equal((await database.get('links', elsewhere.token)).refused, true);
  await sendQueue(database, GATE, nothing);
  assert.equal(calls.length, 3, 'a refused link was asked again');
});

test('when the link in use is refused the page hears of it, and every scan stays', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'));
  const calls = playServer(() => [401, { code: 'invalid_door_link', detail: 'revoked' }]);
  await assert.rejects(sendQueue(database, GATE, nothing), (error) => error instanceof Refused && error.isAboutTheLink);
  assert.equal(calls.length, 1);
  assert.deepEqual(await codesIn(database), ['A-1']);
});

for (const outcome of ['not_here', 'wrong_event']) {
  test(`an admission that another link cannot tell of (${outcome}) waits for one that can`, async () => {
    const bar = linkOf('bar');
    const database = await phoneWith(waiting(OLD_GATE, 'A-1'));
    await database.put('links', { ...OLD_GATE, refused: true });
    const calls = playServer((call) => uploadAnswer(call, () => outcome));
    for (let times = 0; times < 4; times++) await sendQueue(database, bar, nothing);
    // The first answer may be another link's, to an upload whose answer never came: so it is asked twice, under two ids.
    const ids = calls.map(({ body }) => body.scans[0]?.scan_id);
    assert.equal(ids.length, 2);
    assert.notEqual(ids[0], ids[1]);
    assert.deepEqual(await codesIn(database), ['A-1']);
    assert.deepEqual(await database.getAll('conflicts'), []);

    const [call] = await sentFrom(database, () => 'admitted');
    assert.ok(!ids.includes(call.body.scans[0].scan_id), 'the server would repeat its answer to this id');
    assert.deepEqual(await codesIn(database), []);
    assert.deepEqual(await database.getAll('conflicts'), []);
  });
}

test('a scan that its own link does not admit is a conflict', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'));
  await sentFrom(database, () => 'not_here');
  assert.deepEqual(await codesIn(database), []);
  assert.deepEqual((await database.getAll('conflicts')).map(({ outcome }) => outcome), ['not_here']);
});

test('somebody who was turned away is settled by any link of the event', async () => {
  const database = await phoneWith(waiting(OLD_GATE, 'A-1', { decided: 'turned_away' }));
  await database.put('links', { ...OLD_GATE, refused: true });
  await sentFrom(database, () => 'not_here');
  assert.deepEqual(await codesIn(database), []);
  assert.deepEqual(await database.getAll('conflicts'), []);
});

test('while another tab sends, this one does not', async (t) => {
  t.after(() => playBrowser({}));
  const database = await phoneWith(waiting(GATE, 'A-1'));
  const calls = playServer((call) => uploadAnswer(call, () => 'admitted'));
  playBrowser({ locks: { request: (name, options, work) => work(null) } });
  await sendQueue(database, GATE, nothing);
  assert.deepEqual([calls.length, await codesIn(database)], [0, ['A-1']]);
  playBrowser({ locks: { request: (name, options, work) => work({ name }) } });
  await sendQueue(database, GATE, nothing);
  assert.deepEqual([calls.length, await codesIn(database)], [1, []]);
});
