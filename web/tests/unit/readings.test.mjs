// A hand scanner may be set to another keyboard layout than the device. No reading is believed that nobody confirms.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveList, linkOf, newPhone, row } from './setting.mjs';
import { garbled } from './keyboards.mjs';
import { decideReadings } from '../../src/readings.ts';
import { isListed } from '../../src/ticket-list.ts';
import { looksGarbled, onUsKeyboard } from '../../src/us-keyboard.ts';
import { verdictOf } from '../../src/verdict.ts';

/** A door that knows the outcomes of some codes, and a phone whose list has some of them. */
async function decide(scan, { outcomes = {}, listed = [], otherwise = 'unknown' } = {}) {
  const asked = [];
  const reader = {
    decide: async (code) => {
      asked.push(code);
      return verdictOf({ outcome: outcomes[code] ?? otherwise });
    },
    isListed: async (code) => listed.includes(code),
  };
  const { code, verdict } = await decideReadings(reader, scan);
  return { asked, code, outcome: verdict.outcome, layout: verdict.layout };
}

const GERMAN = { code: 'YZß7', onUs: 'ZY-7' };

test('a code with one reading is decided once', async () => {
  const told = await decide({ code: 'ZY-7', onUs: null });
  assert.deepEqual(told, { asked: ['ZY-7'], code: 'ZY-7', outcome: 'unknown', layout: null });
});

test('a ticket as it was typed here is not read in any other way', async () => {
  for (const outcome of ['admitted', 'already_scanned', 'cancelled', 'wrong_event', 'not_here', 'no_list', 'failed']) {
    const told = await decide(GERMAN, { outcomes: { 'YZß7': outcome, 'ZY-7': 'admitted' } });
    assert.deepEqual(told, { asked: ['YZß7'], code: 'YZß7', outcome, layout: null });
  }
});

test('what the server does not know is asked as a US keyboard would have typed it', async () => {
  for (const outcome of ['admitted', 'already_scanned', 'refunded', 'not_here']) {
    const told = await decide(GERMAN, { outcomes: { 'ZY-7': outcome } });
    assert.deepEqual(told, { asked: ['YZß7', 'ZY-7'], code: 'ZY-7', outcome, layout: 'wrong' });
  }
});

test('where the list knows which reading it is, no other one is sent', async () => {
  const told = await decide(GERMAN, { outcomes: { 'ZY-7': 'admitted' }, listed: ['ZY-7'] });
  assert.deepEqual(told, { asked: ['ZY-7'], code: 'ZY-7', outcome: 'admitted', layout: 'wrong' });
  const both = await decide(GERMAN, { outcomes: { 'YZß7': 'admitted' }, listed: ['ZY-7', 'YZß7'] });
  assert.deepEqual(both, { asked: ['YZß7'], code: 'YZß7', outcome: 'admitted', layout: null });
});

test('without a signal the list alone says which reading it is, and one is written down', async () => {
  const told = await decide(GERMAN, { otherwise: 'not_on_list' });
  assert.deepEqual(told, { asked: ['YZß7'], code: 'YZß7', outcome: 'not_on_list', layout: 'doubtful' });
});

test('where nobody knows either reading, the first answer is shown, and a strange text is called one', async () => {
  const strange = await decide(GERMAN);
  assert.deepEqual(strange, { asked: ['YZß7', 'ZY-7'], code: 'YZß7', outcome: 'unknown', layout: 'doubtful' });
  const plain = await decide({ code: 'YZ7', onUs: 'ZY7' });
  assert.deepEqual(plain, { asked: ['YZ7', 'ZY7'], code: 'YZ7', outcome: 'unknown', layout: null });
});

test('an answer that decides nothing replaces none', async () => {
  for (const outcome of ['failed', 'not_on_list', 'no_list', 'link_ended']) {
    const told = await decide({ code: 'YZ7', onUs: 'ZY7' }, { outcomes: { ZY7: outcome } });
    assert.deepEqual([told.code, told.outcome, told.layout], ['YZ7', 'unknown', null]);
  }
});

test('a text looks garbled where it has what codes have not, and a US keyboard would have typed a code', () => {
  for (const [code, layout] of [['ZY-7', 'de'], ['A7-W2', 'fr'], ['A-12', 'es'], ['https://a.b/c', 'es']]) {
    assert.equal(looksGarbled(garbled(code, layout), code), true, `${code} under ${layout}`);
  }
  for (const [text, onUs] of [['YZ7', 'ZY7'], ['A-12', 'A/12'], ['señor', 'se;or'], ['ä', "'"]]) {
    assert.equal(looksGarbled(text, onUs), false, text);
  }
});

test('a key that a US keyboard does not have is not guessed', () => {
  for (const code of ['', 'IntlBackslash', 'IntlRo', 'NumpadEnter', 'toString']) {
    assert.equal(onUsKeyboard({ code, shift: false, capsLock: false }), null, code);
  }
  assert.equal(onUsKeyboard({ code: 'Digit2', shift: true, capsLock: false }), '@');
  assert.equal(onUsKeyboard({ code: 'Numpad2', shift: true, capsLock: false }), '2');
  assert.equal(onUsKeyboard({ code: 'KeyA', shift: true, capsLock: true }), 'a');
});

test('a code is on the list in each of its spellings, and only on the list of its link', async () => {
  const database = await newPhone();
  const [link, other] = [linkOf('a'), linkOf('b')];
  await giveList(database, link, [row(link, 'ZY-7', 'admitted')]);
  assert.equal(await isListed(database, link, 'zy-7'), true);
  assert.equal(await isListed(database, link, 'YZß7'), false);
  assert.equal(await isListed(database, other, 'ZY-7'), false);
});
