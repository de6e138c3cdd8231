// Which links a phone keeps, and which one it goes on with.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anotherThatWorks, forgetSpentLinks, keepLink, linksOnThisPhone, makeCurrent, openedLink, tokenIn,
} from '../../src/links.ts';
import { giveList, linkOf, newPhone, row, waiting } from './setting.mjs';

const GATE = linkOf('gate', { opened_at: 100 });
const BAR = linkOf('bar', { opened_at: 200, event: 'ev_bar' });

async function phoneWith(...links) {
  const database = await newPhone();
  for (const link of links) await database.put('links', link);
  return database;
}

async function tokensOn(database) {
  return (await linksOnThisPhone(database)).map(({ token }) => token);
}

test('a token is found in a link, and in nothing else', () => {
  assert.equal(tokenIn('https://tickets.example.com/door#tqd_1234567890'), 'tqd_1234567890');
  assert.equal(tokenIn(' tqd_1234567890\n'), 'tqd_1234567890');
  for (const damaged of ['', '#', '#tqd_12', 'https://tickets.example.com/door', '#tqd_1234567890%20and', '#a b c d e f']) {
    assert.equal(tokenIn(damaged), null, damaged);
  }
});

test('a second link leaves the first one and its list', async () => {
  const database = await phoneWith(GATE);
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted')]);
  const bar = openedLink(BAR.token, BAR.opening, undefined);
  await keepLink(database, bar);
  await forgetSpentLinks(database, bar);
  assert.deepEqual(await tokensOn(database), [BAR.token, GATE.token]);
  assert.equal((await database.get('marks', 'dl_gate')).codes, 1);
  assert.equal(await database.count('tickets'), 1);
});

test('a refused link is forgotten with its list once nothing waits for it, unless it is the current one', async () => {
  const refused = { ...GATE, refused: true };
  const database = await phoneWith(refused, BAR);
  await giveList(database, refused, Array.from({ length: 1200 }, (_, number) => row(GATE, `A-${number}`, 'admitted')));
  await giveList(database, BAR, [row(BAR, 'B-1', 'admitted')]);
  await database.add('queue', waiting(GATE, 'A-1'));
  await forgetSpentLinks(database, BAR);
  assert.deepEqual(await tokensOn(database), [BAR.token, GATE.token], 'a scan waits');
  assert.equal(await database.count('tickets'), 1201);
  await database.clear('queue');
  await forgetSpentLinks(database, refused);
  assert.deepEqual(await tokensOn(database), [BAR.token, GATE.token], 'it is the current one');
  await forgetSpentLinks(database, BAR);
  assert.deepEqual(await tokensOn(database), [BAR.token]);
  assert.deepEqual(await database.getAllKeys('marks'), ['dl_bar']);
  assert.equal(await database.count('tickets'), 1);
});

test('of too many links the longest unused are forgotten, and none that is needed', async () => {
  const links = Array.from({ length: 11 }, (_, age) => linkOf(`n${age}`, { opened_at: 1000 - age }));
  const database = await phoneWith(...links);
  await database.add('queue', waiting(links[9], 'A-1'));
  await forgetSpentLinks(database, links[10]);
  const kept = [...links.slice(0, 8), links[9], links[10]].map(({ token }) => token);
  assert.deepEqual(await tokensOn(database), kept);
  await forgetSpentLinks(database, links[0]);
  assert.deepEqual(await tokensOn(database), [...kept.slice(0, 8), links[9].token]);
});

test('the links on the phone are told with their lists and with what waits, the last opened first', async () => {
  const database = await phoneWith(GATE, { ...BAR, refused: true });
  await giveList(database, GATE, [row(GATE, 'A-1', 'admitted'), row(GATE, 'A-2', 'admitted')]);
  await database.add('queue', waiting(GATE, 'A-1', { blocked: 3 }));
  await database.add('queue', waiting(GATE, 'A-2'));
  const [bar, gate] = await linksOnThisPhone(database);
  const { completed_at } = await database.get('marks', 'dl_gate');
  assert.deepEqual(gate, {
    token: GATE.token, eventName: 'Event ev', label: 'gate', station: 'gate 1', timezone: 'UTC', refused: false,
    expiresAt: null, openedAt: 100, completedAt: completed_at, codes: 2, waiting: 2,
  });
  assert.deepEqual([bar.eventName, bar.refused, bar.completedAt, bar.codes, bar.waiting], ['Event ev_bar', true, null, 0, 0]);
});

test('whoever opens a link that does not work may go on with the one in use, or with the last that worked', async () => {
  const ended = linkOf('ended', { opened_at: 300, expires_at: '2020-01-01T00:00:00Z' });
  const database = await phoneWith(GATE, BAR, ended, linkOf('dead', { opened_at: 400, refused: true }));
  const goesOnWith = async (token) => (await anotherThatWorks(database, token))?.label ?? null;
  assert.equal(await goesOnWith('tqd_damaged'), 'bar');
  await makeCurrent(database, GATE.token);
  assert.equal(await goesOnWith('tqd_damaged'), 'gate');
  assert.equal(await goesOnWith(null), 'gate');
  assert.equal(await goesOnWith(GATE.token), 'bar', 'never with the one that does not open');
  assert.equal(await anotherThatWorks(await phoneWith(GATE), GATE.token), null);
});
