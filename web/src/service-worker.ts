/// <reference lib="webworker" />

// Keeps the page's own files on the phone, so that the door opens without a connection.
// The server's answers (/door/v1/…) are never kept: only the page knows how old an answer may be.

import type { FromWorker, ToWorker } from './worker-words';

declare const self: ServiceWorkerGlobalScope;
// Both are written in by the build, see vite.config.ts.
declare const KEPT_FILES: string[];
declare const BUILD_NAME: string;

const PAGE = '/door';
const CACHE_NAME = `door-${BUILD_NAME}`;
const kept = new Set(KEPT_FILES);
let fetching: Promise<void> | null = null;

self.addEventListener('install', (event) => {
  // It does not push an older version aside by itself: the page knows when nobody waits for a decision, and says so.
  event.waitUntil(keepEverything());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('message', (event) => {
  const wanted = event.data as ToWorker;
  if (wanted === 'take over') event.waitUntil(self.skipWaiting());
  if (wanted === 'tell') event.waitUntil(tell(event.ports[0]));
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return;
  const path = url.pathname === '/door/' ? PAGE : url.pathname;
  if (kept.has(path) || path.startsWith('/door/assets/')) event.respondWith(fromCache(path, event.request));
});

/** Looks whether everything is here that the page needs without a signal, and fetches what a browser short of space took away. */
async function tell(port: MessagePort | undefined): Promise<void> {
  let isKept = await isEverythingKept();
  if (!isKept) {
    // Over a bad signal this takes longer than until the next time that the page asks.
    fetching ??= keepEverything()
      .catch(console.warn)
      .finally(() => (fetching = null));
    await fetching;
    isKept = await isEverythingKept();
  }
  const told: FromWorker = { build: BUILD_NAME, isKept };
  port?.postMessage(told);
  // Another tab may still be of an older version, and in need of its files.
  if (isKept && (await self.clients.matchAll({ includeUncontrolled: true })).length <= 1) await forgetOlderVersions();
}

async function isEverythingKept(): Promise<boolean> {
  const cache = await caches.open(CACHE_NAME);
  const here = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  return KEPT_FILES.every((path) => here.has(path));
}

async function keepEverything(): Promise<void> {
  const cache = await caches.open(CACHE_NAME);
  // Names under assets/ change with their content; the others must not come from the browser's own older copy.
  const requests = KEPT_FILES.map(
    (path) => new Request(path, { cache: path.startsWith('/door/assets/') ? 'default' : 'reload' }),
  );
  await cache.addAll(requests);
}

async function forgetOlderVersions(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith('door-') && name !== CACHE_NAME);
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function fromCache(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE_NAME);
  // A page of an older version finds its own files in what was kept for it.
  return (await cache.match(path)) ?? (await caches.match(path)) ?? fetch(request);
}
