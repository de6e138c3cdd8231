// A hand scanner is told from a person by how fast it types, wherever its keys go.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { garbled, wedge } from './keyboards.mjs';
import { listenToHandScanner } from '../../src/hand-scanner.ts';

const CODE = 'SPARE-01 B';

/** A page that listens, and a keyboard. `press` says whether the page kept the key for itself. */
function page() {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  const listeners = {};
  globalThis.document = { addEventListener: (kind, hears) => (listeners[kind] = hears) };
  const scans = [];
  listenToHandScanner((scan) => scans.push(scan));
  const places = {
    button: new Element('button'),
    code: new Element('input', { id: 'code' }),
    sheet: new Element('input', { isInSheet: true }),
    choice: new Element('select', { isInSheet: true }),
    station: new Element('input', { id: 'station' }),
  };
  let timeStamp = 1_000;
  const wait = (milliseconds) => {
    timeStamp += milliseconds;
    // In steps, because a timer may begin another.
    const step = milliseconds > 500 ? 50 : 1;
    for (let passed = 0; passed < milliseconds; passed += step) mock.timers.tick(step);
  };
  const press = (stroke, { gap = 5, target = places.button, ...more } = {}) => {
    wait(gap);
    const { modifiers = [], ...event } = { ...(typeof stroke === 'string' ? { key: stroke, code: '' } : stroke), ...more };
    const kept = { here: false, elsewhere: false };
    const heard = {
      shiftKey: false,
      ...event,
      timeStamp,
      target,
      getModifierState: (name) => modifiers.includes(name),
      preventDefault: () => (kept.here = true),
      stopImmediatePropagation: () => (kept.elsewhere = true),
    };
    listeners.keydown(heard);
    if (target.tag === 'input' && !kept.here && heard.key.length === 1) target.value += heard.key;
    return kept;
  };
  const type = (text, more) => wedge(text).map((stroke) => press(stroke, more));
  return { scans, codes: () => scans.map(({ code }) => code), places, press, type, wait, listeners };
}

const isKept = ({ here, elsewhere }) => here && elsewhere;

test('what is typed fast and ended with Enter or Tab is a code', () => {
  for (const end of ['Enter', 'Tab']) {
    const { codes, press, type } = page();
    type('A-1x', { gap: 120 });
    assert.equal(isKept(press(end, { gap: 120 })), true, `this ${end} presses nothing and moves no focus`);
    type('B-2y', { gap: 120 });
    press(end, { gap: 120 });
    assert.deepEqual(codes(), ['A-1x', 'B-2y']);
  }
});

test('what a person types is no code', () => {
  const { codes, press, type, wait } = page();
  type('A-12345678', { gap: 121 });
  assert.equal(isKept(press('Enter', { gap: 121 })), false);
  assert.equal(isKept(press('Tab')), false, 'a Tab by itself moves the focus');
  wait(1_000);
  assert.deepEqual(codes(), []);
});

test('what was typed before a pause is not part of the code', () => {
  const { codes, press, type } = page();
  type('xyz');
  press('A', { gap: 150 });
  type('-12');
  press('Enter');
  assert.deepEqual(codes(), ['A-12']);
});

test('three keys and Enter are no code', () => {
  const { codes, press, type } = page();
  type('A-1');
  assert.equal(isKept(press('Enter')), false);
  assert.deepEqual(codes(), []);
});

test('keys without a letter are not part of the code', () => {
  const { codes, press, type } = page();
  press('Shift');
  type('A-');
  press('Shift');
  type('12');
  press('Enter');
  assert.deepEqual(codes(), ['A-12']);
});

for (const held of ['ctrlKey', 'metaKey', 'altKey', 'isComposing']) {
  test(`a key pressed with ${held} is not part of the code`, () => {
    const { codes, press, type } = page();
    type('A-12');
    press('v', { [held]: true });
    press('Enter');
    assert.deepEqual(codes(), ['A-12']);
  });
}

test('AltGr types letters, and tells nothing about a US keyboard', () => {
  const { scans, press, type } = page();
  type('A-1');
  press({ key: '@', code: 'KeyQ' }, { ctrlKey: true, altKey: true, modifiers: ['AltGraph'] });
  press('Enter');
  assert.deepEqual(scans, [{ code: 'A-1@', onUs: null }]);
});

test('a key that is held down is no scanner', () => {
  const { codes, press, wait } = page();
  for (let times = 0; times < 20; times++) press({ key: 'a', code: 'KeyA' }, { gap: 30, repeat: times > 0 });
  assert.equal(isKept(press('Enter', { gap: 30 })), false);
  wait(1_000);
  assert.deepEqual(codes(), []);
});

test('no key of a code presses a focused button, not even a space, and not when it is let go', () => {
  const { press, type, listeners } = page();
  assert.equal(press(' ').here, false, 'a person may press a button with a space');
  press('x', { gap: 500 });
  assert.deepEqual(type('A 12 3').map(({ here }) => here), Array(6).fill(true));
  let kept = 0;
  const letGo = { key: ' ', preventDefault: () => (kept += 1) };
  type('A ');
  listeners.keyup(letGo);
  listeners.keyup(letGo);
  assert.equal(kept, 1);
});

const changes = { 'the field is covered': ['code', 'button'], 'the field gets the focus': ['button', 'code'] };
Object.assign(changes, { 'a sheet opens': ['button', 'sheet'], 'a sheet closes': ['sheet', 'button'] });
changes['the work begins'] = ['station', 'button'];
changes['a sheet gives the focus to the field'] = ['sheet', 'code'];

for (const [change, [from, to]] of Object.entries(changes)) {
  for (const end of ['Enter', 'Tab', null]) {
    test(`a code that ends with ${end ?? 'nothing'} is read whole while ${change}, at every letter`, () => {
      for (let at = 1; at <= CODE.length; at++) {
        const { codes, places, press, type, wait } = page();
        if (end === null && at === CODE.length) continue;
        for (const place of Object.values(places)) place.value = 'typed before';
        type(CODE.slice(0, at), { target: places[from] });
        type(CODE.slice(at), { target: places[to] });
        if (end !== null) assert.equal(isKept(press(end, { target: places[to] })), true, `at ${at}`);
        wait(1_000);
        assert.deepEqual(codes(), [CODE], `at ${at}`);
        for (const place of Object.values(places)) assert.equal(place.value, 'typed before', `at ${at}`);
      }
    });
  }
  test(`a slow scanner's code is read whole while ${change}`, () => {
    const { codes, places, press, type } = page();
    type('SPARE', { target: places[from], gap: 100 });
    type('-01', { target: places[to], gap: 100 });
    press('Enter', { target: places[to], gap: 100 });
    assert.deepEqual(codes(), ['SPARE-01']);
  });
}

test('in the field for codes, a scanner is taken without what was typed before it', () => {
  for (const end of ['Enter', 'Tab']) {
    const { codes, places: { code: target }, press, type, wait } = page();
    type('AB', { target, gap: 200 });
    wait(200);
    type('SPARE-01', { target, gap: 35 });
    assert.equal(isKept(press(end, { target, gap: 35 })), true);
    assert.deepEqual(codes(), ['SPARE-01']);
    assert.equal(target.value, 'AB');
  }
});

test('a short code in the empty field is taken too, and behind something typed it is left to the form', () => {
  const { codes, places: { code: target }, press, type } = page();
  type('A-12', { target });
  assert.equal(isKept(press('Enter', { target })), true);
  assert.deepEqual([codes(), target.value], [['A-12'], '']);
  target.value = 'B';
  type('-123', { target, gap: 200 });
  assert.equal(isKept(press('Enter', { target })), false);
  assert.deepEqual([codes(), target.value], [['A-12'], 'B-123']);
});

test('a person in the field is never cut off, however fast', () => {
  for (const gap of [36, 60, 90, 120, 200]) {
    const { codes, places: { code: target }, press, type, wait } = page();
    type(CODE, { target, gap });
    wait(1_000);
    type(CODE, { target, gap });
    assert.equal(isKept(press('Tab', { target, gap })), false, 'a Tab moves the focus');
    assert.equal(isKept(press('Enter', { target, gap })), false, 'an Enter is the form’s');
    assert.deepEqual([codes(), target.value], [[], CODE + CODE]);
  }
  // A keyboard that was slow for a moment gives all its keys at once.
  const { codes, places: { code: target }, type, wait } = page();
  type('SPA', { target, gap: 90 });
  type('RE-01 B-2', { target, gap: 1 });
  wait(1_000);
  assert.deepEqual([codes(), target.value], [[], 'SPARE-01 B-2']);
});

test('a slow scanner in the empty field is taken too, with Tab or with nothing behind its code', () => {
  const long = '6XW3NVE8Z0M4QK1T9B7YH2RCDP';
  for (const gap of [40, 60, 100]) {
    const { codes, places, press, type, wait } = page();
    type(long, { gap, target: places.code });
    assert.equal(isKept(press('Tab', { gap, target: places.code })), true, `Tab moves the focus at ${gap} ms`);
    assert.deepEqual([codes(), places.code.value], [[long], '']);
    type(long, { gap, target: places.code });
    wait(250);
    assert.deepEqual([codes(), places.code.value], [[long, long], '']);
  }
});

test('a slow scanner without an end is read whole over an answer that comes', () => {
  const { codes, places, type, wait } = page();
  type('6XW3NVE8Z0M4Q', { gap: 100, target: places.code });
  type('K1T9B7YH2RCDP', { gap: 100, target: places.button });
  wait(250);
  assert.deepEqual([codes(), places.code.value], [['6XW3NVE8Z0M4QK1T9B7YH2RCDP'], '']);
});

test('a code without an end is taken after a silence, and not a moment earlier', () => {
  for (const target of ['button', 'code', 'sheet']) {
    const { codes, places, type, wait } = page();
    type('SPARE-01', { target: places[target] });
    wait(199);
    assert.deepEqual(codes(), [], target);
    wait(1);
    assert.deepEqual([codes(), places[target].value], [['SPARE-01'], ''], target);
  }
  const { codes, type, wait } = page();
  type('SPARE-0');
  wait(1_000);
  assert.deepEqual(codes(), [], 'seven keys are too few to be sure');
});

test('keys that a busy page hears late still belong to the code', () => {
  const { codes, press, type, wait } = page();
  type('SPARE-0');
  // The page was busy: a timer rings before the keys that have waited are heard.
  mock.timers.tick(500);
  press('1', { gap: 0 });
  press('2', { gap: 5 });
  wait(200);
  assert.deepEqual(codes(), ['SPARE-012']);
});

test('an end that comes late belongs to the code, and the next one is the person’s', () => {
  for (const end of ['Enter', 'Tab']) {
    const { codes, press, type, wait } = page();
    type('SPARE-01');
    wait(200);
    assert.equal(isKept(press(end, { gap: 300 })), true);
    assert.equal(isKept(press(end, { gap: 1 })), false);
    type('SPARE-02');
    assert.equal(isKept(press('Enter')), true);
    assert.equal(isKept(press('Enter')), true, 'some scanners send two');
    assert.equal(isKept(press('Enter', { gap: 36 })), false);
    assert.deepEqual(codes(), ['SPARE-01', 'SPARE-02']);
  }
});

test('a field outside of sheets gets what is scanned into it, such as a link', () => {
  const { codes, places: { station: target }, press, type, wait } = page();
  type('tickets.example.com/door', { target });
  assert.equal(isKept(press('Enter', { target })), false);
  type('tickets.example.com/door', { target });
  wait(1_000);
  assert.deepEqual(codes(), []);
});

test('in a sheet only what no person can type is a code', () => {
  for (const place of ['sheet', 'choice']) {
    for (const [gap, expected] of [[35, ['A-12']], [36, []]]) {
      const { codes, places, press, type } = page();
      type('A-12', { gap, target: places[place] });
      press('Enter', { gap, target: places[place] });
      assert.deepEqual(codes(), expected);
    }
  }
});

test('a scanner chooses nothing from a list, and a person does', () => {
  const { places: { choice: target }, type } = page();
  assert.deepEqual(type('gate', { gap: 60, target }).map(({ here }) => here), [false, false, false, false]);
  const { places: { choice: other }, type: scan } = page();
  assert.deepEqual(scan('gate', { gap: 5, target: other }).map(({ here }) => here), [false, true, true, true]);
});

const READINGS = {
  de: { 'ZY-7Q/2': 'YZß7Q-2', 'y1-AbC': 'z1ßAbC' },
  fr: { 'A7-W2': 'Qè)Zé', 'QM-90': 'A?)çà' },
  es: { 'A7-W2': "A7'W2", 'A-1/b': "A'1-b" },
};

for (const [layout, readings] of Object.entries(READINGS)) {
  for (const target of ['button', 'code', 'sheet']) {
    test(`under the layout ${layout}, keys into ${target} tell what a US keyboard would have typed`, () => {
      for (const [code, typed] of Object.entries(readings)) {
        assert.equal(garbled(code, layout), typed, 'the test knows this layout');
        const { scans, places, press } = page();
        for (const stroke of wedge(code, layout)) press(stroke, { target: places[target] });
        press('Enter', { target: places[target] });
        assert.deepEqual(scans, [{ code: typed, onUs: code }]);
      }
    });
  }
}

test('an accent that waits for its letter is a key like any other', () => {
  const { scans, press } = page();
  for (const stroke of wedge("A'B-12", 'es')) press(stroke);
  press('Enter');
  assert.deepEqual(scans, [{ code: "AB'12", onUs: "A'B-12" }]);
});

test('the same code on both keyboards has one reading, in small letters and in capitals', () => {
  const { scans, press, type } = page();
  type('Abc-12');
  press('Enter');
  for (const key of 'ABC1') press({ key, code: key === '1' ? 'Digit1' : `Key${key}` }, { modifiers: ['CapsLock'] });
  press('Enter');
  for (const key of 'abc1') press({ key, code: '' });
  press('Enter');
  assert.deepEqual(scans.map(({ onUs }) => onUs), [null, null, null]);
});
