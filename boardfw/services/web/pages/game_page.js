// One game of the collection: replayed move by move, with its comments and why each move was recorded as it was.

import { Board, plainSquares } from './board.js';
import { fill, h, say } from './dom.js';
import { moveWords, playerNames } from './labels.js';
import { get } from './server.js';
import { moved, piecesOf } from './state.js';
import { moveRows, pgnLink } from './table.js';
import { hasText, text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{id: number, start_fen: string, tags: Record<string, string>, plies: import('./types.js').Ply[],
 *   placements?: string[], comments?: Record<string, string>, result: string, history?: import('./types.js').Gone[]}} Kept */

/** @param {App} app */
export async function start(app) {
  const id = Number(location.pathname.split('/')[2]);
  app.setHeading(text('game heading', id));
  app.showLoading();
  await app.session();
  const game = /** @type {Kept} */ (await get(`/games/${id}`));
  new GamePage(app, game);
}

/** Whether a tag says only that nobody knows, as in PGN. @param {string} value */
const isUnknown = (value) => /^[?.]*$/.test(value);

class GamePage {
  /** @param {App} app @param {Kept} game */
  constructor(app, game) {
    this.app = app;
    this.game = game;
    this.positions = positionsOf(game);
    /** How many plies have been played on the board that is shown. */
    this.at = Math.min(Number(location.hash.slice(1)) || 0, game.plies.length);
    const names = playerNames(game.tags.White, game.tags.Black);
    app.setHeading(names, `${names} - ${text('game heading', game.id)}`);
    this.board = new Board({ name: text('board label'), onCommand: () => this.app.announce(this.words()) });
    this.status = h('p', { class: 'now-shown', role: 'status' });
    this.comment = h('p', { class: 'comment' });
    this.reason = h('div', { class: 'reason', 'aria-live': 'polite' });
    this.moves = h('ol', { class: 'moves', tabIndex: 0, 'aria-label': text('moves') });
    this.steps = this.toolbar();
    this.whyButton = h('button', { type: 'button', onclick: () => this.explain() }, text('why'));
    const keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.moves.addEventListener('keydown', keys);
    this.steps.addEventListener('keydown', keys);
    const about = Object.entries(game.tags).filter(([name, value]) => !['White', 'Black', 'FEN', 'SetUp'].includes(name) && !isUnknown(value));
    app.setCondition('live');
    app.show(
      h(
        'div',
        { class: 'live' },
        h('section', { class: 'table' }, this.board.element, this.steps, this.status),
        h(
          'section',
          { class: 'side' },
          h('h2', {}, text('moves')),
          this.moves,
          h('p', { class: 'tip' }, text('replay keys')),
          this.comment,
          h('div', { class: 'row' }, this.whyButton, pgnLink(game.id)),
          this.reason,
          h('details', { class: 'fold' }, h('summary', {}, text('about game')), h('dl', { class: 'keys' }, about.flatMap(([name, value]) => [h('dt', {}, tagWords(name)), h('dd', {}, hasText(`tag ${name} ${value}`) ? text(`tag ${name} ${value}`) : value)]))),
        ),
      ),
    );
    this.drawMoves();
    this.show();
  }

  toolbar() {
    const last = () => this.game.plies.length;
    const step = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {() => number} */ where) =>
      h('button', { type: 'button', 'aria-label': text(name), title: text(name), 'data-sign': sign, onclick: () => this.go(where()) });
    return h(
      'div',
      { class: 'row steps', role: 'group', 'aria-label': text('replay') },
      step('first', '⏮', () => 0),
      step('previous', '◀', () => this.at - 1),
      step('next', '▶', () => this.at + 1),
      step('last', '⏭', last),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.game.plies.length }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.go(to);
  }

  /** @param {number} at */
  go(at) {
    const to = Math.max(0, Math.min(at, this.game.plies.length));
    if (to === this.at) return;
    this.at = to;
    history.replaceState(null, '', `#${to}`);
    this.show();
  }

  drawMoves() {
    const { game } = this;
    const rows = moveRows({ ...game, id: game.id }, game.history ?? [], (ply, san) =>
      h('button', { type: 'button', 'data-ply': ply + 1, onclick: () => this.go(ply + 1) }, san),
    );
    fill(this.moves, rows.length ? rows : h('li', { class: 'none' }, text('no move yet')));
  }

  words() {
    return this.at ? moveWords(this.game, this.at - 1) : text('start of game');
  }

  show() {
    const uci = this.game.plies[this.at - 1]?.[0];
    /** @type {Record<string, string[]>} */
    const cues = uci ? { last_move: [uci.slice(0, 2), uci.slice(2, 4)] } : {};
    this.board.show(plainSquares(this.positions[this.at] ?? [], cues));
    const isEnd = this.at === this.game.plies.length && this.game.result !== '*';
    say(this.status, [this.words(), isEnd ? text(`result ${this.game.result}`) : ''].filter(Boolean).join(' '));
    say(this.comment, this.game.comments?.[String(this.at)] ?? '');
    fill(this.reason);
    this.whyButton.disabled = this.at === 0;
    for (const button of this.moves.querySelectorAll('button')) {
      const isShown = Number(button.dataset.ply) === this.at;
      if (isShown) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (isShown) this.reveal(button);
    }
  }

  /** Scroll the list alone: the page stays where the reader has it. @param {HTMLElement} button */
  reveal(button) {
    const [list, line] = [this.moves.getBoundingClientRect(), button.getBoundingClientRect()];
    if (line.top < list.top) this.moves.scrollTop -= list.top - line.top + 8;
    if (line.bottom > list.bottom) this.moves.scrollTop += line.bottom - list.bottom + 8;
  }

  async explain() {
    const { at } = this;
    try {
      const found = await get(`/games/${this.game.id}/explain/${at}`);
      if (at === this.at) fill(this.reason, h('pre', { tabIndex: 0 }, found.text));
    } catch (error) {
      const none = /** @type {any} */ (error).status === 404;
      if (at === this.at) fill(this.reason, h('p', { class: 'tip' }, none ? text('why none') : String(/** @type {Error} */ (error).message)));
    }
  }
}

/** What a tag of PGN tells; a name that we do not know is what its file calls it. @param {string} name */
const tagWords = (name) => (hasText(`tag ${name}`) ? text(`tag ${name}`) : name);

/** The pieces on the board after each ply, the first before any. @param {Kept} game @returns {string[][]} */
function positionsOf(game) {
  if (game.placements?.length === game.plies.length + 1) return game.placements.map(piecesOf);
  const found = [piecesOf(game.start_fen.split(' ')[0] ?? '')];
  for (const [uci] of game.plies) found.push(moved(found[found.length - 1] ?? [], uci));
  return found;
}
