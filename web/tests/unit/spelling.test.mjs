// A phone looks a code up as the server does.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { admissionStillWaiting, decideOffline } from '../../src/decide-offline.ts';
import { hashesOf, inCapitals, spellingsOf } from '../../src/spelling.ts';
import { giveList, linkOf, newPhone, NOW, row } from './setting.mjs';

// Written by `make contract` from what the server's own rule says.
const { salt, cases } = JSON.parse(readFileSync(new URL('spellings.json', import.meta.url), 'utf8'));

test('a code stands for the same tickets as on the server, in the same order', () => {
  for (const { shown, stands_for } of cases) {
    assert.deepEqual(spellingsOf(shown), stands_for.map(({ code }) => code), JSON.stringify(shown));
  }
});

test('a ticket has the same place in the list as on the server', async () => {
  for (const { shown, stands_for } of cases) {
    assert.deepEqual(await hashesOf(shown, salt), stands_for.map(({ hash }) => hash), JSON.stringify(shown));
  }
});

test('what stands for the same ticket has the same capitals', () => {
  for (const { shown, stands_for } of cases) {
    for (const { code } of stands_for) assert.equal(inCapitals(code), inCapitals(shown));
  }
});

test('a ticket whose capitals the server does not know is another ticket', async () => {
  const gate = linkOf('gate');
  const database = await newPhone();
  await giveList(database, gate, [row(gate, 'straße', 'admitted'), row(gate, 'STRASSE', 'admitted')]);
  for (const code of ['straße', 'STRASSE']) {
    assert.equal(await admissionStillWaiting(database, linkOf('gate'), code), null);
    const scan = { code, scan_id: code, station: 'Gate 1', scanned_at: NOW };
    assert.equal((await decideOffline(database, gate, scan)).outcome, 'admitted');
  }
});
