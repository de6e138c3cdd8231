// A film for Chromium's fake camera: somebody's phone with a code on it, in front of stage lights.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';

const WIDTH = 640;
const HEIGHT = 480;
const FRAMES = 2;
const MODULE_PX = 6;
const QUIET_PX = 4 * MODULE_PX;
const LIGHTS = [
  { x: 225, y: 90, radius: 42, luma: 92, blue: 150, red: 138 },
  { x: 300, y: 52, radius: 26, luma: 120, blue: 104, red: 150 },
  { x: 392, y: 110, radius: 54, luma: 84, blue: 140, red: 148 },
  { x: 262, y: 396, radius: 34, luma: 70, blue: 136, red: 140 },
  { x: 372, y: 420, radius: 24, luma: 96, blue: 112, red: 146 },
];

/** Writes the film to `path`; without a code, the camera looks at the stage only. */
export async function filmOf(code, path) {
  const luma = new Uint8Array(WIDTH * HEIGHT).fill(38);
  const blue = new Uint8Array((WIDTH * HEIGHT) / 4).fill(136);
  const red = new Uint8Array((WIDTH * HEIGHT) / 4).fill(126);
  for (const light of LIGHTS) drawLight(luma, blue, red, light);
  if (code !== null) drawPhone(luma, blue, red, await modulesOf(code));
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, blue, red]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F30:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([header, ...Array(FRAMES).fill(frame)]));
}

async function modulesOf(code) {
  const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const { symbol } = await writeBarcode(code, { format: 'QRCode', addQuietZones: false });
  return symbol;
}

function drawLight(luma, blue, red, light) {
  for (let y = Math.max(0, light.y - light.radius); y < Math.min(HEIGHT, light.y + light.radius); y++) {
    for (let x = light.x - light.radius; x < light.x + light.radius; x++) {
      if (Math.hypot(x - light.x, y - light.y) < light.radius) paint(luma, blue, red, x, y, light);
    }
  }
}

function drawPhone(luma, blue, red, { data, width, height }) {
  const wide = width * MODULE_PX + 2 * QUIET_PX;
  const high = height * MODULE_PX + 2 * QUIET_PX;
  const left = 2 * Math.round((WIDTH - wide) / 4);
  const top = 2 * Math.round((HEIGHT - high) / 4);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const column = Math.floor((x - QUIET_PX) / MODULE_PX);
      const row = Math.floor((y - QUIET_PX) / MODULE_PX);
      const inside = column >= 0 && row >= 0 && column < width && row < height;
      const dark = inside && data[row * width + column] === 0;
      paint(luma, blue, red, left + x, top + y, { luma: dark ? 20 : 236, blue: 128, red: 128 });
    }
  }
}

function paint(luma, blue, red, x, y, colour) {
  luma[y * WIDTH + x] = colour.luma;
  const quarter = Math.floor(y / 2) * (WIDTH / 2) + Math.floor(x / 2);
  blue[quarter] = colour.blue;
  red[quarter] = colour.red;
}
