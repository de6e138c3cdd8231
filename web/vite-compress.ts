import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Puts a compressed copy beside every file: the server sends it as it is, and a bad signal carries it sooner. */
export function compress(): Plugin {
  return {
    name: 'compress',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        const path = join(dir, name);
        if (!statSync(path).isFile() || name.endsWith('.gz')) continue;
        const content = readFileSync(path);
        const packed = gzipSync(content, { level: 9 });
        if (packed.length < content.length) writeFileSync(`${path}.gz`, packed);
      }
    },
  };
}
