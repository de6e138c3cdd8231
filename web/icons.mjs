// Draws icon.svg in the sizes that phones want as pictures: iPhones take no SVG for the home screen.

import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const SIZES = [180, 192, 512];

const drawing = readFileSync('public/icon.svg', 'utf8');
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
for (const size of SIZES) {
  const picture = new Resvg(drawing, { fitTo: { mode: 'width', value: size } }).render();
  writeFileSync(`public/icon-${size}.png`, picture.asPng());
}
