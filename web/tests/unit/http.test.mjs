// Which answers are taken for the server's word.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { fetchCounts, fetchListPage, openLink, sendScan, sendScans } from '../../src/door-api.ts';
import { ABOUT_A_CURSOR, ABOUT_A_SCAN, ABOUT_THE_LINK, ABOUT_THE_PIN } from '../../src/generated/contract.ts';
import { Blocked, Refused, Unreachable } from '../../src/http.ts';
import { playServer } from './setting.mjs';

const BEARER = { token: 'tqd_gate', pass: null };
const SCAN = { code: 'A-1', scan_id: 'scan-1' };

/** What a call fails with. */
function failure(call) {
  return call.then(
    () => assert.fail('it was taken for an answer'),
    (error) => error,
  );
}

test('an answer has what was asked for, and is asked for with the link and its pass', async () => {
  const calls = playServer(() => [200, { entered: 1, to_come: 2 }]);
  assert.deepEqual(await fetchCounts(BEARER), { entered: 1, to_come: 2 });
  await fetchCounts({ ...BEARER, pass: 'a pass' });
  assert.deepEqual(calls.map(({ token, pass }) => [token, pass]), [['tqd_gate', undefined], ['tqd_gate', 'a pass']]);
});

test('the 200 of somebody else is no answer', async () => {
  for (const body of [{ welcome: 'to our hotel' }, 'welcome', null, ['entered']]) {
    playServer(() => [200, body]);
    assert.ok((await failure(fetchCounts(BEARER))) instanceof Unreachable, JSON.stringify(body));
  }
  globalThis.fetch = async () => new Response('<h1>Welcome to our hotel</h1>');
  assert.ok((await failure(fetchCounts(BEARER))) instanceof Unreachable);
});

test('an answer with the right field and an error status is no answer', async () => {
  playServer(() => [404, { entered: 1, to_come: 2 }]);
  assert.ok((await failure(fetchCounts(BEARER))) instanceof Unreachable);
});

test('a refusal of the link comes with every call, and one of a scan with scans only', async () => {
  for (const code of [...ABOUT_THE_LINK, ...ABOUT_A_SCAN]) {
    playServer(() => [403, { code, detail: 'Played by the test.' }]);
    const ofScan = await failure(sendScan(BEARER, SCAN));
    assert.ok(ofScan instanceof Refused, code);
    assert.equal(ofScan.message, 'Played by the test.');
    assert.equal(ofScan.isAboutTheLink, ABOUT_THE_LINK.includes(code));
    assert.equal(ofScan.isAboutThePin, ABOUT_THE_PIN.includes(code));
    const ofCounts = await failure(fetchCounts(BEARER));
    assert.equal(ofCounts instanceof Refused, ABOUT_THE_LINK.includes(code), code);
  }
});

test('a code of somebody else refuses nothing', async () => {
  playServer(() => [403, { code: 'blocked_by_firewall' }]);
  assert.ok((await failure(sendScan(BEARER, SCAN))) instanceof Unreachable);
});

test('a server in trouble refuses nothing, and may ask for patience', async () => {
  playServer(() => [503, { code: 'invalid_door_link' }, { 'Retry-After': '7' }]);
  const busy = await failure(sendScan(BEARER, SCAN));
  assert.ok(busy instanceof Unreachable);
  assert.deepEqual([busy.retryAfterSeconds, busy.tooManyTries], [7, false]);
  playServer(() => [429, { code: 'wrong_pin' }, { 'Retry-After': '30' }]);
  const many = await failure(openLink(BEARER, '0000'));
  assert.ok(many instanceof Unreachable);
  assert.deepEqual([many.retryAfterSeconds, many.tooManyTries], [30, true]);
});

test('an answer that comes too late is none, and whoever stands at the door waits for less time', async (t) => {
  const waits = [];
  let tooLate = new AbortController();
  const patience = mock.method(AbortSignal, 'timeout', (milliseconds) => {
    waits.push(milliseconds);
    return tooLate.signal;
  });
  t.after(() => patience.mock.restore());
  for (const send of [() => sendScan(BEARER, SCAN), () => sendScans(BEARER, [SCAN])]) {
    tooLate = new AbortController();
    playServer(() => {
      tooLate.abort();
      return [200, { outcome: 'admitted', results: [] }];
    });
    assert.ok((await failure(send())) instanceof Unreachable);
  }
  assert.ok(waits[0] < waits[1], `${waits}`);
});

test('what a stranger answers may be about this one call, and what fails is about the connection', async () => {
  for (const answer of [
    [403, '<h1>Blocked</h1>'], [200, '<h1>Log in</h1>'], [404, { code: 'not_found' }], [200, {}], [500, '<h1>Error</h1>'],
    [500, { code: 'internal' }],
  ]) {
    playServer(() => answer);
    assert.ok((await failure(sendScan(BEARER, SCAN))) instanceof Blocked, JSON.stringify(answer));
  }
  for (const answer of [null, [502, '<h1>Bad gateway</h1>'], [503, {}], [504, ''], [429, {}], [408, { code: 'body_too_slow' }]]) {
    playServer(() => answer);
    const error = await failure(sendScan(BEARER, SCAN));
    assert.deepEqual([error instanceof Unreachable, error instanceof Blocked], [true, false], JSON.stringify(answer));
  }
  // The connection broke in the middle of an answer.
  globalThis.fetch = async () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('gone')) }));
  assert.ok(!((await failure(sendScan(BEARER, SCAN))) instanceof Blocked));
});

test('a refusal of a cursor is one for the list only', async () => {
  assert.deepEqual(ABOUT_A_CURSOR, ['invalid_cursor']);
  playServer(() => [400, { code: 'invalid_cursor', detail: 'Played by the test.' }]);
  const ofList = await failure(fetchListPage(BEARER, null, 'a cursor'));
  assert.deepEqual([ofList.code, ofList.isAboutTheLink], ['invalid_cursor', false]);
  assert.ok((await failure(fetchCounts(BEARER))) instanceof Unreachable);
});

test('a browser that cannot limit the time of a call by itself is helped', async (t) => {
  const { timeout } = AbortSignal;
  delete AbortSignal.timeout;
  const clock = mock.timers;
  clock.enable({ apis: ['setTimeout'] });
  t.after(() => {
    clock.reset();
    Object.defineProperty(AbortSignal, 'timeout', { value: timeout, configurable: true, writable: true });
  });
  playServer(() => {
    clock.tick(4_000);
    return [200, { entered: 1, to_come: 2 }];
  });
  assert.ok((await failure(fetchCounts(BEARER))) instanceof Unreachable);
  playServer(() => [200, { entered: 1, to_come: 2 }]);
  assert.deepEqual(await fetchCounts(BEARER), { entered: 1, to_come: 2 });
});
