// Photographs the pages for the documents: `node pictures.mjs FOLDER`. The states are those of the tests, so that the
// pictures show what is tested, and the same every time: there the time stands still.

import { join } from 'node:path';
import { launch, posed } from './browser.mjs';
import { serve } from './static_server.mjs';
import { LIVE, OWNER, PAGES_OF } from './states.mjs';

const GAME = PAGES_OF.game;
/** The game of the tests with a comment that attacks nobody. */
const KEPT = { .../** @type {object} */ (GAME?.answers['GET /games/12']), comments: { 7: "Scholar's mate." } };

/** Name, path, what is shown, width, height, and by day or by night. */
/** @type {[string, string, Record<string, unknown>, Record<string, any> | null, number, number, 'light' | 'dark'][]} */
const PICTURES = [
  ['web-live', '/', {}, LIVE.hand ?? null, 1000, 760, 'light'],
  ['web-phone', '/', {}, LIVE.moved ?? null, 360, 880, 'dark'],
  ['web-mismatch', '/', {}, LIVE.mismatch ?? null, 360, 880, 'light'],
  ['web-promotion', '/', {}, LIVE.promotion ?? null, 360, 880, 'dark'],
  ['web-game', GAME?.path ?? '', { ...GAME?.answers, 'GET /games/12': KEPT }, null, 1000, 700, 'light'],
  ['web-health', PAGES_OF.board?.path ?? '', PAGES_OF.board?.answers ?? {}, null, 1000, 760, 'dark'],
];

const [folder = '.'] = process.argv.slice(2);
const server = await serve();
const browser = await launch();
for (const [name, path, answers, live, width, height, colorScheme] of PICTURES) {
  const options = { viewport: { width, height }, colorScheme };
  const { page, picture } = await posed(browser, server.url + path, { 'GET /session': OWNER, ...answers }, live, options);
  await picture({ path: join(folder, `${name}.png`) });
  console.log(join(folder, `${name}.png`));
  await page.context().close();
}
await browser.close();
server.close();
