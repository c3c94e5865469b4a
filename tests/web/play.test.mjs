// Games on the firmware itself with its simulated board: a whole one by clicks, and by keys and by the words of labels alone as far
// as the knight; with FULL=1 whole ones too.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { axe, launch, PATIENCE_MS, watched } from './browser.mjs';
import { Line } from './line.mjs';
import { start } from './real_board.mjs';
import { PAGES } from './static_server.mjs';

/** 80 plies with castling on both sides, en passant and a pawn that becomes a knight as it captures. */
const SANS = (
  'e4 e6 e5 d5 exd6 Bxd6 Nf3 Nf6 Be2 O-O O-O Nc6 h4 a6 h5 Rb8 h6 b6 hxg7 Bb7 gxf8=N Kxf8 Na3 Ne4 Ne1 Ne7 Nb1 Nc5 a4 Ng6 g3 Bxg3 b4 Bxf2+ Rxf2 ' +
  'Bc6 c3 Bd7 Kh1 Bb5 Rh2 Qd4 Nd3 Rc8 Kg2 a5 Kf1 Bc4 Rh3 Qh4 Bb2 Ne5 Bh5 Rb8 Bf3 Ra8 Qe2 Ng4 Nf4 Nf6 Bxa8 Ke7 Kg2 Qg3+ Rxg3 Nh5 Rg6 Bxe2 Na3 h6 ' +
  'Nxe2 Kd7 Ng3 Nf6 Rxf6 Nb3 Nc2 axb4 Rxh6 Kd6'
).split(' ');
const UCIS = (
  'e2e4 e7e6 e4e5 d7d5 e5d6 f8d6 g1f3 g8f6 f1e2 e8g8 e1g1 b8c6 h2h4 a7a6 h4h5 a8b8 h5h6 b7b6 h6g7 c8b7 g7f8n g8f8 b1a3 f6e4 f3e1 c6e7 a3b1 e4c5 ' +
  'a2a4 e7g6 g2g3 d6g3 b2b4 g3f2 f1f2 b7c6 c2c3 c6d7 g1h1 d7b5 f2h2 d8d4 e1d3 b8c8 h1g2 a6a5 g2f1 b5c4 h2h3 d4h4 c1b2 g6e5 e2h5 c8b8 h5f3 b8a8 d1e2 ' +
  'e5g4 d3f4 g4f6 f3a8 f8e7 f1g2 h4g3 h3g3 f6h5 g3g6 c4e2 b1a3 h7h6 f4e2 e7d7 e2g3 h5f6 g6f6 c5b3 a3c2 a5b4 f6h6 d7d6'
).split(' ');

/** Until then both have castled, a pawn was captured en passant, and one has become a knight. */
const AS_FAR_AS_THE_KNIGHT = 24;
const FULL = !['', '0', undefined].includes(process.env.BOARDFW_FULL);

/** @type {any} */
let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** @param {string} square */
const numberOf = (square) => 'abcdefgh'.indexOf(square[0] ?? '') + 8 * (Number(square[1]) - 1);

/** The touches of a move: squares, or the names of buttons. @param {string} uci @param {string} san @returns {string[]} */
function touches(uci, san) {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  if (san.startsWith('O-O')) {
    const rank = from[1];
    return san === 'O-O' ? [from, to, `h${rank}`, `f${rank}`] : [from, to, `a${rank}`, `d${rank}`];
  }
  if (uci === 'e5d6') return [from, to, 'd5', 'Put beside the board'];
  return [from, to];
}

/** Ways to touch a square or a button. @type {Record<string, (page: any, what: string) => Promise<void>>} */
const WAYS = {
  clicks: async (page, what) => {
    if (what.length > 2) await page.getByRole('button', { name: what, exact: true }).click();
    else await page.locator(`[data-square="${numberOf(what)}"] button`).click();
  },
  keys: async (page, what) => {
    if (what.length > 2) {
      for (let steps = 0; steps < 60; steps++) {
        await page.keyboard.press('Tab');
        const words = await page.evaluate(() => document.activeElement?.textContent ?? '');
        if (words.startsWith(what)) break;
      }
      await page.keyboard.press('Enter');
      return;
    }
    const isOnBoard = () => page.evaluate(() => document.activeElement?.closest('.board') !== null);
    for (let steps = 0; steps < 60 && !(await isOnBoard()); steps++) await page.keyboard.press('Tab');
    for (;;) {
      const here = await page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.slice(0, 2) ?? '');
      const [files, ranks] = [what.charCodeAt(0) - here.charCodeAt(0), what.charCodeAt(1) - here.charCodeAt(1)];
      if (!files && !ranks) break;
      await page.keyboard.press(files > 0 ? 'ArrowRight' : files < 0 ? 'ArrowLeft' : ranks > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    await page.keyboard.press('Enter');
  },
  labels: async (page, what) => {
    const name = what.length > 2 ? new RegExp(`^${what}$`) : new RegExp(`^${what}, `);
    await page.getByRole('button', { name }).click();
  },
};

/** @param {any} context @param {{pair: string, origin: string}} real */
async function paired(context, real) {
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const troubles = watched(page, real.origin);
  // The page goes on to the board by itself, perhaps before it has loaded.
  await page.goto(real.pair, { waitUntil: 'commit' });
  await page.waitForSelector('body[data-condition="live"] .board');
  return { page, troubles };
}

/** The SANs of the list, without the question mark of those that are not certain. @param {any} page @returns {Promise<string[]>} */
const listed = (page) => page.evaluate(() => [...document.querySelectorAll('.moves .move')].map((move) => (move.textContent ?? '').replace('?', '')));

/** Wait until so many plies are listed and this is the last. @param {any} page @param {number} count @param {string} san */
async function waitForPly(page, count, san) {
  const stands = page.waitForFunction(
    (/** @type {{count: number, san: string}} */ { count, san }) => {
      const moves = [...document.querySelectorAll('.moves .move')];
      return moves.length === count && (moves[count - 1]?.textContent ?? '').replace('?', '') === san;
    },
    { count, san },
  );
  await stands.catch(async () => {
    const shown = await page.locator('main').innerText();
    throw new Error(`ply ${count}, ${san}, was not recorded; the page says:\n${shown}`);
  });
}

/** @param {any} page @param {(page: any, what: string) => Promise<void>} touch @param {number} [plies] */
async function play(page, touch, plies = SANS.length) {
  for (let ply = 0; ply < plies; ply++) {
    const [uci = '', san = ''] = [UCIS[ply], SANS[ply]];
    for (const what of touches(uci, san)) await touch(page, what);
    if (san.includes('=')) {
      // The pawn's arrival makes a queen; another piece is chosen by its button.
      await page.waitForSelector('.card.ask');
      await touch(page, 'Knight');
    }
    await waitForPly(page, ply + 1, san);
  }
}

for (const [name, touch] of Object.entries(WAYS)) {
  test(`a game by ${name}`, { timeout: 600_000 }, async (t) => {
    const plies = FULL || name === 'clicks' ? SANS.length : AS_FAR_AS_THE_KNIGHT;
    const sans = SANS.slice(0, plies);
    const real = await start();
    t.after(() => real.stop());
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
    const { page, troubles } = await paired(context, real);
    await play(page, touch, plies);
    assert.deepEqual(await listed(page), sans);
    // The last ply is announced once, like each before it.
    const said = await page.evaluate(() => [...document.querySelectorAll('#log p')].map((line) => line.textContent ?? ''));
    assert.equal(said.filter((/** @type {string} */ line) => line.includes(`${sans.at(-1)},`)).length, 1, said.join('\n'));
    assert.deepEqual(troubles, []);
    await context.close();
    await real.stop();
    const played = real.pgn().split('\n\n')[1]?.replace(/\{[^}]*\}|\d+\.+|\s\*\s*$/g, ' ').trim().split(/\s+/);
    assert.deepEqual(played?.slice(0, plies), sans);
  });
}

test('what stands wrong is said with the way back, and a move is taken back by its button or by hand', { timeout: 600_000 }, async (t) => {
  const real = await start();
  t.after(() => real.stop());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  const { page, troubles } = await paired(context, real);
  await play(page, /** @type {any} */ (WAYS.clicks), 2);
  await WAYS.clicks?.(page, 'g1');
  await WAYS.clicks?.(page, 'g4');
  const card = page.locator('.card', { hasText: 'Something stands wrong' });
  await card.waitFor();
  const words = await card.innerText();
  assert.match(words, /g1/);
  assert.match(words, /g4/);
  const found = await axe(page);
  assert.deepEqual(found.violations, []);
  await WAYS.clicks?.(page, 'g4');
  await WAYS.clicks?.(page, 'g1');
  await card.waitFor({ state: 'detached' });
  assert.deepEqual(await listed(page), SANS.slice(0, 2));
  // By hand: the last mover's piece goes back where it came from.
  await WAYS.clicks?.(page, 'e6');
  await WAYS.clicks?.(page, 'e7');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 1);
  assert.equal(await page.locator('.moves del').count(), 1);
  // What was played leads from its end to its place in the collection.
  await page.getByText('End of game').click();
  await page.getByLabel('Who resigns?').selectOption('b');
  await page.getByLabel(/type .*resign/).fill('resign');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Look at the game' }).click();
  await page.waitForURL('**/games/1');
  await page.locator('.moves button', { hasText: 'e4' }).waitFor();
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a page that was cut off shows the right state soon after it is back', { timeout: 600_000 }, async (t) => {
  const real = await start();
  t.after(() => real.stop());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  const { page } = await paired(context, real);
  const line = await new Line(Number(new URL(real.origin).port)).listen();
  t.after(() => line.close());
  const other = await context.newPage();
  await other.goto(`http://localhost:${line.port}/`);
  await other.waitForSelector('body[data-condition="live"] .board');
  for (let round = 0; round < 6; round++) {
    // Nothing passes for a while; the open connection leads nowhere from now on; or it is closed.
    [() => line.hold(), () => line.drop(), () => line.refuse()][round % 3]?.();
    await other.evaluate(() => window.dispatchEvent(new Event('offline')));
    await other.waitForSelector('body[data-condition="stale"]');
    await page.bringToFront(); // frames come once a second behind another page
    for (const what of touches(UCIS[round] ?? '', SANS[round] ?? '')) await WAYS.clicks?.(page, what);
    await waitForPly(page, round + 1, SANS[round] ?? '');
    line.open();
    await other.evaluate(() => window.dispatchEvent(new Event('online')));
    await waitForPly(other, round + 1, SANS[round] ?? '');
  }
  await context.close();
});

test('a stranger sees nothing, and is led to pairing', { timeout: 600_000 }, async (t) => {
  const real = await start();
  t.after(() => real.stop());
  const owner = await browser.newContext({ locale: 'en-US' });
  await paired(owner, real);
  const stranger = await browser.newContext({ locale: 'en-US' });
  const page = await stranger.newPage();
  await page.goto(`${real.origin}/`);
  await page.waitForSelector('body[data-condition="forbidden"]');
  assert.equal(await page.locator('.board').count(), 0);
  await page.getByRole('link', { name: 'Pair this device' }).click();
  await page.waitForSelector('form');
  await owner.close();
  await stranger.close();
});

/** The length of a body as it is sent, packed. @param {string} url @returns {Promise<number>} */
function sentBytes(url) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'gzip' } }, (answer) => {
      let bytes = 0;
      assert.equal(answer.statusCode, 200, url);
      answer.on('data', (part) => (bytes += part.length));
      answer.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}

test('the first view is light: bytes as they are sent', { timeout: 600_000 }, async (t) => {
  const real = await start();
  t.after(() => real.stop());
  const context = await browser.newContext({ locale: 'en-US' });
  const { page } = await paired(context, real);
  const view = await context.newPage();
  /** @type {any[]} */
  const answers = [];
  view.on('response', (/** @type {any} */ answer) => answer.url().startsWith('http') && answers.push(answer));
  const devtools = await context.newCDPSession(view);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  devtools.on('Network.loadingFinished', (/** @type {any} */ { encodedDataLength }) => (bytes += encodedDataLength));
  await view.goto(`${real.origin}/`);
  await view.waitForSelector('body[data-condition="live"] .board');
  assert.ok(answers.length <= 12, answers.map((answer) => answer.url()).join('\n'));
  assert.ok(bytes > 10_000 && bytes <= 60_000, `${bytes} bytes`);
  const hash = /\/s\/(\w+)\//.exec(answers.map((answer) => answer.url()).join(' '))?.[1];
  let scripts = 0;
  for (const name of readdirSync(PAGES).filter((file) => file.endsWith('.js'))) scripts += await sentBytes(`${real.origin}/s/${hash}/${name}`);
  assert.ok(scripts > 10_000 && scripts <= 40_000, `${scripts} bytes of scripts`);
  console.log(`first view: ${bytes} bytes in ${answers.length} requests; all scripts: ${scripts} bytes`);
  await context.close();
});
