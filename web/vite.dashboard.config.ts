import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { compress } from './vite-compress.ts';

/** The dashboard shows one of the files in public; the others are the door page's. */
function copyIcon(): Plugin {
  return {
    name: 'copy-icon',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'icon.svg', source: readFileSync('public/icon.svg') });
    },
  };
}

export default defineConfig({
  base: '/assets/',
  publicDir: false,
  plugins: [copyIcon(), compress()],
  build: {
    outDir: 'dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { dashboard: 'src/dashboard/dashboard.ts', shop: 'src/shop/shop.css', embed: 'src/shop/embed.ts' },
      // htmx contains an eval. It is switched off (htmx-settings.ts), and the content security policy forbids it.
      checks: { eval: false },
      // The server writes the pages and links these names, so they carry no hash.
      output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
});
