import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { compress } from './vite-compress.ts';

const BASE = '/door/';

/** Tells the service worker which files to keep, so that the page opens without a connection, and page and worker their build. */
function listKeptFiles(): Plugin {
  return {
    name: 'list-kept-files',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') {
        throw new Error('sw.js is missing from the build');
      }
      const hash = createHash('sha256').update(worker.code);
      const kept = [BASE.slice(0, -1)];
      for (const [name, file] of Object.entries(bundle)) {
        if (name === 'sw.js') continue;
        // The server gives the page at /door; every other file keeps its own address.
        if (name !== 'index.html') kept.push(BASE + name);
        hash.update(name).update(file.type === 'chunk' ? file.code : file.source);
      }
      for (const name of readdirSync('public')) {
        kept.push(BASE + name);
        // These names carry no hash of their own, so their content makes the difference between two versions.
        hash.update(name).update(readFileSync(join('public', name)));
      }
      const build = hash.digest('hex').slice(0, 16);
      worker.code = worker.code
        .replaceAll('KEPT_FILES', JSON.stringify(kept.sort()))
        .replaceAll('BUILD_NAME', JSON.stringify(build));
      const page = bundle['index.html'];
      if (page?.type !== 'asset' || !String(page.source).includes('BUILD_NAME')) {
        throw new Error('the page cannot be told its build');
      }
      page.source = String(page.source).replaceAll('BUILD_NAME', build);
    },
  };
}

export default defineConfig({
  base: BASE,
  plugins: [listKeptFiles(), compress()],
  build: {
    outDir: 'dist/door',
    emptyOutDir: true,
    target: 'es2022',
    // The page's content security policy allows files of its own only, so nothing is put inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { page: 'index.html', sw: 'src/service-worker.ts' },
      output: {
        entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
