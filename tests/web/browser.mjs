// A browser for the tests: Debian's Chromium by playwright-core, with what every page test watches for:
// violations of the content policy, errors of scripts, requests to another host.

import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where `make test-web` has put the libraries. */
export const CACHE = process.env.BOARDFW_WEB_CACHE ?? join(homedir(), '.cache/boardfw/web');
/** After this time a test has failed, also on a machine with ten other busy processes. */
export const PATIENCE_MS = 120_000;
const require = createRequire(join(CACHE, 'package.json'));
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const PATHS = [process.env.BOARDFW_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @param {string[]} [flags] @returns {Promise<any>} */
export function launch(flags = []) {
  const executablePath = PATHS.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('no Chromium: apt install chromium, or name one in BOARDFW_CHROMIUM');
  const always = ['--font-render-hinting=none', '--force-color-profile=srgb', '--disable-lcd-text'];
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...always, ...flags] });
}

/**
 * What went wrong in a page: fills while it lives.
 * @param {any} page
 * @param {string} origin
 * @returns {string[]}
 */
export function watched(page, origin) {
  /** @type {string[]} */
  const troubles = [];
  page.on('console', (/** @type {any} */ message) => {
    // A refused request is part of many tests; the page has to say so, and the browser says it too.
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text())) troubles.push(message.text());
  });
  page.on('pageerror', (/** @type {Error} */ error) => troubles.push(String(error.stack ?? error)));
  page.on('request', (/** @type {any} */ request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) troubles.push(`asked ${request.url()}`);
  });
  return troubles;
}

/**
 * What axe finds in a page, one line each. It enters by the debugger, since the content policy refuses scripts of others.
 * @param {any} page
 * @returns {Promise<{violations: string[], undecided: string[]}>}
 */
export async function axe(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: AXE });
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const run = `axe.run(document, {runOnly: ${JSON.stringify(tags)}, resultTypes: ['violations', 'incomplete']}).then(
    ({violations, incomplete}) => JSON.stringify({violations, incomplete}))`;
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', { expression: run, awaitPromise: true });
  if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
  await devtools.detach();
  const { violations, incomplete } = JSON.parse(result.value);
  return { violations: lines(violations), undecided: lines(incomplete) };
}

/** @param {any[]} rules */
function lines(rules) {
  return rules.flatMap((rule) =>
    rule.nodes.map((/** @type {any} */ node) => {
      const why = [...node.any, ...node.all, ...node.none].map((/** @type {any} */ check) => check.message).join('; ');
      return `${rule.id}: ${node.target.join(' ')}: ${why}`;
    }),
  );
}

/**
 * Answer the page's questions in place of a board: paths below the API with what they say, and a stream that
 * begins with a state. A value that is a number is a status. A mute board takes further streams and says nothing in
 * them, one that is off closes them at once.
 * @param {any} page
 * @param {Record<string, unknown>} answers "GET /games" -> JSON, or a status
 * @param {Record<string, unknown> | null} [state]
 * @returns {Promise<{tell: (message: object) => void, cut: () => void, mute: () => void, off: () => void, asked: {method: string, path: string, body: any}[]}>}
 */
export async function pretend(page, answers, state = null) {
  /** @type {any} */
  let socket = null;
  let isMute = false;
  let isOff = false;
  /** @type {{method: string, path: string, body: any}[]} */
  const asked = [];
  await page.route('**/api/v1/**', async (/** @type {any} */ route) => {
    const request = route.request();
    const url = new URL(request.url());
    const path = url.pathname.slice('/api/v1'.length);
    const key = `${request.method()} ${path}`;
    let body = null;
    try {
      body = request.postDataJSON();
    } catch {
      body = request.postData();
    }
    asked.push({ method: request.method(), path: path + url.search, body });
    const found = answers[key] ?? (request.method() === 'GET' ? 404 : { text: '', seq: 1 });
    const isStatus = typeof found === 'number';
    const problem = { type: 'about:blank', title: 'Refused', status: found };
    await route.fulfill({ status: isStatus ? found : 200, contentType: 'application/json', body: JSON.stringify(isStatus ? problem : found) });
  });
  await page.routeWebSocket('**/api/v1/stream**', (/** @type {any} */ route) => {
    socket = route;
    if (isOff) route.close();
    else if (state && !isMute) route.send(JSON.stringify({ snapshot: state, t: 0 }));
  });
  return {
    tell: (message) => socket?.send(JSON.stringify(message)),
    cut: () => socket?.close(),
    mute: () => (isMute = true),
    off: () => (isOff = true),
    asked,
  };
}

/**
 * A page for a picture of it: in it the time stands still.
 * @param {any} browser
 * @param {string} url
 * @param {Record<string, unknown>} answers as of `pretend`
 * @param {Record<string, unknown> | null} live likewise
 * @param {object} options of the browser's context
 * @returns {Promise<{page: any, picture: (options?: object) => Promise<Buffer>}>}
 */
export async function posed(browser, url, answers, live, options) {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options });
  const page = await context.newPage();
  await page.addInitScript(() => (performance.now = () => 0));
  await pretend(page, answers, live);
  await page.goto(url);
  await page.waitForFunction(() => document.body.dataset.condition === 'live');
  return { page, picture: (options = {}) => page.screenshot({ animations: 'disabled', ...options }) };
}
