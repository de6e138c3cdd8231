// How Node finds and reads the page's sources: TypeScript, whose imports leave out the ending.

import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';

export function resolve(name, context, next) {
  return next(name.startsWith('.') && extname(name) === '' ? `${name}.ts` : name, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = await transformWithOxc(await readFile(path, 'utf8'), path);
  return { format: 'module', source: code, shortCircuit: true };
}
