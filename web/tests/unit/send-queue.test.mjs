// How the scans of a phone that was offline reach the server, and what stays when they do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideOffline } from '../../src/decide-offline.ts';
import { SCANS_MAX } from '../../src/generated/contract.ts';
import { Refused } from '../../src/http.ts';
import {
  EARLIER, giveList, linkOf, newPhone, NOW, playBrowser, playServer, row, send, uploadAnswer, waiting,
} from './setting.mjs';

const GATE = linkOf('gate');
const OLD_GATE = linkOf('old-gate');
/** What a proxy says in the server's place. */
const FORBIDDEN = [403, '<h1>Blocked by your network</h1>'];

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
  const pauses = await send(database, GATE, { onProgress: async () => seen.push(await database.count('queue')) });
  assert.deepEqual(calls.map(({ path, token }) => [path, token]), Array(3).fill(['scans', GATE.token]));
  assert.deepEqual(calls.map((call) => codesOf(call).length), [SCANS_MAX, SCANS_MAX, 1]);
  assert.deepEqual(calls.flatMap(codesOf), codes);
  assert.deepEqual(seen, [SCANS_MAX + 1, 1, 0], 'progress is told after every answer');
  assert.deepEqual(pauses, [1000, 1000], 'a hundred in a second, and no pause after the last');
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
  await send(database, GATE);
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
  await send(database, GATE);
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
  await send(database, GATE);
  assert.deepEqual(await codesIn(database), []);
  const conflicts = await database.getAll('conflicts');
  const told = conflicts.map(({ scan_id, outcome, error }) => [scan_id, outcome, error]);
  assert.deepEqual(told, [['scan of BAD', null, 'there is nothing in it']]);
});

test('an upload that is refused as a whole is halved until the culprit is alone, and a person is told', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'), waiting(GATE, 'BAD'), waiting(GATE, 'A-2'));
  const calls = playServer((call) =>
    codesOf(call).includes('BAD')
      ? [400, { code: 'invalid_body', detail: 'cannot be read' }]
      : uploadAnswer(call, () => 'admitted'),
  );
  await send(database, GATE);
  assert.deepEqual(calls.map(codesOf), [['A-1', 'BAD', 'A-2'], ['A-1', 'BAD'], ['A-1'], ['BAD'], ['A-2']]);
  assert.deepEqual(await codesIn(database), []);
  assert.deepEqual((await database.getAll('conflicts')).map(({ error }) => error), ['cannot be read']);
});

test('a scan about which the server says nothing stays', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'), waiting(GATE, 'A-2'), waiting(GATE, 'A-3'));
  playServer(() => [200, { results: [
    { scan_id: 'scan of A-1', error: { code: 'internal', detail: 'the server failed' } },
    result('scan of A-3', 'admitted'),
  ] }]);
  await send(database, GATE);
  assert.deepEqual(await codesIn(database), ['A-1', 'A-2']);
  assert.deepEqual(await database.getAll('conflicts'), []);
});

test('without an answer every scan stays, and goes again under its own id', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'));
  for (const answer of [null, [503, { code: 'unavailable' }], [200, 'a login page'], [404, { code: 'not_found' }]]) {
    playServer(() => answer);
    await send(database, GATE);
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
  await send(database, GATE);
  assert.deepEqual(await codesIn(database), ['A-1']);
  assert.notEqual(await database.get('links', OLD_GATE.token), undefined, 'its link is still needed');
});

test('each scan goes with its own link, which stays on the phone', async () => {
  const database = await phoneWith(waiting(OLD_GATE, 'A-1'), waiting(GATE, 'A-2'));
  await database.put('links', OLD_GATE);
  const calls = await sentFrom(database, () => 'admitted');
  assert.deepEqual(calls.map((call) => [call.token, codesOf(call)]), [['tqd_gate', ['A-2']], ['tqd_old-gate', ['A-1']]]);
  assert.deepEqual(await database.get('links', OLD_GATE.token), OLD_GATE);
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
  await send(database, GATE);
  assert.deepEqual(calls.map((call) => [call.token, codesOf(call)]), [
    ['tqd_elsewhere', ['A-2']],
    ['tqd_old-gate', ['A-1']],
    ['tqd_gate', ['A-1']],
  ]);
  assert.deepEqual(await codesIn(database), ['A-2']);
  assert.equal(await database.get('links', OLD_GATE.token), undefined, 'it is refused, and nothing waits for it');
  assert.equal((await database.get('links', elsewhere.token)).refused, true);
  await send(database, GATE);
  assert.equal(calls.length, 3, 'a refused link was asked again');
});

test('when the link in use is refused the page hears of it, and every scan stays', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'));
  const calls = playServer(() => [401, { code: 'invalid_door_link', detail: 'revoked' }]);
  await assert.rejects(send(database, GATE), (error) => error instanceof Refused && error.isAboutTheLink);
  assert.equal(calls.length, 1);
  assert.deepEqual(await codesIn(database), ['A-1']);
});

for (const outcome of ['not_here', 'wrong_event']) {
  test(`an admission that another link cannot tell of (${outcome}) waits for one that can`, async () => {
    const bar = linkOf('bar');
    const database = await phoneWith(waiting(OLD_GATE, 'A-1'));
    await database.put('links', { ...OLD_GATE, refused: true });
    const calls = playServer((call) => uploadAnswer(call, () => outcome));
    for (let times = 0; times < 4; times++) await send(database, bar);
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
  await send(database, GATE);
  assert.deepEqual([calls.length, await codesIn(database)], [0, ['A-1']]);
  playBrowser({ locks: { request: (name, options, work) => work({ name }) } });
  await send(database, GATE);
  assert.deepEqual([calls.length, await codesIn(database)], [1, []]);
});

/** A network with a proxy that takes offence at some codes. Returns the calls. */
function playProxy(isBlocked) {
  return playServer((call) =>
    codesOf(call).some(isBlocked) ? FORBIDDEN : uploadAnswer(call, () => 'admitted'),
  );
}

test('one scan that a proxy blocks does not hold up the others, and stays', async () => {
  for (const answer of [FORBIDDEN, [404, { code: 'not_found' }], [200, '<h1>Not allowed here</h1>'], [413, '']]) {
    const codes = Array.from({ length: 9 }, (_, number) => `A-${number}`);
    const database = await phoneWith(...codes.map((code) => waiting(GATE, code)));
    playServer((call) => (codesOf(call).includes('A-5') ? answer : uploadAnswer(call, () => 'admitted')));
    await send(database, GATE);
    assert.deepEqual(await codesIn(database), ['A-5'], JSON.stringify(answer));
    assert.deepEqual(await database.getAll('conflicts'), []);
  }
});

test('a scan that was blocked is tried after the others, alone, under its own id, until it gets through', async () => {
  const database = await phoneWith(waiting(GATE, 'BAD'), waiting(GATE, 'A-1'));
  playProxy((code) => code === 'BAD');
  await send(database, GATE);
  await database.add('queue', waiting(GATE, 'A-2'));
  await database.add('queue', waiting(GATE, 'A-3'));
  const calls = playProxy((code) => code === 'BAD');
  await send(database, GATE);
  assert.deepEqual(calls.map(codesOf), [['A-2', 'A-3'], ['BAD']]);
  assert.deepEqual((await database.getAll('queue')).map(({ code, blocked }) => [code, blocked]), [['BAD', 2]]);
  const [call] = await sentFrom(database, () => 'admitted');
  assert.deepEqual(call.body.scans.map(({ scan_id }) => scan_id), ['scan of BAD']);
  assert.deepEqual(await codesIn(database), []);
});

test('where a stranger answers everything, a round costs a handful of calls and loses nothing', async () => {
  const codes = Array.from({ length: 250 }, (_, number) => `A-${number}`);
  const database = await phoneWith(...codes.map((code) => waiting(GATE, code)), waiting(OLD_GATE, 'B-1'));
  await database.put('links', OLD_GATE);
  for (let times = 0; times < 3; times++) {
    const calls = playServer(() => FORBIDDEN);
    await send(database, GATE);
    assert.ok(calls.length <= 12, `${calls.length} calls`);
  }
  assert.deepEqual(await codesIn(database), [...codes, 'B-1']);
  await sentFrom(database, () => 'admitted');
  assert.deepEqual(await codesIn(database), []);
});

test('a scan that something on the way fails with holds up no other, is tried last, and stays', async () => {
  const database = await phoneWith(waiting(GATE, 'A-1'), waiting(GATE, 'BAD'), waiting(GATE, 'A-2'));
  const failing = (call) =>
    codesOf(call).includes('BAD') ? [500, '<h1>Internal server error</h1>'] : uploadAnswer(call, () => 'admitted');
  playServer(failing);
  await send(database, GATE);
  assert.deepEqual(await codesIn(database), ['BAD']);
  assert.deepEqual((await database.getAll('queue')).map(({ blocked }) => blocked), [1], 'the page says what it waits for');
  await database.add('queue', waiting(GATE, 'A-3'));
  const calls = playServer(failing);
  await send(database, GATE);
  assert.deepEqual(calls.map(codesOf), [['A-3'], ['BAD']]);
  await sentFrom(database, () => 'admitted');
  assert.deepEqual(await codesIn(database), []);
});

test('scans that were blocked go one by one: they would only block each other', async () => {
  const database = await phoneWith(waiting(GATE, 'BAD', { blocked: 1 }), waiting(GATE, 'A-1', { blocked: 1 }));
  const calls = playProxy((code) => code === 'BAD');
  await send(database, GATE);
  assert.deepEqual(calls.map(codesOf), [['BAD'], ['A-1']]);
  assert.deepEqual(await codesIn(database), ['BAD']);
});

test('many blocked scans do not keep those behind them from ever being tried', async () => {
  const codes = Array.from({ length: 12 }, (_, number) => `BAD-${number}`);
  const blocked = (code, times) => waiting(GATE, code, { blocked: times });
  const database = await phoneWith(...codes.map((code) => blocked(code, 1)), blocked('GOOD', 1));
  playProxy((code) => code.startsWith('BAD'));
  for (let round = 0; round < 5; round++) await send(database, GATE);
  assert.deepEqual(await codesIn(database), codes);
});

test('neither an overloaded server nor a lost signal makes the phone halve anything', async () => {
  for (const answer of [null, [503, '<h1>Bad gateway</h1>'], [429, { code: 'rate_limited' }], [408, '']]) {
    const database = await phoneWith(waiting(GATE, 'A-1'), waiting(GATE, 'A-2'));
    const calls = playServer(() => answer);
    await send(database, GATE);
    assert.deepEqual(calls.map(codesOf), [['A-1', 'A-2']], JSON.stringify(answer));
    assert.deepEqual((await database.getAll('queue')).map(({ blocked }) => blocked), [0, 0]);
  }
});

test('when somebody goes to another link, what is not sent yet stays for it', async () => {
  const codes = Array.from({ length: SCANS_MAX + 1 }, (_, number) => `A-${number}`);
  const database = await phoneWith(...codes.map((code) => waiting(GATE, code)));
  const calls = playServer((call) => uploadAnswer(call, () => 'admitted'));
  await send(database, GATE, { isStopped: () => calls.length > 0 });
  assert.deepEqual(await codesIn(database), codes.slice(SCANS_MAX));
});

test('scans of one link that stay blocked hold up no other link', async () => {
  const database = await newPhone();
  const [first, second] = [linkOf('a'), linkOf('b')];
  for (const link of [first, second]) await database.put('links', link);
  for (const code of ['BAD-1', 'BAD-2', 'BAD-3']) await database.add('queue', waiting(first, code));
  await database.add('queue', waiting(second, 'GOOD'));
  playServer((call) => (call.token === first.token ? [403, '<h1>Blocked</h1>'] : uploadAnswer(call, () => 'admitted')));
  await send(database, second);
  assert.deepEqual((await database.getAll('queue')).map(({ code }) => code), ['BAD-1', 'BAD-2', 'BAD-3']);
});
