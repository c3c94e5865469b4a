// Photographs the pages for the documents: `node pictures.mjs FOLDER`. The states are those of the tests, so that the
// pictures show what is tested, and the same every time.

import { join } from 'node:path';
import { launch, pretend } from './browser.mjs';
import { serve } from './static_server.mjs';
import { LIVE, OWNER, PAGES_OF } from './states.mjs';

/** Name, path, what is shown, width, height, and by day or by night. */
/** @type {[string, string, Record<string, unknown>, Record<string, any> | null, number, number, 'light' | 'dark'][]} */
const PICTURES = [
  ['web-live', '/', {}, LIVE.hand ?? null, 1000, 700, 'light'],
  ['web-phone', '/', {}, LIVE.moved ?? null, 360, 640, 'dark'],
  ['web-mismatch', '/', {}, LIVE.mismatch ?? null, 360, 640, 'light'],
  ['web-promotion', '/', {}, LIVE.promotion ?? null, 360, 640, 'dark'],
  ['web-game', PAGES_OF.game?.path ?? '', PAGES_OF.game?.answers ?? {}, null, 1000, 700, 'light'],
  ['web-health', PAGES_OF.board?.path ?? '', PAGES_OF.board?.answers ?? {}, null, 1000, 700, 'dark'],
];

const [folder = '.'] = process.argv.slice(2);
const server = await serve();
const browser = await launch();
for (const [name, path, answers, live, width, height, colorScheme] of PICTURES) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce', locale: 'en-US' });
  const page = await context.newPage();
  await pretend(page, { 'GET /session': OWNER, ...answers }, live);
  await page.goto(server.url + path);
  await page.waitForFunction(() => document.body.dataset.condition === 'live');
  // Clocks run on: the picture is taken in the second in which they were sent.
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  console.log(join(folder, `${name}.png`));
  await context.close();
}
await browser.close();
server.close();
