// The list of tickets on the phone, and what changes it.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { decideOffline } from '../../src/decide-offline.ts';
import { LISTED_OUTCOMES, OUTCOMES } from '../../src/generated/contract.ts';
import { forgetSpentLinks } from '../../src/links.ts';
import { learnFromAnswer, refreshList } from '../../src/ticket-list.ts';
import { EARLIER, giveList, lastPage, LATER, linkOf, newPhone, NOW, playServer, row } from './setting.mjs';

const GATE = linkOf('gate');
const HERE = { scanned_at: NOW, station: 'Gate 1' };
const ELSEWHERE = { scanned_at: EARLIER, station: 'Gate 2' };
const goingOn = () => false;

function answered(outcome, first_scan = null) {
  return { outcome, ticket: null, first_scan };
}

/** What the phone says about a code when it is alone. */
function alone(database, code) {
  return decideOffline(database, GATE, { code, scan_id: code, station: 'Gate 9', scanned_at: LATER });
}

/** A list in pages, as the server gives it: the last change first. */
function pages(...contents) {
  return ({ query }) => {
    const at = Number(query.cursor ?? 0);
    const has_more = at + 1 < contents.length;
    return [200, { data: contents[at], newest: contents[at][0].updated_at, has_more, next_cursor: String(at + 1) }];
  };
}

test('a finished walk keeps every page and moves the mark; the next one asks for what changed since', async (t) => {
  const clock = mock.method(Date, 'now', () => Date.parse(NOW));
  t.after(() => clock.mock.restore());
  const database = await newPhone();
  const [newer, older] = [row(GATE, 'A-1', 'admitted', LATER), row(GATE, 'A-2', 'admitted', EARLIER)];
  const calls = playServer((call) => (call.query.updated_after ? [200, lastPage([])] : pages([newer], [older])(call)));
  await refreshList(database, GATE, goingOn);
  assert.equal(await database.count('tickets'), 2);
  const mark = await database.get('marks', 'dl_gate');
  assert.deepEqual([mark.updated_after, mark.completed_at], [LATER, Date.parse(NOW)]);
  assert.deepEqual(
    calls.map(({ query }) => query),
    [{}, { cursor: '1' }, { updated_after: LATER }],
    'a walk of several pages is followed by a short one, for what changed meanwhile',
  );
  await refreshList(database, GATE, goingOn);
  assert.deepEqual(calls.slice(3).map(({ query }) => query), [{ updated_after: LATER }]);
});

test('an interrupted walk leaves the mark where it was', async () => {
  const database = await newPhone();
  const [newer, older] = [row(GATE, 'A-1', 'admitted', LATER), row(GATE, 'A-2', 'admitted', EARLIER)];
  playServer((call) => (call.query.cursor ? null : pages([newer], [older])(call)));
  await assert.rejects(refreshList(database, GATE, goingOn));
  const mark = await database.get('marks', 'dl_gate');
  assert.deepEqual([mark.updated_after, mark.completed_at], [null, null]);
  const calls = playServer(() => [200, lastPage([newer, older], LATER)]);
  await refreshList(database, GATE, goingOn);
  assert.deepEqual(calls.map(({ query }) => query), [{}], 'it begins anew');
  assert.equal((await database.get('marks', 'dl_gate')).updated_after, LATER);
});

test('a walk that is stopped keeps no page and does not move the mark', async () => {
  const database = await newPhone();
  playServer(() => [200, lastPage([row(GATE, 'A-1', 'admitted')], EARLIER)]);
  await refreshList(database, GATE, () => true);
  assert.equal(await database.count('tickets'), 0);
  assert.equal((await database.get('marks', 'dl_gate')).completed_at, null);
});

test('a change of a ticket that the link does not admit moves the mark, too', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', EARLIER)]);
  playServer(() => [200, lastPage([], LATER)]);
  await refreshList(database, GATE, goingOn);
  assert.equal((await database.get('marks', 'dl_gate')).updated_after, LATER);
});

test('the mark never moves back', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', LATER)]);
  playServer(() => [200, lastPage([], EARLIER)]);
  await refreshList(database, GATE, goingOn);
  assert.equal((await database.get('marks', 'dl_gate')).updated_after, LATER);
});

test('a newer row takes the place of an older one, and not the other way round', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', EARLIER)]);
  await giveList(database, GATE, [row(GATE, 'A-1', 'cancelled', LATER)]);
  assert.equal((await alone(database, 'A-1')).outcome, 'cancelled');
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', NOW)]);
  assert.equal((await alone(database, 'A-1')).outcome, 'cancelled');
});

test('an admission by the server is known at once, and a row that was on its way does not undo it', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', EARLIER)]);
  await learnFromAnswer(database, GATE, 'a-1', answered('admitted'), HERE);
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', EARLIER)]);
  const verdict = await alone(database, 'A-1');
  assert.deepEqual([verdict.outcome, verdict.firstScan], ['already_scanned', HERE]);
});

test('an admission is known although the list came later and does not say so yet', async () => {
  const database = await newPhone();
  await learnFromAnswer(database, GATE, 'a-1', answered('admitted'), HERE);
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', EARLIER)]);
  const verdict = await alone(database, 'A-1');
  assert.deepEqual([verdict.outcome, verdict.firstScan], ['already_scanned', HERE]);
});

test('once the list says that somebody entered, it still says where, and needs no note of its own', async () => {
  const database = await newPhone();
  await learnFromAnswer(database, GATE, 'A-1', answered('admitted'), HERE);
  await giveList(database, GATE, [row(GATE, 'A-1', 'already_scanned', LATER)]);
  assert.equal(await database.count('admissions'), 0);
  const verdict = await alone(database, 'A-1');
  assert.deepEqual([verdict.outcome, verdict.firstScan], ['already_scanned', HERE]);
});

test('what the server says of a listed ticket is known without it', async () => {
  const refusals = LISTED_OUTCOMES.filter((outcome) => outcome !== 'admitted');
  for (const outcome of refusals) {
    const database = await newPhone();
    await giveList(database, GATE, [row(GATE, 'A-1', 'admitted')]);
    const firstScan = outcome === 'already_scanned' ? ELSEWHERE : null;
    await learnFromAnswer(database, GATE, 'a-1', answered(outcome, firstScan), HERE);
    // This row was on its way when the server answered.
    await giveList(database, GATE, [row(GATE, 'A-1', 'admitted')]);
    const verdict = await alone(database, 'A-1');
    assert.deepEqual([verdict.outcome, verdict.firstScan], [outcome, firstScan]);
  }
});

test('an answer about a ticket that is on no list changes nothing', async () => {
  const others = OUTCOMES.filter((outcome) => !LISTED_OUTCOMES.includes(outcome));
  assert.notEqual(others.length, 0);
  for (const outcome of others) {
    const database = await newPhone();
    await giveList(database, GATE, [row(GATE, 'A-1', 'admitted')]);
    await learnFromAnswer(database, GATE, 'A-1', answered(outcome), HERE);
    assert.equal((await alone(database, 'A-1')).outcome, 'admitted', outcome);
  }
});

test('with another salt the list is begun anew', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', LATER)]);
  const salted = { ...GATE, opening: { ...GATE.opening, salt: 'another' } };
  const calls = playServer(() => [200, lastPage([row(salted, 'A-2', 'admitted', NOW)], NOW)]);
  await refreshList(database, salted, goingOn);
  assert.deepEqual(calls.map(({ query }) => query), [{}]);
  const kept = await database.getAll('tickets');
  assert.deepEqual(kept.map(({ code }) => code), [row(salted, 'A-2', 'admitted').code]);
});

test('a list that is forgotten during a walk is not brought back by it', async () => {
  const database = await newPhone();
  await database.put('links', GATE);
  playServer(async () => {
    await forgetSpentLinks(database, linkOf('bar'));
    return [200, lastPage([row(GATE, 'A-1', 'admitted')], EARLIER)];
  });
  await refreshList(database, GATE, goingOn);
  assert.deepEqual([await database.count('tickets'), await database.count('marks')], [0, 0]);
});
