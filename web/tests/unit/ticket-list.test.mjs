// The list of tickets on the phone, and what changes it.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { decideOffline } from '../../src/decide-offline.ts';
import { LISTED_OUTCOMES, OUTCOMES } from '../../src/generated/contract.ts';
import { forgetSpentLinks } from '../../src/links.ts';
import { learnFromAnswer } from '../../src/ticket-list.ts';
import { anotherTab, EARLIER, giveList, lastPage, LATER, linkOf, newPhone, NOW, playServer, row, walk } from './setting.mjs';

const GATE = linkOf('gate');
const HERE = { scanned_at: NOW, station: 'Gate 1' };
const ELSEWHERE = { scanned_at: EARLIER, station: 'Gate 2' };

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
  await walk(database, GATE);
  assert.equal(await database.count('tickets'), 2);
  const mark = await database.get('marks', 'dl_gate');
  assert.deepEqual([mark.updated_after, mark.completed_at], [LATER, Date.parse(NOW)]);
  assert.deepEqual(
    calls.map(({ query }) => query),
    [{}, { cursor: '1' }, { updated_after: LATER }],
    'a walk of several pages is followed by a short one, for what changed meanwhile',
  );
  await walk(database, GATE);
  assert.deepEqual(calls.slice(3).map(({ query }) => query), [{ updated_after: LATER }]);
});

/** Four tickets in three pages, the last changed first. */
const [FIRST, SECOND, THIRD] = [
  [row(GATE, 'A-1', 'admitted', LATER)],
  [row(GATE, 'A-2', 'admitted', NOW), row(GATE, 'A-3', 'admitted', NOW)],
  [row(GATE, 'A-4', 'admitted', EARLIER)],
];

/** A walk whose signal is lost after the first pages. */
async function interruptedWalk(database, pagesKept) {
  playServer((call) => (call.query.cursor === String(pagesKept) ? null : pages(FIRST, SECOND, THIRD)(call)));
  await assert.rejects(walk(database, GATE));
}

test('an interrupted walk goes on where it stopped, and a short one fetches what changed meanwhile', async () => {
  const database = await newPhone();
  await interruptedWalk(database, 1);
  const mark = await database.get('marks', 'dl_gate');
  assert.deepEqual([mark.updated_after, mark.completed_at, mark.codes], [null, null, 1], 'it is not finished');
  await interruptedWalk(database, 2);
  assert.equal((await database.get('marks', 'dl_gate')).codes, 3);
  // Only what is on the disk is there after a reload, or after the battery has died.
  const reloaded = await anotherTab();
  const changed = row(GATE, 'A-4', 'cancelled', '2026-11-15T23:00:00.000Z');
  const calls = playServer((call) =>
    call.query.updated_after ? [200, lastPage([changed], changed.updated_at)] : pages(FIRST, SECOND, THIRD)(call),
  );
  await walk(reloaded, GATE);
  assert.deepEqual(calls.map(({ query }) => query), [{ cursor: '2' }, { updated_after: LATER }]);
  assert.equal(await database.count('tickets'), 4);
  assert.equal((await database.get('marks', 'dl_gate')).walk, null);
  assert.equal((await alone(database, 'A-4')).outcome, 'cancelled');
});

test('a walk through changes goes on where it stopped, too, with the same question', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-9', 'admitted', EARLIER)]);
  await interruptedWalk(database, 1);
  const calls = playServer(pages(FIRST, SECOND, THIRD));
  await walk(database, GATE);
  assert.deepEqual(calls[0].query, { updated_after: EARLIER, cursor: '1' });
});

test('a cursor that the server does not take begins the walk anew, and nothing is lost meanwhile', async () => {
  const database = await newPhone();
  await interruptedWalk(database, 1);
  const refused = [400, { code: 'invalid_cursor', detail: 'It does not belong here.' }];
  const calls = playServer((call) => (call.query.cursor === '1' && calls.length === 1 ? refused : pages(FIRST, THIRD)(call)));
  await walk(database, GATE);
  assert.deepEqual(calls.slice(0, 3).map(({ query }) => query), [{ cursor: '1' }, {}, { cursor: '1' }]);
  const mark = await database.get('marks', 'dl_gate');
  assert.deepEqual([mark.updated_after, mark.codes, mark.walk], [LATER, 2, null]);
});

test('a server that takes none of its own cursors is asked again later, not for ever', async () => {
  const database = await newPhone();
  const calls = playServer((call) =>
    call.query.cursor ? [400, { code: 'invalid_cursor' }] : pages(FIRST, SECOND)(call),
  );
  await assert.rejects(walk(database, GATE), (error) => !error.isAboutTheLink);
  assert.equal(calls.length, 4);
  assert.equal((await database.get('marks', 'dl_gate')).walk, null);
});

test('a server that was restored from a backup gives the whole list anew, also where it knows less', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'already_scanned', LATER), row(GATE, 'A-2', 'admitted', LATER)]);
  await learnFromAnswer(database, GATE, 'A-9', answered('admitted'), HERE);
  const lost = [410, { code: 'mark_lost', detail: 'What happened then is gone.' }];
  const calls = playServer(({ query }) =>
    query.updated_after === LATER ? lost : [200, lastPage([row(GATE, 'A-1', 'admitted', EARLIER)], EARLIER)],
  );
  await walk(database, GATE);
  assert.deepEqual(calls.map(({ query }) => query), [{ updated_after: LATER }, {}]);
  const mark = await database.get('marks', 'dl_gate');
  assert.deepEqual([mark.updated_after, mark.codes, await database.count('tickets')], [EARLIER, 1, 1]);
  assert.equal((await alone(database, 'A-1')).outcome, 'admitted', 'the entry is gone at the server, too');
  assert.equal(await database.count('admissions'), 1, 'what this phone let in itself is not forgotten');
});

test('the list is as old as the beginning of its walk, however long that took', async (t) => {
  let now = Date.parse(NOW);
  const clock = mock.method(Date, 'now', () => now);
  t.after(() => clock.mock.restore());
  const database = await newPhone();
  await interruptedWalk(database, 1);
  now = Date.parse(LATER);
  playServer((call) => (call.query.updated_after ? null : pages(FIRST, SECOND, THIRD)(call)));
  await assert.rejects(walk(database, GATE), 'the short walk after it has no signal');
  assert.equal((await database.get('marks', 'dl_gate')).completed_at, Date.parse(NOW));
});

test('two tabs that walk through one list do not disturb each other', async () => {
  const database = await newPhone();
  const other = await anotherTab();
  const evenLater = '2026-11-15T23:00:00.000Z';
  let isFirst = true;
  const calls = playServer(async (call) => {
    const answer = call.query.updated_after ? [200, lastPage([], evenLater)] : pages(FIRST, SECOND, THIRD)(call);
    if (call.query.cursor === '1' && isFirst) {
      isFirst = false;
      // While this tab waits for its second page, the other goes on from the same place, to the end.
      await walk(other, GATE);
    }
    return answer;
  });
  await walk(database, GATE);
  const asked = calls.map(({ query }) => query.cursor ?? query.updated_after ?? 'beginning');
  assert.deepEqual(asked, ['beginning', '1', '1', '2', LATER], 'a walk goes on through a list that is complete');
  const { walk: left, codes, updated_after, completed_at } = await database.get('marks', 'dl_gate');
  assert.deepEqual([left, codes, updated_after], [null, 4, evenLater], 'one tab undid what the other had done');
  assert.notEqual(completed_at, null);
  assert.equal(await database.count('tickets'), 4);
});

test('progress is told page by page, also of a page that is kept in many steps', async () => {
  const database = await newPhone();
  const many = Array.from({ length: 450 }, (_, number) => row(GATE, `M-${number}`, 'admitted', NOW));
  playServer((call) => (call.query.updated_after ? [200, lastPage([])] : pages(FIRST, many)(call)));
  assert.deepEqual(await walk(database, GATE), [1, 451, 451]);
  assert.equal(await database.count('tickets'), 451);
});

test('while a page is kept, a scan waits for a step of it only', async () => {
  const database = await newPhone();
  await giveList(database, GATE, FIRST);
  const many = Array.from({ length: 450 }, (_, number) => row(GATE, `M-${number}`, 'admitted', LATER));
  playServer(() => [200, lastPage(many, LATER)]);
  let kept = null;
  const { put } = IDBObjectStore.prototype;
  const writing = mock.method(IDBObjectStore.prototype, 'put', function (...given) {
    // Somebody shows a ticket when the first row is written.
    kept ??= alone(database, 'A-1').then(async () => (await database.get('marks', 'dl_gate')).codes);
    return put.apply(this, given);
  });
  await walk(database, GATE);
  writing.mock.restore();
  assert.ok((await kept) < 451, `the scan waited until ${await kept} codes were kept`);
});

test('a walk that is stopped keeps no page and does not move the mark', async () => {
  const database = await newPhone();
  playServer(() => [200, lastPage([row(GATE, 'A-1', 'admitted')], EARLIER)]);
  await walk(database, GATE, () => true);
  assert.equal(await database.count('tickets'), 0);
  assert.equal((await database.get('marks', 'dl_gate')).completed_at, null);
});

test('a change of a ticket that the link does not admit moves the mark, too', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', EARLIER)]);
  playServer(() => [200, lastPage([], LATER)]);
  await walk(database, GATE);
  assert.equal((await database.get('marks', 'dl_gate')).updated_after, LATER);
});

test('the mark never moves back', async () => {
  const database = await newPhone();
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', LATER)]);
  playServer(() => [200, lastPage([], EARLIER)]);
  await walk(database, GATE);
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

test('a list that is newer than an admission tells that the entry was undone', async () => {
  const database = await newPhone();
  const admitted = { ...answered('admitted'), accepted_at: NOW };
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', EARLIER)]);
  await learnFromAnswer(database, GATE, 'A-1', admitted, HERE);
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted', LATER)]);
  assert.equal(await database.count('admissions'), 0);
  assert.equal((await alone(database, 'A-1')).outcome, 'admitted');
});

test('what the server says of a listed ticket is known without it', async () => {
  // Who is inside is told apart from the list.
  const refusals = LISTED_OUTCOMES.filter((outcome) => !['admitted', 'went_out', 'not_inside'].includes(outcome));
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
  await walk(database, salted);
  assert.deepEqual(calls.map(({ query }) => query), [{}]);
  const kept = await database.getAll('tickets');
  assert.deepEqual(kept.map(({ code }) => code), [row(salted, 'A-2', 'admitted').code]);
});

test('a list that is forgotten during a walk is not brought back by it', async () => {
  const database = await newPhone();
  await database.put('links', { ...GATE, refused: true });
  playServer(async () => {
    await forgetSpentLinks(database, linkOf('bar'));
    return [200, lastPage([row(GATE, 'A-1', 'admitted')], EARLIER)];
  });
  await walk(database, GATE);
  assert.deepEqual([await database.count('tickets'), await database.count('marks')], [0, 0]);
});
