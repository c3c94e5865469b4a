// Serves the pages as the firmware does, without a board behind them: same paths, same headers. What the API
// would say is put in by the test, in the browser.

import { createServer } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PAGES = fileURLToPath(new URL('../../boardfw/services/web/pages/', import.meta.url));

export const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none';" +
  " base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** @returns {Promise<{url: string, close: () => void}>} */
export function serve() {
  const files = new Map(readdirSync(PAGES).map((name) => [name, readFileSync(join(PAGES, name))]));
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const name = path.startsWith('/s/0/') ? path.slice(5) : path.startsWith('/api/') ? '' : 'page.html';
    const body = files.get(name);
    response.setHeader('Content-Security-Policy', CSP);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Type', `${TYPES[extname(name)] ?? 'text/plain'}; charset=utf-8`);
    response.writeHead(body ? 200 : 404).end(body ?? 'not there');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://localhost:${address.port}`, close: () => server.close() });
    });
  });
}
