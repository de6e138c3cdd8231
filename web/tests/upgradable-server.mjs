// A server in front of the real one, which can have another build of the page, or lack some of its files.

import { createServer, request } from 'node:http';

const WITH_BUILD = ['/door', '/door/sw.js'];

/** `build` is the name of the build that it has from then on, and `lacks` matches the addresses that it does not answer. */
export async function startUpgradableServer(origin) {
  const played = { base: '', build: null, lacks: null };
  const server = createServer((asked, answer) => {
    if (played.lacks?.test(asked.url)) {
      answer.writeHead(503).end();
      return;
    }
    const { 'if-none-match': _, ...headers } = asked.headers;
    const address = new URL(asked.url, origin);
    const passedOn = { method: asked.method, headers: { ...headers, host: address.host, 'accept-encoding': 'identity' } };
    const passing = request(address, passedOn, async (from) => {
      const { etag: __, 'content-length': ___, ...told } = from.headers;
      const parts = [];
      for await (const part of from) parts.push(part);
      let body = Buffer.concat(parts);
      if (played.build !== null && WITH_BUILD.includes(address.pathname)) {
        body = Buffer.from(body.toString().replaceAll(/"[0-9a-f]{16}"/g, `"${played.build}"`));
      }
      answer.writeHead(from.statusCode, told).end(body);
    });
    passing.on('error', () => answer.destroy());
    asked.pipe(passing);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  played.base = `http://127.0.0.1:${server.address().port}`;
  played.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return played;
}
