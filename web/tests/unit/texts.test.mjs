// Every language says everything, and the page has no words but theirs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { preferredLanguage } from '../../src/texts/choice.ts';
import { LANGUAGES } from '../../src/texts/texts.ts';
import { playBrowser } from './setting.mjs';

const PAGE = readFileSync(new URL('../../index.html', import.meta.url), 'utf8');
const BODY = PAGE.slice(PAGE.indexOf('<body>'));

const GAPS = ['one', 'two', 'three'];

/** Every text with its path. Those with gaps are functions. */
function flat(texts, path = '') {
  return Object.entries(texts).flatMap(([name, text]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return typeof text === 'object' ? flat(text, here) : [[here, text]];
  });
}

function said(text) {
  return typeof text === 'function' ? text(...GAPS) : text;
}

/** Whether what is put in this gap is seen in the text. */
function hasGap(text, gap) {
  return typeof text === 'function' && text(...GAPS.map((name) => (name === gap ? 'another' : name))) !== said(text);
}

test('every language has the same texts, and none is empty', () => {
  const paths = flat(LANGUAGES.en).map(([path]) => path);
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    assert.deepEqual(flat(texts).map(([path]) => path), paths, language);
    for (const [path, text] of flat(texts)) assert.notEqual(said(text).trim(), '', `${path} in ${language}`);
  }
});

test('what is put into a text is seen in every language', () => {
  const gapsOf = ([path, text]) => [path, GAPS.filter((gap) => hasGap(text, gap))];
  const inEnglish = flat(LANGUAGES.en).map(gapsOf);
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    assert.deepEqual(flat(texts).map(gapsOf), inEnglish, language);
  }
});

test('the page names texts that there are, and says nothing by itself', () => {
  const named = [...BODY.matchAll(/data-(?:text|label|placeholder)="([^"]*)"/g)].map(([, path]) => path);
  assert.ok(named.length > 20);
  const paths = new Set(flat(LANGUAGES.en).map(([path]) => path));
  for (const path of named) assert.ok(paths.has(path), path);
  const withoutNoscript = BODY.replace(/<noscript.*?<\/noscript>/s, '');
  const words = withoutNoscript.replace(/<[^>]*>/g, ' ').match(/\p{Letter}+/gu);
  assert.equal(words, null);
  assert.doesNotMatch(withoutNoscript, /aria-label="|alt="[^"]/);
});

test('the language is the chosen one, else the first of the browser’s that there is', () => {
  const speaking = (...languages) => (playBrowser({ languages }), preferredLanguage());
  assert.equal(speaking('ca-ES', 'es-MX', 'en'), 'es');
  assert.equal(speaking('EN-us', 'es'), 'en');
  assert.equal(speaking('fr'), 'en');
  playBrowser({});
  assert.equal(preferredLanguage(), 'en');
  globalThis.localStorage = { getItem: () => 'es' };
  assert.equal(speaking('en'), 'es');
  globalThis.localStorage = { getItem: () => 'constructor' };
  assert.equal(speaking('en'), 'en');
  delete globalThis.localStorage;
});
