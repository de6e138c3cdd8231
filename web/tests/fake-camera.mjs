// Films for Chromium's fake camera: phones with codes on them, in front of stage lights.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { given } from './given.mjs';

// The size that the page asks for: Chromium would cut any other down to it.
const WIDTH = 1280;
const HEIGHT = 720;
const FRAMES = 2;
/** Every picture is drawn anew whether or not anybody reads it. Two a second are enough, except to measure what they cost. */
const FRAMES_PER_SECOND = given.long ? 30 : 2;
const QUIET_MODULES = 4;
/** Where the viewfinder is in the film, more or less, on the screen of the tests. */
const FINDER = { x: 640, y: 291, side: 232 };
const LIGHTS = [
  { x: 498, y: 135, radius: 63, luma: 92, blue: 150, red: 138 },
  { x: 610, y: 78, radius: 39, luma: 120, blue: 104, red: 150 },
  { x: 748, y: 165, radius: 81, luma: 84, blue: 140, red: 148 },
  { x: 553, y: 594, radius: 51, luma: 70, blue: 136, red: 140 },
  { x: 718, y: 630, radius: 36, luma: 96, blue: 112, red: 146 },
];

/** Writes a film of one code in the middle of the viewfinder; without a code, the camera looks at the stage only. */
export function filmOf(code, path) {
  return filmOfSeveral(code === null ? [] : [{ code, modulePx: 6 }], path);
}

/** Where the viewfinder of this page is in the film, exactly, on any screen that is higher than wide. */
export async function finderIn(page) {
  const { x, y, width } = await page.locator('#viewfinder').boundingBox();
  const screen = page.viewportSize();
  const zoom = screen.height / HEIGHT;
  return { x: WIDTH / 2 + (x + width / 2 - screen.width / 2) / zoom, y: (y + width / 2) / zoom, side: width / zoom };
}

/** `x` and `y` say how far each code is from the middle of the viewfinder, whose sides are 1: beyond ½ is outside. */
export async function filmOfSeveral(codes, path, finder = FINDER) {
  const luma = new Uint8Array(WIDTH * HEIGHT).fill(38);
  const blue = new Uint8Array((WIDTH * HEIGHT) / 4).fill(136);
  const red = new Uint8Array((WIDTH * HEIGHT) / 4).fill(126);
  for (const light of LIGHTS) drawLight(luma, blue, red, light);
  for (const { code, x = 0, y = 0, modulePx = 4 } of codes) {
    const middle = { x: finder.x + x * finder.side, y: finder.y + y * finder.side };
    drawPhone(luma, blue, red, middle, await modulesOf(code), modulePx);
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, blue, red]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([header, ...Array(FRAMES).fill(frame)]));
}

async function modulesOf(code) {
  const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const { symbol } = await writeBarcode(code, { format: 'QRCode', addQuietZones: false });
  return symbol;
}

function drawLight(luma, blue, red, light) {
  for (let y = light.y - light.radius; y < light.y + light.radius; y++) {
    for (let x = light.x - light.radius; x < light.x + light.radius; x++) {
      if (Math.hypot(x - light.x, y - light.y) < light.radius) paint(luma, blue, red, x, y, light);
    }
  }
}

function drawPhone(luma, blue, red, middle, { data, width, height }, modulePx) {
  const quiet = QUIET_MODULES * modulePx;
  const wide = width * modulePx + 2 * quiet;
  const high = height * modulePx + 2 * quiet;
  const left = 2 * Math.round((middle.x - wide / 2) / 2);
  const top = 2 * Math.round((middle.y - high / 2) / 2);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const column = Math.floor((x - quiet) / modulePx);
      const row = Math.floor((y - quiet) / modulePx);
      const inside = column >= 0 && row >= 0 && column < width && row < height;
      const dark = inside && data[row * width + column] === 0;
      paint(luma, blue, red, left + x, top + y, { luma: dark ? 20 : 236, blue: 128, red: 128 });
    }
  }
}

function paint(luma, blue, red, x, y, colour) {
  if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) return;
  luma[y * WIDTH + x] = colour.luma;
  const quarter = Math.floor(y / 2) * (WIDTH / 2) + Math.floor(x / 2);
  blue[quarter] = colour.blue;
  red[quarter] = colour.red;
}
