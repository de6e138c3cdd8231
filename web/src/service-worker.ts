/// <reference lib="webworker" />

// Keeps the page's own files on the phone, so that the door opens without a connection.
// The server's answers (/door/v1/…) are never kept: only the page knows how old an answer may be.

declare const self: ServiceWorkerGlobalScope;
// Both are written in by the build, see vite.config.ts.
declare const KEPT_FILES: string[];
declare const CACHE_NAME: string;

const PAGE = '/door';
const kept = new Set(KEPT_FILES);

self.addEventListener('install', (event) => {
  // It does not push an older version aside: an open page keeps its own files until it is closed.
  event.waitUntil(keepEverything());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOlderVersions().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return;
  const path = url.pathname === '/door/' ? PAGE : url.pathname;
  if (kept.has(path)) event.respondWith(fromCache(path, event.request));
});

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
  return (await cache.match(path)) ?? fetch(request);
}

export {};
