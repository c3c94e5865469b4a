// The collection: games that were played or taken in, found by name, result or position.

import { alertLine, fill, h, say, show } from './dom.js';
import { playerNames } from './labels.js';
import { get, post, remove } from './server.js';
import { text } from './texts.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{id: number, white: string, black: string, date: string, result: string, plies: number, opening?: string, first_moves?: string}} Found */

const PAGE = 30;
const LARGEST = 8 * 1024 * 1024;
/** So long after the last letter is the list asked for. */
const TYPING_MS = 300;

/** @param {App} app */
export async function start(app) {
  app.setHeading(text('games heading'));
  app.showLoading();
  const session = await app.session();
  const page = new GamesPage(app, session.role === 'owner');
  await page.load(true);
}

class GamesPage {
  /** @param {App} app @param {boolean} mayChange */
  constructor(app, mayChange) {
    this.app = app;
    this.mayChange = mayChange;
    /** @type {Found[]} */
    this.games = [];
    this.total = 0;
    /** The newest question: an answer to an older one is too late. */
    this.asked = 0;
    this.timer = 0;
    this.isShown = false;
    const later = () => {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.load(true), TYPING_MS);
    };
    this.words = h('input', { type: 'search', placeholder: text('search what'), oninput: later, autocomplete: 'off' });
    this.fen = h('input', { type: 'text', oninput: later, autocomplete: 'off', spellcheck: false, placeholder: 'rnbqkbnr/…' });
    this.list = h('ul', { class: 'games' });
    this.count = h('p', { class: 'tip', role: 'status' });
    this.pgn = h('a', { class: 'button', href: '/api/v1/games.pgn', download: 'games.pgn' }, text('pgn out'));
    this.more = h('button', { type: 'button', onclick: () => this.load(false) }, text('games more'));
  }

  /** Ask for the first games that match, or for more of them. @param {boolean} isNew */
  async load(isNew) {
    const mine = ++this.asked;
    const query = new URLSearchParams({ offset: String(isNew ? 0 : this.games.length), limit: String(PAGE) });
    if (this.words.value.trim()) query.set('q', this.words.value.trim());
    if (this.fen.value.trim()) query.set('fen', this.fen.value.trim());
    let found;
    try {
      found = await get(`/games?${query}`);
    } catch (error) {
      if (this.isShown) this.app.trouble(error);
      else this.app.showError(error, () => location.reload());
      return;
    }
    if (mine !== this.asked) return;
    this.games = isNew ? found.games : [...this.games, ...found.games];
    this.total = found.total;
    if (!this.isShown) this.layout();
    this.draw();
  }

  layout() {
    this.isShown = true;
    const labelled = (/** @type {string} */ name, /** @type {HTMLElement} */ control) =>
      h('label', { class: 'field' }, h('span', {}, name), control);
    this.app.show(
      h(
        'section',
        { class: 'panel', role: 'search' },
        labelled(text('search'), this.words),
        h('details', { class: 'fold' }, h('summary', {}, text('search position')), labelled('FEN', this.fen)),
      ),
      this.count,
      this.list,
      h('p', {}, this.more),
      h('section', { class: 'panel' }, h('h2', {}, 'PGN'), h('p', {}, this.pgn), this.mayChange ? this.taking() : null),
    );
  }

  draw() {
    const isSearch = Boolean(this.words.value.trim() || this.fen.value.trim());
    this.app.setCondition(this.games.length ? 'live' : 'empty');
    const none = isSearch ? text('games no match', this.total) : text('games none');
    // What is looked for is what is taken along.
    const query = new URLSearchParams();
    if (this.words.value.trim()) query.set('q', this.words.value.trim());
    if (this.fen.value.trim()) query.set('fen', this.fen.value.trim());
    this.pgn.href = `/api/v1/games.pgn${isSearch ? `?${query}` : ''}`;
    say(this.pgn, text(isSearch ? 'pgn found' : 'pgn out'));
    say(this.count, this.games.length ? text('games shown', this.games.length, this.total) : none);
    fill(this.list, this.games.map((game) => this.item(game)));
    show(this.more, this.games.length > 0 && this.games.length % PAGE === 0 && this.games.length < this.total);
  }

  /** @param {Found} game */
  item(game) {
    const about = [game.date.includes('?') ? text('unknown date') : game.date, movesWords(Math.ceil(game.plies / 2)), game.opening || game.first_moves].filter(Boolean);
    return h(
      'li',
      {},
      h(
        'a',
        { href: `/games/${game.id}` },
        h('strong', {}, playerNames(game.white, game.black)),
        h('span', { class: 'result' }, game.result === '1/2-1/2' ? '½–½' : game.result.replace('-', '–')),
        h('span', { class: 'about' }, about.join(' · ')),
      ),
      this.mayChange
        ? h('button', { type: 'button', class: 'small quiet', 'aria-label': text('delete game', game.id), onclick: () => this.erase(game) }, text('delete'))
        : null,
    );
  }

  /** A game goes at once, and can be had back for a while. @param {Found} game */
  async erase(game) {
    try {
      await remove(`/games/${game.id}`);
    } catch (error) {
      this.app.trouble(error);
      return;
    }
    this.games = this.games.filter((one) => one.id !== game.id);
    this.total -= 1;
    this.draw();
    const undo = async () => {
      try {
        await post(`/games/${game.id}/restore`);
        this.app.notice(text('restored', game.id));
        await this.load(true);
      } catch (error) {
        this.app.trouble(error);
      }
    };
    this.app.notice(text('deleted', game.id), { undo });
  }

  /** Taking in games of a PGN file. */
  taking() {
    const file = h('input', { type: 'file', accept: '.pgn,application/x-chess-pgn,text/plain' });
    const said = h('div', { role: 'status' });
    const take = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const chosen = file.files?.[0];
      if (!chosen) return;
      if (chosen.size > LARGEST) {
        fill(said, h('p', { class: 'alert' }, text('pgn too big')));
        return;
      }
      try {
        const answer = await post('/games', { pgn: await chosen.text() });
        fill(said, h('p', {}, takenWords(answer)));
        await this.load(true);
      } catch (error) {
        fill(said, alertLine(error));
      }
    };
    return h(
      'form',
      { onsubmit: take },
      h('label', { class: 'field' }, h('span', {}, text('pgn in')), file),
      h('button', { type: 'submit' }, text('pgn add')),
      said,
    );
  }
}

/** @param {number} count of moves by both sides */
const movesWords = (count) => (count === 1 ? text('one move') : text('plies', count));

/**
 * "3 games of 40 could not be read: line 118, … The other 37 are in."
 * @param {{kept: number, known: number, shortened: number, refused: {line: number, why: string}[]}} answer
 */
function takenWords({ kept, known, shortened, refused }) {
  const twice = known ? ` ${text('pgn known', known)}` : '';
  const more = (shortened ? ` ${text('pgn shortened', shortened)}` : '') + twice;
  if (!refused.length) return text('pgn all in', kept) + more;
  const lines = refused.slice(0, 5).map(({ line, why }) => text('pgn line', line, why.replace(/\.$/, '')));
  if (refused.length > 5) lines.push('…');
  return text('pgn some in', refused.length, refused.length + kept + known, lines.join(' '), kept) + more;
}
