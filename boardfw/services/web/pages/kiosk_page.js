// A board on a wall: big, read only, nothing around it, and it comes back by itself after any reload.

import { Board, squaresOf } from './board.js';
import { h, say } from './dom.js';
import { lastMoveWords, situation } from './labels.js';
import { follow, Strips } from './table.js';
import { text } from './texts.js';

/** @typedef {import('./app.js').App} App */

/** @param {App} app */
export function start(app) {
  document.body.classList.add('bare');
  app.showLoading(text('connecting'));
  const board = new Board({ name: text('board label') });
  const strips = new Strips();
  const last = h('p', { class: 'kiosk-last' });
  let isShown = false;
  const { feed, bar } = follow(app, (state) => {
    if (!isShown) {
      isShown = true;
      app.show(bar, h('div', { class: 'kiosk' }, strips.top.element, board.element, strips.bottom.element, last));
    }
    app.setHeading(situation(state));
    board.show(squaresOf(state), { isMono: Boolean(state.mono) });
    strips.show(state, false, () => feed.clockAgeMs());
    say(last, lastMoveWords(state));
  }, { told: 'moves' });
}
