// Every page and every state once in German, on the narrowest phone: no text that is cut or sticks out, no word left in English.
// axe takes long, so without FULL=1 it examines every third of them; it examines all of them in English.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axe, launch, PATIENCE_MS, pretend, watched } from './browser.mjs';
import { serve, TEXTS } from './static_server.mjs';
import { LIVE, OWNER, PAGES_OF } from './states.mjs';

const WIDTH = 320;
const FULL = !['', '0', undefined].includes(process.env.BOARDFW_FULL);
/** What stands in the table of texts: English, where German says it otherwise. */
const ENGLISH = new Set(
  Object.values(TEXTS)
    .filter(([english, german]) => english !== german && !english.includes('{'))
    .map(([english]) => english.trim()),
);

/** What the board says in both languages. */
const BOTH = [LIVE.lesson.lesson, LIVE.mismatch?.mismatch, ...PAGES_OF.learn.answers['GET /learn'].courses[0].lessons].filter((one) => one?.also);
for (const one of BOTH) Object.keys(one.also.de).forEach((key) => ENGLISH.add(one[key]));

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

/** Texts that can be seen, and those of them that a box cuts off; in the page. */
function look() {
  /** @type {string[]} */
  const words = [];
  /** @type {string[]} */
  const cut = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = (node.textContent ?? '').trim();
    if (!element || !text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1);
    if (!rects.length || element.closest('.unseen, .skip, [aria-hidden="true"]')) continue;
    words.push(text);
    for (let box = /** @type {Element | null} */ (element); box; box = box.parentElement) {
      const style = getComputedStyle(box);
      const isScrolled = /auto|scroll/.test(style.overflowX + style.overflowY);
      if (isScrolled) break; // what is beyond can be scrolled to
      if (!/hidden|clip/.test(style.overflowX) && box !== document.body) continue;
      const { left, right } = box.getBoundingClientRect();
      if (rects.some((rect) => rect.left < left - 1 || rect.right > right + 1)) cut.push(`${box.className || box.tagName}: ${text}`);
    }
  }
  return { words, cut };
}

const ALL = [
  ...Object.entries(LIVE).map(([name, live]) => [`live ${name}`, { path: '/', answers: {}, live }]),
  ...Object.entries(PAGES_OF),
];
for (const [number, [name, { path, answers, live }]] of /** @type {[string, any][]} */ (ALL).entries()) {
  test(`auf Deutsch: ${name}`, async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'de-DE', viewport: { width: WIDTH, height: 640 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const troubles = watched(page, server.url);
    await page.addInitScript(() => localStorage.setItem('boardfw language', 'de'));
    await pretend(page, { 'GET /session': { ...OWNER, lang: 'de' }, ...answers }, live ?? null);
    await page.goto(server.url + path);
    await page.waitForFunction(() => document.body.dataset.condition && document.body.dataset.condition !== 'loading');
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    if (FULL || number % 3 === 0) assert.deepEqual((await axe(page)).violations, []);
    const { words, cut } = await page.evaluate(look);
    assert.ok(words.length > 2, words.join('\n'));
    assert.deepEqual(cut, []);
    assert.deepEqual(words.filter((/** @type {string} */ one) => ENGLISH.has(one)), []);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(sideways <= 0, `${sideways} px too wide`);
    assert.deepEqual(troubles, []);
    await context.close();
  });
}
