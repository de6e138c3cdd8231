// Which answers are taken for the server's word.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { fetchCounts, openLink, sendScan, sendScans } from '../../src/door-api.ts';
import { ABOUT_A_SCAN, ABOUT_THE_LINK, ABOUT_THE_PIN } from '../../src/generated/contract.ts';
import { Refused, Unreachable } from '../../src/http.ts';
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
