// Serves the pages as the firmware does, without a board behind them: same paths, same headers, the words of one language in
// a file. What the API would say is put in by the test, in the browser.

import { createServer } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PAGES = fileURLToPath(new URL('../../boardfw/services/web/pages/', import.meta.url));

export const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none';" +
  " base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** All words of the pages, in English and in German. @type {Record<string, [string, string]>} */
export const TEXTS = JSON.parse(readFileSync(join(PAGES, 'texts.json'), 'utf8'));

/** The words of one language by their keys. @param {'en' | 'de'} language @param {typeof TEXTS} [texts] @returns {Record<string, string>} */
export function wordsOf(language, texts = TEXTS) {
  return Object.fromEntries(Object.entries(texts).map(([key, [english, german]]) => [key, language === 'de' ? german : english]));
}

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };

/** @param {string} [pages] the folder with them @returns {Promise<{url: string, close: () => void}>} */
export function serve(pages = PAGES) {
  const files = new Map(readdirSync(pages).map((name) => [name, readFileSync(join(pages, name))]));
  const texts = JSON.parse(String(files.get('texts.json')));
  for (const language of /** @type {const} */ (['en', 'de'])) files.set(`texts.${language}.json`, Buffer.from(JSON.stringify(wordsOf(language, texts))));
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
