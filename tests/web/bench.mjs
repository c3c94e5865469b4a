// Measures the page in a browser, and prints: `make bench-web`. Sizes are small, and full with FULL=1.
//
//     node tests/web/bench.mjs [pixel] [cold] [cuts]

import { launch } from './browser.mjs';
import { helper } from './helper.mjs';
import { Line } from './line.mjs';

const FULL = !['', '0', undefined].includes(process.env.BOARDFW_FULL);
const HZ = 5;
const EDGES = FULL ? 200 : 50;
const OTHERS = 100;
const COLD = { rounds: FULL ? 10 : 3, bits: 1_000_000, slower: 4 };
const CUTS = { rounds: FULL ? 50 : 4, pages: 4, longestAwayS: 8, patienceMs: 30_000 };
const WANTED = { pixelMs: 60, pixelMs100: 120, pixelMsSlow: 250, coldMs: 1500, backMs: 2000 };

/** Milliseconds of the machine's monotonic clock, which the boards' notes are in too. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

/** Since when and until when this machine ran nothing of ours. @type {[number, number][]} */
const stalls = [];
const STALL_MS = 20;
let looked = now();
setInterval(() => {
  const before = looked;
  looked = now();
  if (looked - before > STALL_MS) stalls.push([before, looked]);
}, 2).unref();

/** For how much of a time the machine stood still. @param {number} from @param {number} to */
function stood(from, to) {
  const spans = stalls.map(([began, ended]) => Math.min(ended, to) - Math.max(began, from));
  return spans.filter((ms) => ms > 0).reduce((sum, ms) => sum + ms, 0);
}

/** @param {number[]} times @param {number} share */
const at = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;

/** @param {number[]} times @param {number} wanted of 95 % */
function spread(times, wanted) {
  const mark = at(times, 0.95) > wanted ? '*' : '';
  const told = [0.5, 0.95, 0.99, 1].map((share) => at(times, share).toFixed(1));
  return `median ${told[0]} ms, 95 % within ${told[1]}${mark}, 99 % within ${told[2]}, the slowest ${told[3]} (${times.length})`;
}

/** @param {any} board @param {any} context @param {number} port */
async function known(board, context, port) {
  const { cookie, tokens } = await board.ask('begin', { role: 'player', count: 1 });
  await context.addCookies([{ name: cookie, value: tokens[0], url: `http://localhost:${port}` }]);
}

/** @param {any} board */
const portOf = async (board) => Number(new URL((await board.ask('begin', { role: 'player', count: 0 })).url).port);

/** What the page's clock shows at 0 of the machine's. @param {any} page */
async function clockOf(page) {
  let [best, ahead] = [Infinity, 0];
  for (let round = 0; round < 30; round++) {
    const before = now();
    const shown = await page.evaluate(() => performance.now());
    const after = now();
    if (after - before < best) [best, ahead] = [after - before, shown - (before + after) / 2];
  }
  return ahead;
}

/** From an edge to the frame that shows it, with so many others who watch. @param {any} browser @param {number} others @param {string} role @param {boolean} [slow] */
async function pixel(browser, others, role, slow = false) {
  const [board, crowd] = [helper('page_board'), helper('page_viewers')];
  const port = await portOf(board);
  if (others) await crowd.ask('watch', { ...(await board.ask('begin', { role, count: others })), reads: 'all' });
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1000, height: 700 } });
  await known(board, context, port);
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  await page.waitForSelector('body[data-condition="live"] .board');
  await page.evaluate(() => {
    /** @type {number[]} */
    const painted = (/** @type {any} */ (window).painted = []);
    const told = new MessageChannel();
    told.port1.onmessage = () => painted.push(performance.now());
    let isWaiting = false;
    new MutationObserver(() => {
      if (isWaiting) return;
      isWaiting = true;
      // What is posted in a frame is heard when the frame has been drawn.
      requestAnimationFrame(() => ((isWaiting = false), told.port2.postMessage(0)));
    }).observe(/** @type {Node} */ (document.querySelector('.board')), { subtree: true, childList: true, attributes: true, characterData: true });
  });
  if (slow && !(await board.ask('slow')).is_slow) console.log('the board is as fast as ever: this machine has no control groups of version 1');
  const ahead = await clockOf(page);
  const { edges, late } = await board.ask('play', { edges: EDGES, hz: HZ });
  const painted = (await page.evaluate(() => /** @type {any} */ (window).painted)).map((/** @type {number} */ shown) => shown - ahead);
  /** @type {number[]} */
  const delays = [];
  let [missed, left] = [0, 0];
  const made = edges.map((/** @type {[number, number | null]} */ [ns]) => ns / 1e6);
  made.forEach((/** @type {number} */ edge, /** @type {number} */ number) => {
    const shown = painted.find((/** @type {number} */ time) => time > edge);
    if (shown === undefined || shown >= (made[number + 1] ?? Infinity)) missed += 1;
    else if (stood(edge, shown)) left += 1;
    else delays.push(shown - edge);
  });
  const wanted = slow ? WANTED.pixelMsSlow : others ? WANTED.pixelMs100 : WANTED.pixelMs;
  console.log(`edge to pixel, ${slow ? 'the board has a tenth of a processor, ' : ''}${others ? `${others} x ${role} watch besides` : 'nobody else watches'}: ${spread(delays, wanted)}; not before the next edge: ${missed}; late scans ${late}; left out, as the machine stood still: ${left}`);
  await context.close();
  board.end();
  crowd.end();
}

/** From opening the address to a board that can be read: nothing is kept, the line is thin and the processor slow. @param {any} browser */
async function cold(browser) {
  const board = helper('page_board');
  const line = await new Line(await portOf(board), COLD.bits).listen();
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const whole = [];
  for (let round = 0; round < COLD.rounds; round++) {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 360, height: 640 } });
    await known(board, context, line.port);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: COLD.slower });
    await page.addInitScript(() => {
      const told = new MessageChannel();
      told.port1.onmessage = () => ((/** @type {any} */ (window)).readable ??= performance.now());
      const look = () => {
        const isThere = document.body?.dataset.condition === 'live' && document.querySelectorAll('.board button[aria-label]').length === 64;
        if (isThere) told.port2.postMessage(0);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(`http://localhost:${line.port}/`, { waitUntil: 'commit' });
    await page.waitForFunction(() => (/** @type {any} */ (window)).readable);
    const took = await page.evaluate(() => (/** @type {any} */ (window)).readable);
    const began = -(await clockOf(page));
    times.push(took - stood(began, began + took));
    whole.push(took);
    await context.close();
  }
  console.log(`cold start at ${COLD.bits / 1e6} Mbit/s with a processor ${COLD.slower} times slower: board readable, ${spread(times, WANTED.coldMs)}; and with the time in which the machine stood still: ${spread(whole, WANTED.coldMs)}`);
  line.close();
  board.end();
}

/** Ways to lose the board, and to come back. @type {Record<string, {away: (line: Line, devtools: any) => unknown, back: (line: Line, devtools: any, page: any) => unknown}>} */
const WAYS = {
  'the server ends and another begins': { away: (line) => line.refuse(), back: (line) => line.open() },
  'the line is cut': { away: (line) => line.refuse(), back: (line) => line.open() },
  'nothing passes for a while': { away: (line) => line.hold(), back: (line) => line.open() },
  'half open, and another network': {
    away: (line) => line.drop(),
    back: (line, _, page) => (line.open(), page.evaluate(() => window.dispatchEvent(new Event('online')))),
  },
  'the phone sleeps': {
    away: async (line, devtools) => (line.drop(), await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })),
    back: async (line, devtools, page) => {
      line.open();
      await devtools.send('Page.setWebLifecycleState', { state: 'active' });
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    },
  },
};

/** The moves that a page lists, without the sign of doubt. @param {string[]} wanted */
const isRight = (wanted) => {
  const listed = [...document.querySelectorAll('.moves .move')].map((move) => (move.textContent ?? '').replace('?', ''));
  return document.body.dataset.condition === 'live' && listed.join(' ') === wanted.join(' ');
};

/** Wait until a page shows the board as it is by then; hands may not have been understood yet. @param {any} board @param {any} page */
async function untilRight(board, page) {
  const until = now() + CUTS.patienceMs;
  for (;;) {
    if (await page.evaluate(isRight, (await board.ask('moves')).sans)) return;
    if (now() > until) throw new Error(`the page does not come right: ${await page.locator('main').innerText()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Pages lose the board at random, and come back. @param {any} browser */
async function cuts(browser) {
  const board = helper('page_board');
  const port = await portOf(board);
  /** @type {{page: any, line: Line, devtools: any, said: Set<string>}[]} */
  const pages = [];
  for (let number = 0; number < CUTS.pages; number++) {
    const line = await new Line(port).listen();
    const context = await browser.newContext({ locale: 'en-US' });
    await known(board, context, line.port);
    const page = await context.newPage();
    await page.goto(`http://localhost:${line.port}/`);
    await page.waitForSelector('body[data-condition="live"] .board');
    await page.evaluate(() => {
      /** @type {string[]} */
      const said = (/** @type {any} */ (window).said = []);
      new MutationObserver((changes) => {
        for (const change of changes) for (const node of change.addedNodes) said.push(node.textContent ?? '');
      }).observe(/** @type {Node} */ (document.getElementById('log')), { childList: true });
    });
    pages.push({ page, line, devtools: await context.newCDPSession(page), said: new Set() });
  }
  /** @type {Record<string, number[]>} */
  const back = {};
  let [twice, late, plies] = [0, 0, 0];
  const ways = Object.keys(WAYS);
  for (let round = 0; round < CUTS.rounds; round++) {
    const isServer = Math.random() < 1 / ways.length;
    const awayS = 0.2 + Math.random() * CUTS.longestAwayS;
    const chosen = pages.map(() => (isServer ? ways[0] : ways[1 + Math.floor(Math.random() * (ways.length - 1))]) ?? '');
    await Promise.all(pages.map(({ line, devtools }, number) => WAYS[chosen[number] ?? '']?.away(line, devtools)));
    const began = now();
    for (let moves = Math.floor(Math.random() * 4); moves > 0; moves--) await board.ask('move');
    if (isServer) await board.ask('restart', { away_s: awayS });
    else await new Promise((resolve) => setTimeout(resolve, Math.max(0, awayS * 1000 - (now() - began))));
    await Promise.all(
      pages.map(async ({ page, line, devtools }, number) => {
        const way = chosen[number] ?? '';
        const began = now();
        await WAYS[way]?.back(line, devtools, page);
        await untilRight(board, page);
        const took = now() - began;
        (back[way] ??= []).push(took - stood(began, began + took));
        if (took > WANTED.backMs) late += 1;
      }),
    );
    await board.ask('move');
    for (const one of pages) await untilRight(board, one.page);
    const after = (await board.ask('moves')).sans;
    for (const one of pages) {
      if (after.length < plies) one.said.clear(); // another game
      const said = await one.page.evaluate(() => /** @type {any} */ (window).said.splice(0));
      for (const [words] of said.join('\n').matchAll(/(?<!Corrected: )\d+\. (White|Black): \S+, .. to ../g)) {
        if (one.said.has(words)) twice += 1;
        one.said.add(words);
      }
    }
    plies = after.length;
  }
  const all = Object.values(back).flat();
  const right = all.filter((ms) => ms <= WANTED.backMs).length;
  console.log(
    `${all.length} times without the board for up to ${CUTS.longestAwayS} s: right within ${WANTED.backMs / 1000} s, without the time in which the` +
      ` machine stood still, ${right}${right < all.length ? '*' : ''}, and with it ${all.length - late}; a move announced twice ${twice}`,
  );
  for (const [way, times] of Object.entries(back)) console.log(`  ${way}: ${spread(times, WANTED.backMs)}`);
  for (const { line } of pages) line.close();
  board.end();
}

const asked = process.argv.slice(2);
const browser = await launch();
const isAsked = (/** @type {string} */ name) => !asked.length || asked.includes(name);
if (isAsked('pixel')) {
  await pixel(browser, 0, 'player');
  await pixel(browser, OTHERS, 'spectator');
  await pixel(browser, OTHERS, 'player');
  await pixel(browser, 0, 'player', true);
}
if (isAsked('cold')) await cold(browser);
if (isAsked('cuts')) await cuts(browser);
await browser.close();
