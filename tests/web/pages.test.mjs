// Every page in every state, by day and by night, on a phone, a tablet and a desk: nothing that axe finds, nothing that
// the content policy stops, nothing from another host, nothing that sticks out sideways.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { axe, launch, PATIENCE_MS, pretend, watched } from './browser.mjs';
import { PYTHON, ROOT } from './real_board.mjs';
import { serve } from './static_server.mjs';
import { LIVE, OWNER, PAGES_OF, state } from './states.mjs';

const WIDTHS = [320, 768, 1280];
const THEMES = ['light', 'dark'];
const FULL = !['', '0', undefined].includes(process.env.BOARDFW_FULL);

/** What axe cannot decide, and why it is right. */
const REASONS = [
  // The glow of a light is a gradient, and pieces and marks lie over it: the contrast of marks and of the
  // letters in badges is computed in the test below.
  { rule: 'color-contrast', where: /\.square|data-square|\.badge|\.unknown|\.axis|button\[aria-label/ },
  // Shares of colours in the map of switches are mixed by the browser; the numbers are tested below.
  { rule: 'color-contrast', where: /td/ },
];

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

/**
 * @param {string} path
 * @param {Record<string, unknown>} answers
 * @param {Record<string, any> | null} [live]
 * @param {object} [options] of the browser's context
 */
async function opened(path, answers, live = null, options = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const troubles = watched(page, server.url);
  /** @type {string[]} */
  const requests = [];
  page.on('request', (/** @type {any} */ request) => request.url().startsWith('data:') || requests.push(new URL(request.url()).pathname));
  const board = await pretend(page, { 'GET /session': OWNER, ...answers }, live);
  await page.goto(server.url + path);
  return { context, page, troubles, board, requests };
}

/** @param {any} page */
async function settled(page) {
  await page.waitForFunction(() => document.body.dataset.condition && document.body.dataset.condition !== 'loading');
}

/** @param {string[]} undecided */
const unexplained = (undecided) => undecided.filter((line) => !REASONS.some(({ rule, where }) => line.startsWith(`${rule}:`) && where.test(line)));

let examined = 0;

/**
 * Look at a page at every width; axe takes long, so without FULL=1 it gets one of the six looks, and the next page gets another.
 * @param {any} page @param {string[]} troubles
 */
async function examineAll(page, troubles) {
  const turn = examined++;
  for (const [row, width] of WIDTHS.entries()) {
    await page.setViewportSize({ width, height: 800 });
    // There what is asked lies over nothing, and axe sees each colour's ground.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    for (const [column, colorScheme] of THEMES.entries()) {
      await page.emulateMedia({ colorScheme });
      const at = `${width} ${colorScheme}`;
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(sideways <= 0, `${at}: ${sideways} px too wide`);
      if (!FULL && (row * THEMES.length + column - turn) % (WIDTHS.length * THEMES.length)) continue;
      const found = await axe(page);
      assert.deepEqual(found.violations, [], at);
      assert.deepEqual(unexplained(found.undecided), [], at);
    }
  }
  assert.deepEqual(troubles, []);
}

for (const [name, live] of Object.entries(LIVE)) {
  test(`live page, ${name}`, async () => {
    const { context, page, troubles } = await opened('/', {}, live);
    await settled(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    await examineAll(page, troubles);
    await context.close();
  });
}

for (const [name, { path, answers, live }] of Object.entries(PAGES_OF)) {
  test(`page ${name}`, async () => {
    const { context, page, troubles } = await opened(path, answers, live ?? null);
    await settled(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    await examineAll(page, troubles);
    const { title, headings } = await page.evaluate(() => ({ title: document.title, headings: document.querySelectorAll('h1').length }));
    assert.equal(headings, 1);
    assert.ok(title.length > 3);
    await context.close();
  });
}

test('live page, looking for the board', async () => {
  const { context, page, troubles } = await opened('/', {}, null);
  await page.waitForSelector('.loading');
  await examineAll(page, troubles);
  await context.close();
});

test('live page without a right to it', async () => {
  const { context, page, board } = await opened('/', { 'GET /session': { ...OWNER, role: null } }, null);
  await page.waitForSelector('.loading');
  board.cut();
  await page.waitForSelector('.forbidden');
  await examineAll(page, []);
  assert.equal(await page.locator('a[href="/pair"]').count(), 1);
  await context.close();
});

test('a board that is off behind its page is said to be so', async () => {
  const { context, page, troubles, board } = await opened('/', { 'GET /session': 503 }, LIVE.moved);
  await settled(page);
  board.off();
  board.cut();
  await page.waitForFunction(() => document.querySelector('.bar')?.textContent === 'The board is off.');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a lost connection is said and greyed at once', async () => {
  const { context, page, troubles, board } = await opened('/', {}, LIVE.moved);
  await settled(page);
  board.mute();
  const said = await page.evaluate(() => {
    window.dispatchEvent(new Event('offline'));
    return document.querySelector('.bar:not([hidden])')?.textContent;
  });
  assert.match(said ?? '', /Connection lost/);
  await page.waitForSelector('body[data-condition="stale"] .bar:not([hidden])');
  await examineAll(page, troubles);
  await context.close();
});

test('the page of the switches says that the board has ended, and counts anew when it is back', async () => {
  const found = PAGES_OF.board;
  const { context, page, board } = await opened(found?.path ?? '', found?.answers ?? {}, LIVE.start);
  await page.locator('.heat').waitFor();
  const move = { deltas: [{ seq: 101, e: [{ event: 'move', ply: 1, uci: 'e2e4', san: 'e4' }], set: { turn: 'b' } }], t: 1 };
  await page.waitForFunction(() => document.body.dataset.condition === 'live');
  board.tell(move);
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.waitForSelector('.bar:not([hidden])');
  assert.doesNotMatch(await page.locator('#log').innerText(), /e4/); // moves are read aloud where they are shown
  const asked = () => board.asked.filter((one) => one.path === '/board/health').length;
  assert.equal(asked(), 1);
  board.tell({ snapshot: { ...LIVE.start, boot: 'another' }, t: 2 });
  await page.waitForSelector('.bar', { state: 'hidden' });
  await assertEventually(() => asked() === 2);
  await context.close();
});

test('what was missed is counted when the connection is back', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.moved);
  await settled(page);
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  const event = { event: 'move', ply: 6, uci: 'a7a6', san: 'a6', provisional: true };
  board.tell({ deltas: [{ seq: 101, e: [event], set: { turn: 'w' } }], t: 1 });
  await page.waitForSelector('body[data-condition="live"]');
  assert.match(await page.locator('#notices').innerText(), /1 move caught up/);
  await context.close();
});

test('hostile names and comments are text', async () => {
  for (const name of ['games', 'game']) {
    const found = PAGES_OF[name];
    const { context, page, troubles } = await opened(found?.path ?? '', found?.answers ?? {});
    await settled(page);
    assert.match(await page.locator('main').innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.equal(await page.locator('main img').count(), 0);
    assert.deepEqual(troubles, []);
    await context.close();
  }
});

test('marks stand out from both kinds of squares, by day and by night', async () => {
  const { context, page } = await opened('/', {}, LIVE.hand);
  await settled(page);
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    const colours = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      /** @param {string} name */
      const rgb = (name) => {
        probe.style.color = `var(--${name})`;
        return (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map(Number);
      };
      const names = ['light-square', 'dark-square', 'outline', 'hue-white', 'hue-blue', 'hue-amber', 'hue-red', 'coordinate-on-light', 'coordinate-on-dark'];
      return Object.fromEntries(names.map((name) => [name, rgb(name)]));
    });
    for (const square of ['light-square', 'dark-square']) {
      for (const hue of ['white', 'blue', 'amber', 'red']) {
        // A mark is a line of its hue between two lines of the outline: one of the pair must stand out from the ground, and the two
        // from each other.
        const ground = Math.max(contrast(colours.outline, colours[square]), contrast(colours[`hue-${hue}`], colours[square]));
        assert.ok(ground >= 3, `${colorScheme} ${hue} on ${square}: ${ground}`);
        assert.ok(contrast(colours.outline, colours[`hue-${hue}`]) >= 3, `${colorScheme} ${hue}`);
      }
      const axis = contrast(colours[`coordinate-on-${square.split('-')[0]}`], colours[square]);
      assert.ok(axis >= 4.5, `${colorScheme} ${square}: ${axis}`);
    }
  }
  await context.close();
});

/** @param {number[]} one @param {number[]} other */
function contrast(one, other) {
  const [a = 0, b = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

/** @param {number[]} rgb */
function luminance(rgb) {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

for (const [asked, width] of /** @type {[string, number][]} */ ([['promotion', 360], ['ask', 320]])) {
  test(`what is asked is in sight on a phone ${width} dots wide: ${asked}`, async () => {
    const { context, page } = await opened('/', {}, LIVE[asked], { viewport: { width, height: 640 } });
    await settled(page);
    for (const answer of await page.locator('.card.ask button').all()) {
      const box = await answer.boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 640, await answer.textContent());
    }
    await context.close();
  });
}

test('squares are large enough for a thumb at 320 px, and the board is all in view', async () => {
  const { context, page } = await opened('/', {}, LIVE.start, { viewport: { width: 320, height: 640 } });
  await settled(page);
  const box = await page.locator('[data-square="0"] button').boundingBox();
  assert.ok(box.width >= 36 && box.height >= 36, JSON.stringify(box));
  await context.close();
});

test('twice the text, and wider spacing, cut nothing off', async () => {
  for (const [path, answers, live] of /** @type {any[]} */ ([['/', {}, LIVE.hand], ...Object.values(PAGES_OF).map((one) => [one.path, one.answers, one.live])])) {
    const { context, page } = await opened(path, answers, live, { viewport: { width: 640, height: 800 } });
    await settled(page);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      document.body.style.letterSpacing = '0.12em';
      document.body.style.wordSpacing = '0.16em';
      document.body.style.lineHeight = '1.5';
    });
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(sideways <= 0, `${path}: ${sideways} px too wide`);
    await context.close();
  }
});

test('arrows walk the board, keys tell, and Tab gets in and out', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.hand, { viewport: { width: 1280, height: 900 } });
  await settled(page);
  await page.locator('[data-square="0"] button').focus();
  const here = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.slice(0, 2));
  for (const [key, square] of [['ArrowUp', 'a2'], ['ArrowRight', 'b2'], ['End', 'h2'], ['ArrowRight', 'h2'], ['Home', 'a2'], ['ArrowDown', 'a1']]) {
    await page.keyboard.press(key);
    assert.equal(await here(), square, key);
  }
  for (const [key, words] of [['l', /a6/], ['c', /White 4:/], ['h', /white bishop from b5/], ['m', /Nothing stands wrong/]]) {
    await page.keyboard.press(String(key));
    assert.match(await page.locator('#log p').last().innerText(), /** @type {RegExp} */ (words));
  }
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => true);
  await assertEventually(() => board.asked.filter((one) => one.path === '/hand').length === 2);
  const acts = board.asked.filter((one) => one.path === '/hand').map(({ body }) => body);
  assert.equal(acts[0].touch, 'a1');
  assert.equal(acts[1].back, true);
  assert.notEqual(acts[0].id, acts[1].id);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.board') === null), true);
  await page.keyboard.press('Shift+Tab');
  assert.equal(await here(), 'a1');
  await context.close();
});

/** @param {() => boolean} holds */
async function assertEventually(holds) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until && !holds(); ) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(holds());
}

test('on a real board a click moves nothing, and a question is answered by its square or its button', async () => {
  const { context, page, board } = await opened('/', {}, { ...LIVE.ask, simulated: false, shown: null });
  await settled(page);
  await page.locator('[data-square="12"] button').click();
  await page.locator('[data-square="35"] button').click();
  await assertEventually(() => board.asked.some((one) => one.path === '/table/answer_1'));
  await page.getByRole('button', { name: 'exf5' }).click();
  await assertEventually(() => board.asked.some((one) => one.path === '/table/answer_2'));
  assert.ok(!board.asked.some((one) => one.path === '/hand'));
  assert.equal(board.asked.find((one) => one.path === '/table/answer_1')?.body.seq, 100);
  await context.close();
});

test('nobody resigns by a touch: the button is held, or the word is typed', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.moved);
  await settled(page);
  await page.getByText('End of game').click();
  const button = page.getByRole('button', { name: 'White resigns' });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000); // a click takes no time on a busy machine either
  await button.click();
  await page.locator('.notice', { hasText: 'Hold the button' }).waitFor(); // who only touches it learns what to do
  await page.clock.runFor(1600);
  await button.hover();
  await page.mouse.down();
  await page.clock.runFor(1400);
  assert.ok(!board.asked.some((one) => one.path.startsWith('/table/resign')));
  await page.clock.runFor(100);
  await assertEventually(() => board.asked.some((one) => one.path === '/table/resign_white'));
  await page.mouse.up();
  await page.clock.resume();
  const field = page.getByLabel(/type .*resign/);
  await field.fill('resi');
  await field.press('Enter');
  assert.ok(!board.asked.some((one) => one.path === '/table/resign_black'));
  await page.getByLabel('Who resigns?').selectOption('b');
  await field.fill('resign');
  await field.press('Enter');
  await assertEventually(() => board.asked.some((one) => one.path === '/table/resign_black'));
  await context.close();
});

test('only who is at the board can be made to resign', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.engine);
  await settled(page);
  await page.getByText('End of game').click();
  assert.equal(await page.getByRole('button', { name: 'Black resigns' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'White resigns' }).count(), 1);
  assert.equal(await page.getByLabel('Who resigns?').isVisible(), false);
  const field = page.getByLabel(/type .*resign/);
  await field.fill('resign');
  await field.press('Enter');
  await assertEventually(() => board.asked.some((one) => one.path === '/table/resign_white'));
  await context.close();
});

test('a pawn is put back until it is what is wanted, and nothing is touched in between', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.promotion);
  await settled(page);
  // The first put-back keeps the queen, and only says which piece comes next.
  const [lifted, stands] = ['40e000000000e040', '42e000000000e040'];
  board.tell({ deltas: [{ seq: 101, e: [], set: { occ: stands } }], t: 1 });
  const next = [{ square: 'b8', piece: 'q', then: 'r' }, { square: 'b8', piece: 'r', then: 'b' }];
  let seq = 101;
  let acts = 0;
  const answering = setInterval(() => {
    const hand = board.asked.filter((one) => one.path === '/hand');
    for (; acts < hand.length; acts++) {
      const set = hand[acts]?.body.lift ? { occ: lifted } : { occ: stands, choosing: next.shift() };
      board.tell({ deltas: [{ seq: ++seq, e: [], set }], t: seq });
    }
  }, 20);
  await page.getByRole('button', { name: 'Bishop' }).click();
  await page.getByRole('button', { name: 'Rook', exact: true }).click(); // another wish meanwhile
  await page.locator('[data-square="13"] button').click();
  await assertEventually(() => board.asked.some((one) => one.body?.touch === 'f2')).finally(() => clearInterval(answering));
  const hand = board.asked.filter((one) => one.path === '/hand').map(({ body: { id, ...act } }) => act);
  assert.deepEqual(hand, [{ lift: 'b8' }, { drop: 'b8' }, { lift: 'b8' }, { drop: 'b8' }, { touch: 'f2' }]);
  assert.equal(await page.locator('.notice').count(), 0);
  await context.close();
});

test('simulated hands that were stopped while they set up can be told to go on', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.setup);
  await settled(page);
  const button = page.getByRole('button', { name: 'Let the simulator' });
  await button.click();
  await assertEventually(() => board.asked.some((one) => one.path === '/hand' && one.body.set_up === true));
  board.tell({ deltas: [{ seq: 101, e: [], set: { setup: { ...LIVE.setup?.setup, helped: true }, to_go: 5 } }], t: 1 });
  await button.waitFor({ state: 'detached' });
  await page.getByText('Simulated hands put the pieces in place: 5 to go').waitFor();
  await context.close();
  const real = await opened('/', {}, { ...LIVE.setup, simulated: false, shown: null });
  await settled(real.page);
  assert.equal(await real.page.getByRole('button', { name: 'Let the simulator' }).count(), 0);
  await real.context.close();
});

test('simulated hands that put pieces right say how far they are, and are not asked to once more', async () => {
  const wrong = { ...LIVE.mismatch, simulated: true, shown: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/7P/PPPP1PPP/RNBQKB1R' };
  const { context, page, board } = await opened('/', {}, wrong);
  await settled(page);
  const button = page.getByRole('button', { name: 'Let the simulator put them right' });
  await button.waitFor();
  board.tell({ deltas: [{ seq: 101, e: [], set: { to_go: 2, hand: [['N', 'h3']] } }], t: 1 });
  await page.getByText('2 to go').waitFor();
  await button.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Put back' }).count(), 0); // they hold it, and put it down themselves
  board.tell({ deltas: [{ seq: 102, e: [], set: { to_go: 0, hand: [], mismatch: null } }], t: 2 });
  await page.getByText('choose a piece').waitFor();
  await context.close();
});

test('a game that simulated hands play by themselves can be ended by who may play', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.demo);
  await settled(page);
  const button = page.getByRole('button', { name: 'End this game' });
  await button.click();
  await assertEventually(() => board.asked.some((one) => one.path === '/hand' && one.body.end_demo === true));
  board.tell({ deltas: [{ seq: 101, e: [], set: { demo: false } }], t: 1 });
  await button.waitFor({ state: 'detached' });
  await context.close();
  const spectator = await opened('/', {}, { ...LIVE.demo, role: 'spectator' });
  await settled(spectator.page);
  assert.equal(await spectator.page.getByRole('button', { name: 'End this game' }).count(), 0);
  await spectator.context.close();
});

test('a game that is over leads to what was kept of it', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.over);
  await settled(page);
  const card = page.locator('.card.over');
  assert.match(await card.innerText(), /White has won/);
  assert.doesNotMatch(await page.locator('.tray').innerText(), /choose a piece/);
  assert.equal(await card.getByRole('link', { name: 'Look at the game' }).getAttribute('href'), '/games/12');
  assert.equal(await card.getByRole('link', { name: 'PGN' }).getAttribute('href'), '/api/v1/games/12.pgn');
  await card.getByRole('button', { name: 'Show where it turned' }).click();
  await assertEventually(() => board.asked.some((one) => one.path === '/table/hint'));
  board.tell({ deltas: [{ seq: 101, e: [], set: { cues: { looked_at: ['a4'] } } }], t: 1 });
  await card.getByRole('button', { name: 'stop' }).waitFor(); // the same button gives it up, and says so
  await context.close();
  const spectator = await opened('/', {}, { ...LIVE.over, role: 'spectator' });
  await settled(spectator.page);
  assert.equal(await spectator.page.locator('.card.over').count(), 0);
  await spectator.context.close();
});

test('in a lesson the task is in sight, and the pieces beside the board are at hand', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.lesson, { viewport: { width: 390, height: 780 } });
  await settled(page);
  const task = await page.locator('.card.lesson h2').boundingBox();
  assert.ok(task.y + task.height <= 780);
  await page.getByText('Beside the board').click();
  board.tell({ deltas: [{ seq: 101, e: [], set: { box: 'QRBNPqrbnpp', hand: [['P', null]] } }], t: 1 });
  await page.getByRole('button', { name: 'Take black queen' }).click(); // it stays open
  await assertEventually(() => board.asked.some((one) => one.path === '/hand' && one.body.take === 'q'));
  await context.close();
});

test('the look back at a game has names, a way on and a way out, and nothing of a lesson', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.review);
  await settled(page);
  const card = page.locator('.card.lesson');
  assert.deepEqual(await card.getByRole('button').allInnerTexts(), ['Go on', 'Stop looking back']);
  assert.deepEqual(await page.locator('.strip .name').allInnerTexts(), ['Bob', 'Ann']);
  await card.getByRole('button', { name: 'Go on' }).click();
  await assertEventually(() => board.asked.some((one) => one.path === '/learn/skip'));
  await card.getByRole('button', { name: 'Stop looking back' }).click();
  await assertEventually(() => board.asked.some((one) => one.path === '/learn/leave'));
  await context.close();
});

test('what is said for a while covers neither the board nor the result on a phone', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.over, { viewport: { width: 390, height: 780 } });
  await settled(page);
  const said = 'where did it turn? a hint shows it on the board';
  board.tell({ deltas: [{ seq: 101, e: [{ event: 'notice', t: 1, text: said }], set: {} }], t: 1 });
  const notice = page.locator('.notice');
  await notice.waitFor();
  const one = await notice.boundingBox();
  for (const name of ['.board', '.card.over']) {
    const other = await page.locator(name).boundingBox();
    assert.ok(one.y + one.height <= other.y || other.y + other.height <= one.y, name);
  }
  await context.close();
});

test('a refused draw is seen', async () => {
  const { context, page, board } = await opened('/', {}, LIVE.engine);
  await settled(page);
  const refused = { deltas: [{ seq: 101, e: [{ event: 'notice', t: 1, text: 'the opponent does not want a draw' }], set: {} }], t: 1 };
  board.tell(refused);
  await page.locator('.notice', { hasText: 'does not want a draw' }).waitFor();
  await context.close();
  const kiosk = await opened('/kiosk', {}, LIVE.engine);
  await settled(kiosk.page);
  kiosk.board.tell(refused);
  kiosk.board.tell({ deltas: [{ seq: 102, e: [], set: { turn: 'w', phase: 'over', game: LIVE.over?.game } }], t: 2 });
  await kiosk.page.getByRole('heading', { name: 'White has won' }).waitFor();
  assert.equal(await kiosk.page.locator('.notice').count(), 0, 'nobody answers a wall');
  await kiosk.context.close();
});

test('the start of a game is in sight on a phone, nobody helps an engine, and the date is asked only in doubt', async () => {
  const answers = PAGES_OF.new?.answers ?? {};
  const { context, page, board } = await opened('/new', answers, null, { viewport: { width: 390, height: 700 } });
  await settled(page);
  const go = await page.getByRole('button', { name: 'Start' }).boundingBox();
  assert.ok(go.y + go.height <= 700);
  assert.equal(await page.getByLabel('Date and time').count(), 0);
  await page.getByLabel('The computer', { exact: true }).check();
  assert.equal(await page.getByLabel('Help for Black').isVisible(), false);
  await page.getByLabel('White', { exact: true }).check();
  assert.equal(await page.getByLabel('Help for White').isVisible(), false);
  assert.equal(await page.getByLabel('Help for Black').isVisible(), true);
  await page.getByRole('button', { name: 'Start' }).click();
  await assertEventually(() => board.asked.some((one) => one.path === '/setup' && one.method === 'POST' && one.body.now === null));
  await context.close();
  const again = { 'GET /setup': { ...Object(answers['GET /setup']), opponent: { side: 'w', level: 1, engine: 'own' } } };
  const same = await opened('/new', again, null);
  await settled(same.page);
  await same.page.getByText('just learnt the rules').waitFor();
  assert.equal(await same.page.getByLabel('Name of White').isVisible(), false, 'it is called as its level is');
  await same.page.getByRole('button', { name: 'Start' }).click();
  const wished = () => same.board.asked.find((one) => one.method === 'POST')?.body;
  await assertEventually(() => wished() !== undefined);
  assert.deepEqual(wished().opponent, { side: 'w', level: 1, engine: 'own' });
  await same.context.close();
  const doubted = { 'GET /setup': { ...Object(answers['GET /setup']), asks_date: true } };
  const other = await opened('/new', doubted, null, { timezoneId: 'Asia/Kolkata' });
  await settled(other.page);
  await other.page.getByLabel('Date and time').fill('2026-11-28T01:30');
  await other.page.getByRole('button', { name: 'Start' }).click();
  await assertEventually(() => other.board.asked.some((one) => one.method === 'POST' && one.body?.now === '2026-11-27T20:00:00.000Z'));
  await other.context.close();
  const left = await opened('/new', doubted, null);
  await settled(left.page);
  const later = Date.now() + 86_400_000;
  await left.page.clock.setFixedTime(later); // it was opened yesterday
  await left.page.getByRole('button', { name: 'Start' }).click();
  await assertEventually(() => left.board.asked.some((one) => one.method === 'POST' && Date.parse(one.body?.now) === later));
  await left.context.close();
});

test('a deleted game comes back', async () => {
  const games = PAGES_OF.games;
  const { context, page, board } = await opened('/games', games?.answers ?? {});
  await settled(page);
  await page.getByRole('button', { name: 'Delete game 60' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await assertEventually(() => board.asked.some((one) => one.method === 'POST' && one.path === '/games/60/restore'));
  await context.close();
});

test('the picture of a board from the other side has the other corner at the bottom, and keeps the focus', async () => {
  const { context, page } = await opened('/', {}, LIVE.start);
  await settled(page);
  await page.getByRole('button', { name: 'Turn the board' }).click();
  const [a1, h8] = await Promise.all([0, 63].map((square) => page.locator(`[data-square="${square}"]`).boundingBox()));
  assert.ok(a1.y < h8.y && a1.x > h8.x);
  await page.locator('[data-square="63"] button').focus();
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.slice(0, 2)), 'h7');
  await context.close();
});

test('the first view is small', async () => {
  const { gzipSync } = await import('node:zlib');
  const { context, page, requests: asked } = await opened('/', {}, state());
  await settled(page);
  let bytes = 0;
  for (const path of asked) bytes += gzipSync(await (await fetch(server.url + path)).arrayBuffer()).length;
  assert.ok(asked.length <= 12, `${asked.length} requests: ${asked}`);
  assert.ok(bytes <= 60_000, `${bytes} bytes`);
  await context.close();
});

/** Games by simulated hands, their plies, and how many deltas come at once at most. */
const [GAMES, PLIES, MOST] = FULL ? [20, 60, 3] : [4, 16, 3];

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
    const { context, page, troubles, board } = await opened('/', {}, snapshot);
    await settled(page);
    for (let at = 0, count = 1; at < told.length; at += count) {
      count = 1 + ((number + at) % MOST);
      const some = told.slice(at, at + count);
      board.tell({ deltas: some.map((/** @type {any} */ one) => one.delta), t: at });
      const wanted = some.at(-1);
      let wrong = '';
      const until = Date.now() + PATIENCE_MS;
      do wrong = await page.evaluate(otherwise, wanted);
      while (wrong && Date.now() < until);
      assert.equal(wrong, '', `game ${number}, seq ${wanted.delta.seq}`);
      seen += some.length;
    }
    assert.deepEqual(troubles, []);
    await context.close();
  }
  assert.ok(seen > 10 * GAMES, `${seen}`);
  console.log(`${games.length} games, ${seen} deltas: moves and pieces on the page as the board has them`);
});
