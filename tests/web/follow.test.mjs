// Games as the board's stream tells them: after each delta the page lists the moves and shows the pieces that the board has.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { launch, pretend, watched } from './browser.mjs';
import { PYTHON, ROOT } from './real_board.mjs';
import { OWNER } from './states.mjs';
import { serve } from './static_server.mjs';

const FULL = !['', '0', undefined].includes(process.env.BOARDFW_FULL);
const [GAMES, PLIES] = FULL ? [20, 60] : [4, 16];
/** Deltas that come at once, at most. */
const MOST = 3;

/** @type {any} */
let browser;
/** @type {{url: string, close: () => void}} */
let server;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser.close();
  server.close();
});

/** What a page shows otherwise than this; empty: nothing. @param {{sans: string[], squares: string[]}} wanted */
function otherwise({ sans, squares }) {
  const listed = [...document.querySelectorAll('.moves .move')].map((move) => (move.textContent ?? '').replace('?', ''));
  if (listed.join(' ') !== sans.join(' ')) return `moves ${listed.join(' ')}, not ${sans.join(' ')}`;
  return squares
    .map((piece, square) => {
      const words = (document.querySelector(`[data-square="${square}"] button`)?.getAttribute('aria-label') ?? '').split(', ');
      const isAbsent = words[1] === 'empty' || words.includes('in the hand');
      const isRight = words.at(-1)?.startsWith('an unknown piece') ? piece === words.at(-1) : piece ? words[1] === piece && !words.includes('in the hand') : isAbsent;
      return isRight ? '' : `${words.join(', ')}, not ${piece || 'empty'}`;
    })
    .filter(Boolean)
    .join('; ');
}

test('the page shows the moves and pieces that the board has, after each delta', { timeout: 1_800_000 }, async () => {
  const printed = execFileSync(PYTHON, ['-m', 'tests.services.web.followed', String(GAMES), String(PLIES)], {
    cwd: ROOT,
    env: { ...process.env, PYTHONPATH: ROOT },
    maxBuffer: 1 << 30,
  });
  const games = String(printed).trim().split('\n').map((line) => JSON.parse(line));
  let seen = 0;
  for (const [number, { snapshot, told }] of games.entries()) {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US' });
    const page = await context.newPage();
    const troubles = watched(page, server.url);
    const board = await pretend(page, { 'GET /session': OWNER }, snapshot);
    await page.goto(server.url);
    await page.waitForSelector('body[data-condition="live"] .board');
    for (let at = 0, count = 1; at < told.length; at += count) {
      count = 1 + ((number + at) % MOST);
      const some = told.slice(at, at + count);
      board.tell({ deltas: some.map((/** @type {any} */ one) => one.delta), t: at });
      const wanted = some.at(-1);
      let wrong = '';
      for (let tries = 0; tries < 500 && (tries === 0 || wrong); tries++) wrong = await page.evaluate(otherwise, wanted);
      assert.equal(wrong, '', `game ${number}, seq ${wanted.delta.seq}`);
      seen += some.length;
    }
    assert.deepEqual(troubles, []);
    await context.close();
  }
  assert.ok(seen > 10 * GAMES, `${seen}`);
  console.log(`${games.length} games, ${seen} deltas: moves and pieces on the page as the board has them`);
});
