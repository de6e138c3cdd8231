// What a phone decides without the server.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { admissionStillWaiting, decideOffline } from '../../src/decide-offline.ts';
import { LISTED_OUTCOMES } from '../../src/generated/contract.ts';
import { letsPass } from '../../src/verdict.ts';
import { anotherTab, EARLIER, giveList, lastPage, LATER, linkOf, newPhone, NOW, playServer, row, waiting, walk } from './setting.mjs';

const GATE = linkOf('gate');
let scans = 0;

function shown(code, { at = NOW, station = 'Gate 1' } = {}) {
  scans += 1;
  return { code, scan_id: `scan-${scans}`, station, scanned_at: at };
}

async function phoneWith(...codes) {
  const database = await newPhone();
  await giveList(database, GATE, codes.map((code) => row(GATE, code, 'admitted')));
  return database;
}

test('a valid ticket on the list is admitted, and the server is told later', async () => {
  const database = await phoneWith('A-1');
  const scan = shown('A-1');
  const verdict = await decideOffline(database, GATE, scan);
  assert.equal(verdict.outcome, 'admitted');
  assert.deepEqual([verdict.offline, verdict.ticketType], [true, 'General']);
  const [queued, ...others] = await database.getAll('queue');
  assert.deepEqual(others, []);
  assert.deepEqual(queued, waiting(GATE, 'A-1', { ...scan, number: 1 }));
});

test('nothing is answered that could not be written', async () => {
  const database = await phoneWith('A-1');
  const { add } = IDBObjectStore.prototype;
  const full = mock.method(IDBObjectStore.prototype, 'add', function (...given) {
    const request = add.apply(this, given);
    // A full disk is noticed at the end of a transaction, after every single request in it went well.
    request.addEventListener('success', () => this.transaction.abort());
    return request;
  });
  await assert.rejects(decideOffline(database, GATE, shown('A-1')));
  full.mock.restore();
  assert.deepEqual(await database.getAll('queue'), []);
  assert.equal((await decideOffline(database, GATE, shown('A-1'))).outcome, 'admitted', 'the ticket was used up');
});

test('the same scan again has the same answer, and is told once', async () => {
  const database = await phoneWith('A-1');
  const scan = shown('A-1');
  for (const _ of [1, 2]) assert.equal((await decideOffline(database, GATE, scan)).outcome, 'admitted');
  assert.equal(await database.count('queue'), 1);
});

test('the same ticket again is told when and where it entered', async () => {
  const database = await phoneWith('A-1');
  await decideOffline(database, GATE, shown('A-1', { at: EARLIER, station: 'Gate 2' }));
  const again = await decideOffline(database, GATE, shown('A-1'));
  assert.equal(again.outcome, 'already_scanned');
  assert.deepEqual(again.firstScan, { scanned_at: EARLIER, station: 'Gate 2' });
  const queued = await database.getAll('queue');
  assert.deepEqual(queued.map(({ decided }) => decided), ['admitted', 'turned_away']);
});

test('an admission stays known when the server takes the scan but the list does not say so yet', async () => {
  const database = await phoneWith('A-1');
  await decideOffline(database, GATE, shown('A-1', { at: EARLIER, station: 'Gate 2' }));
  await database.clear('queue');
  const again = await decideOffline(database, GATE, shown('A-1'));
  assert.equal(again.outcome, 'already_scanned');
  assert.deepEqual(again.firstScan, { scanned_at: EARLIER, station: 'Gate 2' });
});

test('an admission stays known when the list is lost, for as long as the server has not heard of it', async () => {
  const database = await phoneWith('A-1');
  await decideOffline(database, GATE, shown('A-1', { at: EARLIER, station: 'Gate 2' }));
  await database.clear('tickets');
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', LATER)]);
  const again = await decideOffline(database, GATE, shown('A-1'));
  assert.equal(again.outcome, 'already_scanned');
  assert.deepEqual(again.firstScan, { scanned_at: EARLIER, station: 'Gate 2' });
});

test('another spelling is the same ticket', async () => {
  const database = await phoneWith('A-1', 'B-2');
  assert.equal((await decideOffline(database, GATE, shown('a-1'))).outcome, 'admitted');
  assert.equal((await decideOffline(database, GATE, shown('A-1'))).outcome, 'already_scanned');
  assert.equal((await decideOffline(database, GATE, shown('B-2'))).outcome, 'admitted');
  assert.equal((await decideOffline(database, GATE, shown('b-2'))).outcome, 'already_scanned');
  const queued = await database.getAll('queue');
  assert.deepEqual(queued.map(({ code }) => code), ['a-1', 'A-1', 'B-2', 'b-2'], 'a code is sent as it was shown');
});

test('a ticket that is not on the list is turned away, with the age of the list', async () => {
  const database = await phoneWith('A-1');
  const verdict = await decideOffline(database, GATE, shown('A-2'));
  assert.equal(verdict.outcome, 'not_on_list');
  assert.equal(verdict.listedAt, (await database.get('marks', 'dl_gate')).completed_at);
  assert.equal((await database.getAll('queue'))[0].decided, 'turned_away');
});

test('without a list nobody is admitted, and the phone says why', async () => {
  const database = await newPhone();
  const verdict = await decideOffline(database, GATE, shown('A-1'));
  assert.equal(verdict.outcome, 'no_list');
  assert.equal((await database.getAll('queue'))[0].decided, 'turned_away');
});

test('the list of another link admits nobody', async () => {
  const database = await phoneWith('A-1');
  const bar = linkOf('bar');
  // Under the same salt a code has the same hash, so only the link tells the two lists apart.
  bar.opening.salt = GATE.opening.salt;
  assert.equal((await decideOffline(database, bar, shown('A-1'))).outcome, 'no_list');
});

test('a link that has ended admits nobody, and leaves the ticket as it was', async () => {
  const database = await phoneWith('A-1');
  const ending = linkOf('gate', { expires_at: NOW });
  for (const at of [NOW, LATER]) {
    const verdict = await decideOffline(database, ending, shown('A-1', { at }));
    assert.deepEqual([verdict.outcome, verdict.endedAt], ['link_ended', NOW]);
  }
  assert.deepEqual((await database.getAll('queue')).map(({ decided }) => decided), ['turned_away', 'turned_away']);
  assert.equal((await decideOffline(database, ending, shown('A-1', { at: EARLIER }))).outcome, 'admitted');
});

test('a listed ticket gets what the list says', async () => {
  const database = await newPhone();
  const refusals = LISTED_OUTCOMES.filter((outcome) => !letsPass(outcome));
  assert.notEqual(refusals.length, 0);
  await giveList(database, GATE, refusals.map((outcome) => row(GATE, outcome, outcome)));
  for (const outcome of refusals) {
    const verdict = await decideOffline(database, GATE, shown(outcome));
    assert.deepEqual([verdict.outcome, verdict.firstScan], [outcome, null]);
  }
  const queued = await database.getAll('queue');
  assert.deepEqual(queued.map(({ decided }) => decided), refusals.map(() => 'turned_away'));
});

test('two tabs that decide at once admit a ticket once', async () => {
  const database = await phoneWith('A-1');
  const other = await anotherTab();
  // Whoever has hashed the code first waits for the other, so that both turn to the database in the same moment.
  const { digest } = crypto.subtle;
  let bothAreReady;
  const ready = new Promise((resolve) => (bothAreReady = resolve));
  let hashed = 0;
  const hashing = mock.method(crypto.subtle, 'digest', async function (...given) {
    const hash = await digest.apply(this, given);
    hashed += 1;
    if (hashed === 2) bothAreReady();
    await ready;
    return hash;
  });
  const verdicts = await Promise.all([database, other].map((tab) => decideOffline(tab, GATE, shown('A-1'))));
  hashing.mock.restore();
  assert.deepEqual(verdicts.map(({ outcome }) => outcome).sort(), ['admitted', 'already_scanned']);
});

test('a page without https decides nothing', async () => {
  const database = await phoneWith('A-1');
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true });
  const verdict = await decideOffline(database, GATE, shown('A-1'));
  Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
  assert.equal(verdict.outcome, 'failed');
  assert.match(verdict.advice, /https/);
  assert.deepEqual(await database.getAll('queue'), []);
});

test('an admission that waits is known when there is a signal again, for its own event only', async () => {
  const database = await phoneWith('A-1');
  await decideOffline(database, GATE, shown('a-1', { station: 'Gate 2' }));
  await decideOffline(database, GATE, shown('A-2'));
  const known = await admissionStillWaiting(database, GATE, 'A-1');
  assert.equal(known.outcome, 'already_scanned');
  assert.deepEqual(known.firstScan, { scanned_at: NOW, station: 'Gate 2' });
  assert.equal(await admissionStillWaiting(database, linkOf('gate', { event: 'ev_other' }), 'A-1'), null);
  assert.equal(await admissionStillWaiting(database, GATE, 'A-2'), null, 'nobody entered with it');
});

/** A link whose people go out. */
function exitLink() {
  const link = linkOf('exit');
  return { ...link, opening: { ...link.opening, link: { ...link.opening.link, options: ['out'] } } };
}

/** Gives the phone a list, and says which of its codes are outside. */
async function giveListWith(database, link, rows, outside) {
  const hashes = outside.map((code) => row(link, code, 'admitted').code);
  playServer(() => [200, { ...lastPage(rows, rows[0]?.updated_at), outside: hashes }]);
  await walk(database, link);
}

test('somebody who is outside comes in again once, and is told apart from a first entry', async () => {
  const database = await newPhone();
  await giveListWith(database, GATE, [row(GATE, 'A-1', 'already_scanned'), row(GATE, 'A-2', 'already_scanned')], ['A-1']);
  const outcomes = [];
  for (const code of ['A-1', 'A-1', 'A-2']) outcomes.push((await decideOffline(database, GATE, shown(code))).outcome);
  assert.deepEqual(outcomes, ['reentered', 'already_scanned', 'already_scanned']);
  const queued = await database.getAll('queue');
  assert.deepEqual(queued.map(({ decided }) => decided), ['passed', 'turned_away', 'turned_away']);
  assert.equal((await admissionStillWaiting(database, GATE, 'A-1'))?.outcome, 'already_scanned', 'the server has not heard of it');
});

test('at the way out the list says who may go, and nobody goes twice', async () => {
  const database = await newPhone();
  const exit = exitLink();
  const rows = [row(exit, 'A-1', 'went_out'), row(exit, 'A-2', 'no_reentry'), row(exit, 'A-3', 'not_inside'), row(exit, 'A-4', 'went_out')];
  await giveListWith(database, exit, rows, ['A-4']);
  const outcomes = [];
  for (const code of ['A-1', 'A-1', 'A-2', 'A-3', 'A-4']) outcomes.push((await decideOffline(database, exit, shown(code))).outcome);
  assert.deepEqual(outcomes, ['went_out', 'not_inside', 'no_reentry', 'not_inside', 'not_inside']);
});

test('notes of a ticket and of its type are known without a signal, also where only the type changed', async () => {
  const database = await newPhone();
  const listed = { ...row(GATE, 'A-1', 'admitted'), ticket_type_id: 'tt', door_note: 'VIP' };
  const another = { ...row(GATE, 'A-2', 'admitted'), ticket_type_id: 'tt' };
  await giveList(database, GATE, [listed, another]);
  assert.deepEqual((await decideOffline(database, GATE, shown('A-1'))).notes, ['VIP']);
  playServer(() => [200, { ...lastPage([]), ticket_type_notes: [{ ticket_type_id: 'tt', note: 'needs a wristband' }] }]);
  await walk(database, GATE);
  assert.deepEqual((await decideOffline(database, GATE, shown('A-1'))).notes, ['VIP', 'needs a wristband'], 'scanned before');
  assert.deepEqual((await decideOffline(database, GATE, shown('A-2'))).notes, ['needs a wristband']);
});

test('a list from before there were notes learns the types of its tickets, and keeps what was scanned', async () => {
  const database = await phoneWith('A-1', 'A-2');
  const { type_notes, ...mark } = await database.get('marks', GATE.opening.link.id);
  assert.deepEqual(type_notes, {});
  await database.put('marks', mark);
  await decideOffline(database, GATE, shown('A-1'));
  const typed = ['A-1', 'A-2'].map((code) => ({ ...row(GATE, code, 'admitted'), ticket_type_id: 'tt' }));
  const notes = [{ ticket_type_id: 'tt', note: 'one drink' }];
  playServer(() => [200, { ...lastPage(typed, EARLIER), ticket_type_notes: notes }]);
  await walk(database, GATE);
  const [again, fresh] = [await decideOffline(database, GATE, shown('A-1')), await decideOffline(database, GATE, shown('A-2'))];
  assert.deepEqual([again.outcome, again.notes], ['already_scanned', ['one drink']]);
  assert.deepEqual([fresh.outcome, fresh.notes], ['admitted', ['one drink']]);
});

test('a link for several events knows which event a ticket is for, and what waits for any of them', async () => {
  const database = await newPhone();
  const both = linkOf('both');
  both.opening.more_events = [{ ...both.opening.event, id: 'ev_late', name: 'Late show' }];
  await giveList(database, both, [{ ...row(both, 'A-1', 'admitted'), event_id: 'ev_late' }]);
  const verdict = await decideOffline(database, both, shown('A-1'));
  assert.deepEqual([verdict.outcome, verdict.eventName], ['admitted', 'Late show']);
  const [queued] = await database.getAll('queue');
  assert.deepEqual(queued.event_ids, ['ev', 'ev_late']);
  const late = linkOf('late', { event: 'ev_late' });
  assert.equal((await admissionStillWaiting(database, late, 'A-1')).outcome, 'already_scanned');
  assert.equal(await admissionStillWaiting(database, linkOf('other', { event: 'ev_other' }), 'A-1'), null);
});
