// What the pages look like now, beside what they looked like in a commit: `make look BEFORE=COMMIT`. Both are drawn by the same
// browser in one run. A page of which more than a thousandth of the dots differs is named, and both pictures are kept:
// whether the change was meant, a person sees.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, posed } from './browser.mjs';
import { ROOT } from './real_board.mjs';
import { PAGES, serve } from './static_server.mjs';
import { LIVE, OWNER } from './states.mjs';

const WIDTHS = [320, 768, 1280];
const THEMES = ['light', 'dark'];
const MOST = 0.001;
const FOLDER = 'boardfw/services/web/pages';

/** The pages as they were. @param {string} commit @param {string} folder */
function pagesOf(commit, folder) {
  const packed = execFileSync('git', ['-C', ROOT, 'archive', commit, FOLDER]);
  execFileSync('tar', ['--extract', '--directory', folder], { input: packed });
  return join(folder, FOLDER);
}

/** The share of the dots of two pictures that are not the same; where only one of them reaches they are not. @param {any} page @param {Buffer[]} both */
const differing = (page, both) =>
  page.evaluate(
    async (/** @type {string[]} */ both) => {
      const drawn = await Promise.all(
        both.map(async (picture) => {
          const image = new Image();
          image.src = `data:image/png;base64,${picture}`;
          await image.decode();
          return image;
        }),
      );
      const [width, height] = [Math.max(...drawn.map((one) => one.width)), Math.max(...drawn.map((one) => one.height))];
      const [one, other] = drawn.map((image) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [width, height];
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        context.drawImage(image, 0, 0);
        return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
      });
      return one?.reduce((sum, dot, at) => sum + Number(dot !== other?.[at]), 0) / (width * height);
    },
    both.map((picture) => picture.toString('base64')),
  );

const [commit = 'HEAD'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'boardfw-look-'));
const servers = [await serve(pagesOf(commit, folder)), await serve(PAGES)];
const browser = await launch();
const beside = await (await browser.newContext()).newPage();
let [seen, others] = [0, 0];
for (const [name, live] of Object.entries(LIVE)) {
  for (const width of WIDTHS) {
    for (const colorScheme of THEMES) {
      const options = { viewport: { width, height: 800 }, colorScheme };
      const both = [];
      for (const { url } of servers) {
        const { page, picture } = await posed(browser, url, { 'GET /session': OWNER }, live, options);
        both.push(await picture({ fullPage: true }));
        await page.context().close();
      }
      const share = await differing(beside, both);
      seen += 1;
      if (share <= MOST) continue;
      others += 1;
      const kept = ['before', 'now'].map((when) => join(folder, `${name}-${width}-${colorScheme}-${when}.png`));
      kept.forEach((path, at) => writeFileSync(path, both[at] ?? ''));
      console.log(`${name}, ${width} dots wide, ${colorScheme}: ${(100 * share).toFixed(2)} % differ; look at ${kept.join(' and ')}`);
    }
  }
}
console.log(`${seen} pictures of ${Object.keys(LIVE).length} states beside those of ${commit}: more than ${100 * MOST} % of the dots differ in ${others}`);
await browser.close();
servers.forEach((one) => one.close());
