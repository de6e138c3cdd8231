// The script of the box office writes money as the pages do: `money.json` is what the server writes, for every currency.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { money } from '../../src/dashboard/money.ts';

const { amounts, written } = JSON.parse(readFileSync(new URL('./money.json', import.meta.url), 'utf8'));

test('amounts of every currency read as the server writes them', () => {
  assert.ok(written.length > 300, 'every currency in both languages');
  for (const { pattern, texts } of written) {
    assert.deepEqual(amounts.map((amount) => money(pattern, amount)), texts, pattern);
  }
});
