// Whatever happens at the door, there are words for it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'node:test';
import { ABOUT_A_SCAN, OUTCOMES } from '../../src/generated/contract.ts';
import { conflictWords } from '../../src/screens/conflict-words.ts';
import { LANGUAGES, language, speak, texts } from '../../src/texts/texts.ts';
import { clockTime, eventTime } from '../../src/time-words.ts';
import { OWN_OUTCOMES, verdictOf } from '../../src/verdict.ts';
import { scanErrorWords, verdictWords } from '../../src/verdict-words.ts';
import { NOW } from './setting.mjs';

afterEach(() => speak('en'));

function inEveryLanguage(name, steps) {
  for (const language of Object.keys(LANGUAGES)) {
    test(`${name} (${language})`, () => {
      speak(language);
      steps();
    });
  }
}

const FIRST_SCAN = { scanned_at: NOW, station: 'Gate 7' };

function ofVerdict(outcome, known = {}) {
  return verdictWords(verdictOf({ outcome, ...known }), 'UTC');
}

function ofConflict(outcome, known = {}) {
  return conflictWords({ outcome, error: null, first_scan: null, timezone: 'UTC', ...known });
}

inEveryLanguage('every outcome has a headline, and every refusal says what it means', () => {
  for (const outcome of [...OUTCOMES, ...OWN_OUTCOMES]) {
    const { headline, explanation } = ofVerdict(outcome, { advice: 'Free some space.' });
    assert.notEqual(headline, '', outcome);
    assert.notEqual(headline, ofVerdict('of a newer server').headline, `${outcome} has no words of its own`);
    assert.equal(explanation === '', outcome === 'admitted', outcome);
  }
});

inEveryLanguage('only an admitted ticket is asked in', () => {
  const { headline } = ofVerdict('admitted');
  for (const outcome of [...OUTCOMES, ...OWN_OUTCOMES, 'of a newer server']) {
    assert.equal(ofVerdict(outcome).headline === headline, outcome === 'admitted', outcome);
  }
});

inEveryLanguage('an outcome that the page does not know lets nobody in', () => {
  const { explanation } = ofVerdict('of a newer server');
  assert.match(explanation, /of a newer server/);
});

test('a ticket that was scanned before says when and where', () => {
  assert.match(ofVerdict('already_scanned', { firstScan: FIRST_SCAN }).explanation, /21:00 · Gate 7$/);
  assert.match(ofVerdict('already_scanned', { firstScan: { ...FIRST_SCAN, station: null } }).explanation, /21:00$/);
  assert.notEqual(ofVerdict('already_scanned').explanation, '');
});

test('a ticket that this phone has just let in says how many seconds ago, and then when and where', () => {
  const explained = (letInHereSecondsAgo) =>
    ofVerdict('already_scanned', { firstScan: FIRST_SCAN, letInHereSecondsAgo }).explanation;
  assert.match(explained(1), /^Let in here 1 second ago\. .*21:00 · Gate 7$/);
  assert.match(explained(14), /^Let in here 14 seconds ago\. .*21:00 · Gate 7$/);
  speak('es');
  assert.match(explained(1), /^Entró aquí hace 1 segundo\. /);
});

inEveryLanguage('every conflict has words', () => {
  for (const outcome of OUTCOMES) {
    const { headline } = ofConflict(outcome);
    assert.ok(headline !== '' && headline !== texts().conflictSheet.other(outcome), `${outcome} has no words of its own`);
  }
  assert.match(ofConflict('of a newer server').headline, /of a newer server/);
});

test('a conflict says when and where somebody else entered, or why the server could not take it', () => {
  assert.match(ofConflict('already_scanned', { first_scan: FIRST_SCAN }).explanation, /21:00 · Gate 7$/);
  assert.equal(ofConflict(null, { error: 'no code is that long' }).explanation, 'no code is that long');
});

test('a time of another day has its day, by the clock on the wall of the event', () => {
  const now = new Date('2026-11-15T23:30:00Z');
  assert.equal(clockTime('2026-11-15T21:00:00Z', 'UTC', now), '21:00');
  assert.equal(clockTime('2026-11-14T21:00:00Z', 'UTC', now), 'Sat 14 Nov, 21:00');
  assert.equal(clockTime('2026-11-15T21:00:00Z', 'Europe/Madrid', now), 'Sun 15 Nov, 22:00');
});

inEveryLanguage('every error of a scan has words', () => {
  for (const code of ABOUT_A_SCAN) assert.notEqual(scanErrorWords(code, 'in English'), 'in English', code);
  assert.equal(scanErrorWords('of_a_newer_server', 'in English'), 'in English');
});

inEveryLanguage('times are written as the server writes them', () => {
  const moments = JSON.parse(readFileSync(new URL('moments.json', import.meta.url), 'utf8'));
  for (const moment of moments) {
    assert.equal(clockTime(moment.at, moment.zone, new Date(moment.now)), moment[language()], `${moment.at} in ${moment.zone}`);
  }
});

test('the time of an event names its clocks where the phone goes by others', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  assert.match(eventTime(NOW, null, timeZone), /\d\d:\d\d$/);
  const elsewhere = ['America/New_York', 'Asia/Tokyo'].find((zone) => zone !== timeZone);
  assert.ok(eventTime(NOW, null, elsewhere).endsWith(`(${elsewhere})`));
});
