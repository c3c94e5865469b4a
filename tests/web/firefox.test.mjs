// The firmware's page in another make of browser: Firefox pairs, plays a move, and opens every page. It is asked by WebDriver
// BiDi, which it speaks itself; without a Firefox the test is skipped.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CACHE, PATIENCE_MS } from './browser.mjs';
import { start } from './real_board.mjs';

const FIREFOX = [process.env.BOARDFW_FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));
const PATHS = ['/', '/new', '/games', '/learn', '/board', '/settings', '/kiosk', '/plain'];
const { ws: WebSocket } = createRequire(join(CACHE, 'package.json'))('playwright-core/lib/utilsBundle');

/** A Firefox of our own, and its first page. */
async function firefox() {
  const profile = mkdtempSync(join(tmpdir(), 'boardfw-firefox-'));
  const process_ = spawn(FIREFOX ?? '', ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], { env: { ...process.env, HOME: profile } });
  let printed = '';
  const url = await new Promise((resolve, reject) => {
    process_.on('exit', () => reject(new Error(`Firefox has ended: ${printed}`)));
    process_.stderr.on('data', (data) => {
      printed += data;
      const found = /WebDriver BiDi listening on (\S+)/.exec(printed);
      if (found) resolve(found[1]);
    });
  });
  const socket = new WebSocket(`${url}/session`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map();
  /** @type {string[]} */
  const troubles = [];
  socket.on('message', (/** @type {Buffer} */ data) => {
    const message = JSON.parse(String(data));
    if (message.method === 'log.entryAdded' && message.params.level === 'error') troubles.push(message.params.text);
    waiting.get(message.id)?.(message);
  });
  let number = 0;
  /** @param {string} method @param {object} params @returns {Promise<any>} */
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      number += 1;
      waiting.set(number, (message) => (message.error ? reject(new Error(`${method}: ${message.message}`)) : resolve(message.result)));
      socket.send(JSON.stringify({ id: number, method, params }));
    });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await send('browsingContext.getTree', {});
  const context = contexts[0].context;
  /** @param {string} expression @returns {Promise<any>} */
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await send('script.evaluate', { expression, target: { context }, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value;
  };
  return {
    troubles,
    evaluate,
    /** @param {string} url */
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    /** @param {string} holds an expression */
    until: async (holds) => {
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
        if (await evaluate(`Boolean(${holds})`).catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`${holds}: not so; the page says ${await evaluate('document.body.innerText')}`);
    },
    end: async () => {
      process_.removeAllListeners('exit');
      const gone = new Promise((resolve) => process_.on('exit', resolve));
      process_.kill('SIGKILL');
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

test('Firefox pairs, plays a move and opens every page', { timeout: 600_000, skip: FIREFOX ? false : 'no Firefox: apt install firefox-esr, or name one in BOARDFW_FIREFOX' }, async (t) => {
  const [real, browser] = await Promise.all([start(), firefox()]);
  t.after(() => Promise.all([real.stop(), browser.end()]));
  await browser.open(real.pair);
  await browser.until("document.body.dataset.condition === 'live' && document.querySelector('.board')");
  for (const square of [12, 28]) await browser.evaluate(`document.querySelector('[data-square="${square}"] button').click()`);
  await browser.until("document.querySelector('.moves .move')?.textContent.startsWith('e4')");
  for (const path of PATHS) {
    await browser.open(real.origin + path);
    const isReady = path === '/plain' ? "document.querySelector('table')" : "!['', 'loading'].includes(document.body.dataset.condition ?? '')";
    await browser.until(isReady);
    assert.equal(await browser.evaluate("document.querySelectorAll('h1').length"), 1, path);
    const sideways = await browser.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    assert.ok(sideways <= 0, `${path}: ${sideways} px too wide`);
  }
  assert.deepEqual(browser.troubles, []);
});
