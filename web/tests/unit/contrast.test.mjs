// Whether everybody can read the dashboard: the contrast of its colours, in both themes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const TEXT = 4.5;
const CONTROL = 3;

/** Which colour is seen on which grounds, and how much it has to differ from them. */
const PAIRS = [
  [TEXT, 'text', ['page', 'panel', 'panel-top', 'well', 'raised', 'good', 'warn', 'bad']],
  [TEXT, 'muted', ['page', 'panel', 'panel-top', 'well']],
  [TEXT, 'placeholder', ['well']],
  [TEXT, 'accent-text', ['page', 'panel', 'panel-top', 'well', 'current']],
  [TEXT, 'accent-ink', ['accent']],
  [TEXT, 'good-ink', ['good', 'page', 'panel']],
  [TEXT, 'warn-ink', ['warn', 'page', 'panel']],
  [TEXT, 'bad-ink', ['bad', 'page', 'panel', 'panel-top']],
  [TEXT, 'danger-ink', ['danger']],
  [TEXT, 'bar-text', ['bar', 'bar-raised']],
  [CONTROL, 'field-line', ['page', 'panel', 'well']],
  [CONTROL, 'accent-line', ['page', 'panel', 'panel-top', 'well']],
  [CONTROL, 'danger-line', ['page', 'panel', 'panel-top']],
  [CONTROL, 'bar-line', ['bar']],
  [CONTROL, 'bar-focus', ['bar', 'bar-raised']],
  ...[1, 2, 3, 4, 5, 6].map((number) => [CONTROL, `chart-${number}`, ['page', 'panel']]),
];

const tokens = declared(source('styles/tokens.css'));
const [darkPart, lightPart] = source('dashboard/theme.css').split('@media');
const [darkCharts, lightCharts] = source('dashboard/chart.css').split('@media');
const dark = { ...tokens, ...declared(darkPart), ...declared(darkCharts.split('.chart.is-printed')[0]) };
const light = { ...dark, ...declared(lightPart), ...declared(lightCharts) };

for (const [name, theme] of Object.entries({ dark, light })) {
  test(`the ${name} theme can be read`, () => {
    const tooClose = PAIRS.flatMap(([least, colour, grounds]) =>
      grounds
        .map((ground) => ({ colour, ground, least, contrast: contrast(theme, colour, ground) }))
        .filter((pair) => pair.contrast < least),
    );
    assert.deepEqual(tooClose, []);
  });
}

function source(path) {
  return readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8');
}

function declared(css) {
  return Object.fromEntries([...css.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]));
}

function contrast(theme, colour, ground) {
  const [lower, higher] = [brightness(theme, colour), brightness(theme, ground)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

/** The relative luminance that WCAG 2 defines. */
function brightness(theme, name) {
  const value = theme[name];
  const other = /^var\(--([\w-]+)\)$/.exec(value);
  if (other) return brightness(theme, other[1]);
  assert.match(value, /^#[0-9a-f]{6}$/, `--${name} is no colour`);
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(value.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
